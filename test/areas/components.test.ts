/** Templates that are parts of other templates: releases, pins, and the callers who must not read them. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { roundTripsOf } from "#test/support/answers.ts";
import {
  type Answer,
  makeTenant,
  makeUnlimitedTenant,
  operator,
  type TestTenant,
} from "#test/support/api.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { codesOf } from "#test/support/templates.ts";
import { overtaken } from "#test/support/together.ts";

await emptyDatabase();

const PART = `name: part
runtime: yaml
config:
  label: { type: string }
resources:
  net: { type: "mock:Network", properties: { name: "\${label}" } }
outputs:
  id: \${net.id}
`;
const using = (component: string, range = "^1.0", more = "") => `name: whole
runtime: yaml
config: { label: { type: string, default: a } }
resources:
  part:
    component: "${component}"
    version: "${range}"
    properties: { label: "\${label}" }
${more}outputs:
  id: \${part.id}
`;
const tenant = await makeUnlimitedTenant();
type Poster = { post: TestTenant["post"] };

/** A template with a version for each release, oldest first; null: a version without a release. */
async function released(
  client: Poster,
  name: string,
  releases: readonly (string | null)[] = ["1.0.0"],
  source = PART,
): Promise<string> {
  const made = await client.post("/templates", { name });
  expect(made.status, made.text).toBe(201);
  for (const release of releases) await add(client, made.body.id, source, { release });
  return made.body.id;
}

async function add(
  client: Poster,
  id: string,
  source: string,
  { release, ...more }: { release?: string | null; upgradeComponents?: boolean } = {},
): Promise<Answer> {
  const named = release === null || release === undefined ? {} : { release };
  const added = await client.post(`/templates/${id}/versions`, { source, ...named, ...more });
  expect(added.status, added.text).toBe(201);
  return added;
}

async function whole(client: Poster, source: string): Promise<Answer> {
  const made = await client.post("/templates", { name: "whole", source });
  expect(made.status, made.text).toBe(201);
  return made;
}

const releasesOf = ({ body }: Answer): [string, string, string | undefined][] =>
  body.components.map(
    (one: { component: string; release: string; newest: { release: string } | null }) => [
      one.component,
      one.release,
      one.newest?.release,
    ],
  );
const unique = () => `part-${crypto.randomUUID()}`;

describe("a release", () => {
  it("is shown with its version and in lists, and marks no other version", async () => {
    const id = await released(tenant, unique(), [null, "1.4.0", "2.0.0-rc.1"]);
    const list = await tenant.get(`/templates/${id}/versions`);
    expect(list.body.data.map(({ release }: { release: string | null }) => release)).toEqual([
      "2.0.0-rc.1",
      "1.4.0",
      null,
    ]);
    const read = await tenant.get(`/templates/${id}/versions/2`);
    expect(read.body).toMatchObject({ release: "1.4.0", components: [], usedBy: [] });
    const first = await tenant.post("/templates", {
      name: unique(),
      source: PART,
      release: "0.1.0",
    });
    expect(first.status, first.text).toBe(201);
    const version = await tenant.get(`/templates/${first.body.id}/versions/1`);
    expect(version.body.release).toBe("0.1.0");
  });

  it.each(["1.4", "v1.4.0", "1.4.0+build", "01.4.0", "^1.4.0", "latest", "", " 1.4.0", "1.4.0\n"])(
    "is refused if it is %j",
    async (release) => {
      const id = await released(tenant, unique(), []);
      const refused = await tenant.post(`/templates/${id}/versions`, { source: PART, release });
      expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
    },
  );

  it("is never given twice in a template, also not after a deprecation, and freely in another one", async () => {
    const [id, other] = [await released(tenant, unique()), await released(tenant, unique())];
    expect((await tenant.post(`/templates/${id}/versions/1/deprecate`)).status).toBe(200);
    const refused = await tenant.post(`/templates/${id}/versions`, {
      source: PART,
      release: "1.0.0",
    });
    expect([refused.status, refused.body.code]).toEqual([409, "release_taken"]);
    expect(refused.body.detail).toContain("1.0.0");
    expect((await tenant.get(`/templates/${id}`)).body.latestVersion).toBe(1);
    await add(tenant, other, PART, { release: "1.0.1" });
  });

  it("goes to one of two requests at once", async () => {
    const id = await released(tenant, unique(), []);
    const body = { source: PART, release: "3.0.0" };
    const answers = await Promise.all(
      [1, 2, 3].map(() => tenant.post(`/templates/${id}/versions`, body)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const { results } = await env.DB.prepare(
      "SELECT number, release FROM template_versions WHERE template_id = ?",
    )
      .bind(id)
      .all();
    expect(results).toEqual([{ number: 1, release: "3.0.0" }]);
  });
});

describe("the components of a version", () => {
  it("are the highest releases in their ranges, and stay", async () => {
    const name = unique();
    const part = await released(tenant, name, ["1.0.0", "1.10.0", "1.9.0", "2.0.0", "1.11.0-rc.1"]);
    const { body: template } = await whole(tenant, using(name));
    const path = `/templates/${template.id}/versions`;
    const first = await tenant.get(`${path}/1`);
    expect(first.body.components).toEqual([
      {
        component: name,
        range: "^1.0",
        templateId: part,
        name,
        version: 2,
        release: "1.10.0",
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        newest: null,
      },
    ]);
    expect(roundTripsOf(first)).toBe(1);
    await add(tenant, part, PART, { release: "1.12.0" });
    const after = await tenant.get(`${path}/1`);
    expect(releasesOf(after)).toEqual([[name, "1.10.0", "1.12.0"]]);
    expect(after.body.components[0].newest.version).toBe(6);
    expect(after.headers.get("etag")).not.toBe(first.headers.get("etag"));
    const kept = await add(tenant, template.id, using(name));
    expect(releasesOf(kept)).toEqual([[name, "1.10.0", "1.12.0"]]);
    const upgraded = await add(tenant, template.id, using(name), { upgradeComponents: true });
    expect(releasesOf(upgraded)).toEqual([[name, "1.12.0", undefined]]);
    const other = await add(tenant, template.id, using(name, ">=1 <2"));
    expect(releasesOf(other)).toEqual([[name, "1.12.0", undefined]]);
    expect(releasesOf(await tenant.get(`${path}/1`))).toEqual([[name, "1.10.0", "1.12.0"]]);
  });

  it("are found in two round trips of a change and one of a validation", async () => {
    const name = unique();
    await released(tenant, name);
    const made = await whole(tenant, using(name));
    expect(roundTripsOf(made)).toBeLessThanOrEqual(2);
    const added = await add(tenant, made.body.id, using(name));
    expect(roundTripsOf(added)).toBeLessThanOrEqual(2);
    const { tenantId } = tenant;
    for (const checked of [
      await tenant.post("/templates/validate", { source: using(name), tenantId }),
      await tenant.post(`/templates/${made.body.id}/validate`, { source: using(name) }),
      await tenant.post(`/templates/${made.body.id}/validate`, {}),
    ]) {
      expect([checked.status, roundTripsOf(checked)]).toEqual([200, 1]);
      expect(checked.body).toMatchObject({ valid: true });
      expect(releasesOf(checked)).toEqual([[name, "1.0.0", undefined]]);
    }
  });

  it("may be named by id, and by a name that only one template has", async () => {
    const name = unique();
    const [one, two] = [await released(tenant, name), await released(tenant, name, ["1.2.0"])];
    const byId = await whole(tenant, using(two));
    expect(releasesOf(await tenant.get(`/templates/${byId.body.id}/versions/1`))).toEqual([
      [two, "1.2.0", undefined],
    ]);
    const refused = await tenant.post("/templates", { name: "whole", source: using(name) });
    expect([refused.status, refused.body.code]).toEqual([400, "template_invalid"]);
    expect(codesOf(refused.body.errors)).toEqual(["ambiguous_component"]);
    expect(refused.body.errors[0].detail).toContain(one);
    expect(refused.body.errors[0].detail).toContain(two);
  });

  it("keep their release when the component is renamed or deprecated", async () => {
    const name = unique();
    const part = await released(tenant, name);
    const { body: template } = await whole(tenant, using(name));
    expect((await tenant.patch(`/templates/${part}`, { name: unique() })).status).toBe(200);
    const deprecated = await tenant.post(`/templates/${part}/versions/1/deprecate`);
    expect(deprecated.body.usedBy).toEqual([
      { templateId: template.id, name: "whole", version: 1 },
    ]);
    const kept = await add(tenant, template.id, using(name));
    expect(releasesOf(kept)).toEqual([[name, "1.0.0", undefined]]);
    const again = await tenant.post("/templates", { name: "whole", source: using(part) });
    expect(codesOf(again.body.errors)).toEqual(["no_release"]);
  });

  it("are checked with their properties and outputs at the use", async () => {
    const name = unique();
    await released(tenant, name);
    const source = using(name).replace('{ label: "', '{ lable: "').replace("part.id", "part.idd");
    const checked = await tenant.post("/templates/validate", { source });
    expect(codesOf(checked.body.diagnostics).toSorted()).toEqual([
      "missing_property",
      "unknown_output",
      "unknown_property",
    ]);
  });

  it.for<[string, () => Promise<string>, string, RegExp]>([
    ["is not there", async () => using("nowhere-at-all"), "unknown_component", /^6:16: /],
    [
      "is misspelt",
      async () => {
        const name = unique();
        await released(tenant, name);
        return using(`${name}x`);
      },
      "unknown_component",
      /Did you mean/,
    ],
    [
      "has no release",
      async () => {
        const name = unique();
        await released(tenant, name, [null]);
        return using(name);
      },
      "no_release",
      /has no release/,
    ],
    [
      "has no release in the range",
      async () => {
        const name = unique();
        await released(tenant, name, ["1.0.0", "1.1.0"]);
        return using(name, "^2");
      },
      "no_release_in_range",
      /"\^2".*1\.1\.0, 1\.0\.0/,
    ],
    [
      "has a prerelease alone in the range",
      async () => {
        const name = unique();
        await released(tenant, name, ["1.1.0-rc.1"]);
        return using(name, "^1");
      },
      "no_release_in_range",
      /1\.1\.0-rc\.1/,
    ],
  ])("are refused at their line if one %s", async ([, source, code, text]) => {
    const refused = await tenant.post("/templates", { name: "whole", source: await source() });
    expect([refused.status, refused.body.code], refused.text).toEqual([400, "template_invalid"]);
    expect(codesOf(refused.body.errors)).toEqual([code]);
    expect(refused.body.errors[0].detail).toMatch(/^6:16: /);
    expect(refused.body.errors[0].detail).toMatch(text);
  });

  it("are refused where a template would contain itself, in any version", async () => {
    const [a, b] = [unique(), unique()];
    const [first, second] = [await released(tenant, a), await released(tenant, b)];
    const self = await tenant.post(`/templates/${first}/versions`, { source: using(a) });
    expect(codesOf(self.body.errors)).toEqual(["component_cycle"]);
    await add(tenant, second, using(a).replace("name: whole", "name: b"), { release: "2.0.0" });
    // Version 1 of the second template is plain, but another version of it uses the first.
    const through = await tenant.post(`/templates/${first}/versions`, {
      source: using(b, "1.0.0"),
    });
    expect([through.status, codesOf(through.body.errors)]).toEqual([400, ["component_cycle"]]);
    const checked = await tenant.post(`/templates/${first}/validate`, {
      source: using(b, "1.0.0"),
    });
    expect(codesOf(checked.body.diagnostics)).toEqual(["component_cycle"]);
  });

  it("are refused beyond five levels", async () => {
    const names = [unique()];
    await released(tenant, names[0] ?? "");
    for (let level = 2; level <= 5; level += 1) {
      const name = unique();
      await released(tenant, name, ["1.0.0"], using(names.at(-1) ?? ""));
      names.push(name);
    }
    const { body } = await whole(tenant, using(names.at(-1) ?? ""));
    const top = await tenant.get(`/templates/${body.id}/versions/1`);
    expect(releasesOf(top)).toEqual([[names.at(-1), "1.0.0", undefined]]);
    const row = await env.DB.prepare(
      "SELECT components FROM template_versions WHERE template_id = ?",
    )
      .bind(body.id)
      .first<{ components: string }>();
    expect(Object.keys(JSON.parse(row?.components ?? "").versions)).toHaveLength(5);
    const sixth = unique();
    await released(tenant, sixth, ["1.0.0"], using(names.at(-1) ?? "").replace("whole", "sixth"));
    const refused = await tenant.post("/templates", { name: "deep", source: using(sixth) });
    expect(codesOf(refused.body.errors)).toEqual(["components_too_deep"]);
  });

  it("are refused beyond 50 versions, and beyond 200,000 characters with the source", async () => {
    const name = unique();
    const releases = Array.from({ length: 51 }, (_, at) => `1.${at}.0`);
    await released(tenant, name, releases);
    const source = (count: number) =>
      `name: many\nruntime: yaml\nresources:\n${releases
        .slice(0, count)
        .map(
          (release, at) =>
            `  p${at}: { component: "${name}", version: "${release}", properties: { label: "l${at}" } }\n`,
        )
        .join("")}`;
    const { body } = await whole(tenant, source(50));
    expect((await tenant.get(`/templates/${body.id}/versions/1`)).body.components).toHaveLength(50);
    const refused = await tenant.post("/templates", { name: "many", source: source(51) });
    expect(codesOf(refused.body.errors)).toEqual(["too_many_components"]);
    const long = unique();
    await released(tenant, long, ["1.0.0", "2.0.0"], PART.padEnd(110_000, " \n"));
    await whole(tenant, using(long));
    const both = using(
      long,
      "^1",
      `  more: { component: "${long}", version: ^2, properties: { label: b } }\n`,
    );
    const tooLong = await tenant.post("/templates", { name: "long", source: both });
    expect(codesOf(tooLong.body.errors)).toEqual(["components_too_long"]);
    const padded = using(long).padEnd(95_000, " \n");
    const withOwn = await tenant.post("/templates", { name: "long", source: padded });
    expect(codesOf(withOwn.body.errors)).toEqual(["components_too_long"]);
  });

  it("are not deployed under approval by the persons who wrote them", async () => {
    const name = unique();
    const part = await released(tenant, name);
    await env.DB.prepare("UPDATE template_versions SET authors = ? WHERE template_id = ?")
      .bind(JSON.stringify({ "user:someone": 1 }), part)
      .run();
    const { body } = await whole(tenant, using(name));
    const row = await env.DB.prepare("SELECT authors FROM template_versions WHERE template_id = ?")
      .bind(body.id)
      .first<{ authors: string }>();
    expect(JSON.parse(row?.authors ?? "{}")).toHaveProperty("user:someone");
  });

  it("are resolved once for a repeated request", async () => {
    const name = unique();
    const part = await released(tenant, name);
    const key = { "idempotency-key": crypto.randomUUID() };
    const body = { name: "whole", source: using(name) };
    const first = await tenant.post("/templates", body, key);
    await add(tenant, part, PART, { release: "1.1.0" });
    const second = await tenant.post("/templates", body, key);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    const uses = await tenant.get(`/templates/${part}/uses`);
    expect(uses.body.data).toHaveLength(1);
  });
});

describe("the uses of a template", () => {
  it("are listed newest first, in pages, and shown at the version", async () => {
    const name = unique();
    const part = await released(tenant, name, ["1.0.0", "2.0.0"]);
    const users: string[] = [];
    for (let at = 0; at < 3; at += 1) users.push((await whole(tenant, using(name))).body.id);
    const first = await tenant.get(`/templates/${part}/uses?limit=2`);
    expect(first.status, first.text).toBe(200);
    expect(first.body.data).toEqual(
      users
        .toReversed()
        .slice(0, 2)
        .map((templateId) => ({
          templateId,
          name: "whole",
          version: 1,
          usedVersion: 1,
          createdAt: expect.any(String),
        })),
    );
    const second = await tenant.get(
      `/templates/${part}/uses?limit=2&cursor=${first.body.nextCursor}`,
    );
    expect(second.body.data.map(({ templateId }: { templateId: string }) => templateId)).toEqual([
      users[0],
    ]);
    const one = await tenant.get(`/templates/${part}/versions/1`);
    expect(
      one.body.usedBy.map(({ templateId }: { templateId: string }) => templateId).toSorted(),
    ).toEqual(users.toSorted());
    expect((await tenant.get(`/templates/${part}/versions/2`)).body.usedBy).toEqual([]);
  });

  it("keep it from being deleted, until the last user is", async () => {
    const name = unique();
    const part = await released(tenant, name);
    const { body: user } = await whole(tenant, using(name));
    const refused = await tenant.delete(`/templates/${part}`);
    expect([refused.status, refused.body.code]).toEqual([409, "in_use"]);
    expect(refused.body.detail).toContain('template "whole v1"');
    expect((await tenant.delete(`/templates/${user.id}`)).status).toBe(204);
    expect((await tenant.get(`/templates/${part}/uses`)).body.data).toEqual([]);
    expect((await tenant.delete(`/templates/${part}`)).status).toBe(204);
  });

  it("begin or end before a delete at the same time, never in between", async () => {
    const name = unique();
    const part = await released(tenant, name);
    const { body: user } = await tenant.post("/templates", { name: unique() });
    const [lost] = await overtaken<Answer>(
      user.id,
      () => tenant.post(`/templates/${user.id}/versions`, { source: using(name) }),
      () => tenant.delete(`/templates/${part}`),
    );
    expect([lost?.status, codesOf(lost?.body.errors ?? [])]).toEqual([400, ["unknown_component"]]);
    const other = unique();
    const used = await released(tenant, other);
    const [kept] = await overtaken<Answer>(
      used,
      () => tenant.delete(`/templates/${used}`),
      () => whole(tenant, using(other)),
    );
    expect([kept?.status, kept?.body.code]).toEqual([409, "in_use"]);
  });

  it("cannot begin in both directions at the same time", async () => {
    const [a, b] = [unique(), unique()];
    const [first, second] = [await released(tenant, a), await released(tenant, b)];
    const [lost] = await overtaken<Answer>(
      first,
      () => tenant.post(`/templates/${first}/versions`, { source: using(b) }),
      () => add(tenant, second, using(a)),
    );
    expect([lost?.status, codesOf(lost?.body.errors ?? [])]).toEqual([400, ["component_cycle"]]);
  });
});

describe("other tenants", () => {
  it("find nothing of a component, by name or by id, as if it did not exist", async () => {
    const stranger = await makeTenant();
    const name = unique();
    const part = await released(tenant, name);
    await whole(tenant, using(name));
    const none = crypto.randomUUID();
    for (const [theirs, nobodys] of [
      [part, none],
      [name, unique()],
    ] as const) {
      const answers = [];
      for (const component of [theirs, nobodys]) {
        const made = await stranger.post("/templates", { name: "whole", source: using(component) });
        expect([made.status, codesOf(made.body.errors)]).toEqual([400, ["unknown_component"]]);
        const { tenantId } = stranger;
        const checked = await stranger.post("/templates/validate", {
          source: using(component),
          tenantId,
        });
        answers.push(
          [made.body.errors, checked.body.diagnostics].map((one) =>
            JSON.stringify(one).replaceAll(component, "X"),
          ),
        );
      }
      expect(answers[0]).toEqual(answers[1]);
    }
    for (const path of [`/templates/${part}/uses`, `/templates/${part}/versions/1`])
      expect((await stranger.get(path)).status).toBe(404);
    const named = await stranger.post("/templates/validate", {
      source: using(part),
      tenantId: tenant.tenantId,
    });
    expect(named.status).toBe(404);
  });

  it("use the platform's components, see their own uses alone, and keep them from deletion", async () => {
    const [mine, theirs] = [await makeTenant(), await makeTenant()];
    const name = unique();
    const part = await released(operator, name);
    const own = await whole(mine, using(name));
    await whole(theirs, using(part));
    const seen = await mine.get(`/templates/${part}/uses`);
    expect(seen.body.data.map(({ templateId }: { templateId: string }) => templateId)).toEqual([
      own.body.id,
    ]);
    expect((await mine.get(`/templates/${part}/versions/1`)).body.usedBy).toHaveLength(1);
    expect((await operator.get(`/templates/${part}/uses`)).body.data).toHaveLength(2);
    const refused = await operator.delete(`/templates/${part}`);
    expect([refused.status, refused.body.code]).toEqual([409, "in_use"]);
    // A platform template takes the platform's components alone.
    const tenants = unique();
    await released(mine, tenants);
    const made = await operator.post("/templates", { name: "whole", source: using(tenants) });
    expect(codesOf(made.body.errors)).toEqual(["unknown_component"]);
  });

  it("never get a published copy that needs components of the publisher", async () => {
    const [publisher, buyer] = [await makeTenant(), await makeTenant()];
    const [own, platforms] = [unique(), unique()];
    await released(publisher, own);
    await released(operator, platforms);
    const listing = async (source: string) => {
      const { body } = await whole(publisher, source);
      const made = await publisher.post("/marketplace/listings", {
        templateId: body.id,
        slug: `c-${crypto.randomUUID().slice(0, 13)}`,
        title: "Whole",
        summary: "A whole of parts.",
        description: "A whole of parts.",
        categories: ["network"],
      });
      expect(made.status, made.text).toBe(201);
      return made.body.id as string;
    };
    const refused = await publisher.post(
      `/marketplace/listings/${await listing(using(own))}/submit`,
    );
    expect([refused.status, refused.body.code]).toEqual([409, "invalid_state"]);
    expect(refused.body.detail).toContain(`"${own}" 1.0.0`);
    const id = await listing(using(platforms));
    expect((await publisher.post(`/marketplace/listings/${id}/submit`)).status).toBe(200);
    const approved = await operator.post(`/marketplace/listings/${id}/review`, {
      decision: "approve",
    });
    expect(approved.status, approved.text).toBe(200);
    const installed = await buyer.post(`/marketplace/listings/${id}/install`, {});
    expect(installed.status, installed.text).toBe(201);
    const copy = await buyer.get(`/templates/${installed.body.id}/versions/1`);
    expect(releasesOf(copy)).toEqual([[platforms, "1.0.0", undefined]]);
    const uses = await operator.get(`/templates/${copy.body.components[0].templateId}/uses`);
    expect(uses.body.data).toHaveLength(2);
  });
});
