/** `include` on instances and deployments: what it shows, to whom, and what its ETag covers. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { roundTripsOf } from "#test/support/answers.ts";
import { type Client, makeTenant, operator, stranger, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { headersOf, signedIn } from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";
import { makeKey } from "#test/support/world.ts";

const ALL = "include=deployment,target,template";
const variables = { password: "correct horse battery" };

let tenant: TestTenant;
let instanceId: string;
let ids: { deployment: string; target: string; template: string };
beforeAll(async () => {
  tenant = await makeTenant();
  const target = await makeTarget(tenant);
  const template = await makeTemplate(tenant, SOURCE);
  instanceId = await makeInstance(tenant, template, target, { variables });
  const { body } = await run(tenant, instanceId, "deploy");
  ids = { deployment: body.id, target, template };
});
const single = {
  deployment: (id: string) => `/deployments/${id}`,
  target: (id: string) => `/cloud/targets/${id}`,
  template: (id: string) => `/templates/${id}`,
};
const kinds = ["deployment", "target", "template"] as const;

describe("an instance with include", () => {
  it("shows what the objects' own endpoints show, in one round trip", async () => {
    const alone = await tenant.get(`/instances/${instanceId}`);
    const whole = await tenant.get(`/instances/${instanceId}?${ALL}`);
    expect([whole.status, roundTripsOf(whole)]).toEqual([200, 1]);
    const { deployment, target, template, ...rest } = whole.body;
    expect(rest).toEqual(alone.body);
    const included = { deployment, target, template };
    for (const kind of kinds)
      expect(included[kind]).toEqual((await tenant.get(single[kind](ids[kind]))).body);
    const one = await tenant.get(`/instances/${instanceId}?include=target`);
    expect(one.body).toEqual({ ...alone.body, target });
  });

  it("shows them in a list too, also where several instances share them, page by page", async () => {
    const second = await makeInstance(tenant, ids.template, ids.target, { variables });
    for (const query of ["", "&sort=name", "&sort=updatedAt&limit=1", "&q=suite&limit=1"]) {
      const rows: { id: string }[] = [];
      let cursor = "";
      do {
        const page = await tenant.get(`/instances?${ALL}${query}${cursor}`);
        expect([page.status, roundTripsOf(page)], page.text).toEqual([200, 1]);
        rows.push(...page.body.data);
        cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
      } while (cursor !== "");
      expect(rows.map(({ id }) => id).toSorted()).toEqual([instanceId, second].toSorted());
      for (const row of rows) {
        const {
          variables: _,
          outputs,
          ...listed
        } = (await tenant.get(`/instances/${row.id}?${ALL}`)).body;
        expect(row).toEqual({ ...listed, outputNames: Object.keys(outputs) });
      }
    }
    const { body } = await tenant.get(`/instances/${second}?${ALL}`);
    expect([body.deployment, body.target.id]).toEqual([null, ids.target]);
    expect((await tenant.delete(`/instances/${second}`)).status).toBe(204);
  });

  it.each(["", "targets", "target,secret", "instance", "target;template", "*"])(
    "refuses include=%s",
    async (include) => {
      for (const path of [`/instances/${instanceId}`, "/instances"]) {
        const refused = await tenant.get(`${path}?include=${include}`);
        expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, "include"]);
      }
    },
  );
});

describe("a deployment with include", () => {
  it("shows its instance as the instance's own endpoint does, in one round trip", async () => {
    const alone = await tenant.get(`/deployments/${ids.deployment}`);
    const whole = await tenant.get(`/deployments/${ids.deployment}?include=instance`);
    expect([whole.status, roundTripsOf(whole)]).toEqual([200, 1]);
    const instance = await tenant.get(`/instances/${instanceId}`);
    expect(whole.body).toEqual({ ...alone.body, instance: instance.body });
  });

  it("shows null for an instance that was deleted", async () => {
    const id = await makeInstance(tenant, ids.template, ids.target, { variables });
    const planned = await tenant.post(`/instances/${id}/plan`);
    await untilOver(tenant, planned.body.id);
    expect((await tenant.delete(`/instances/${id}`)).status).toBe(204);
    const read = await tenant.get(`/deployments/${planned.body.id}?include=instance`);
    expect([read.status, read.body.instance]).toEqual([200, null]);
  });
});

describe("attack: include as a way around a scope", () => {
  const refusedFor = async (client: Client, path: string, scope: string) => {
    const refused = await client.get(path);
    expect([refused.status, refused.body.code], path).toEqual([403, "forbidden"]);
    expect(refused.body.detail).toBe(`The API key lacks the scope ${scope}.`);
  };

  it.each([
    ["deployment", "deployments:read"],
    ["target", "targets:read"],
    ["template", "templates:read"],
  ] as const)("a key without %s's scope is refused, cached or not", async (kind, scope) => {
    const scopes = ["instances:read", "deployments:read", "targets:read", "templates:read"];
    const { client } = await makeKey(tenant.tenantId, {
      scopes: scopes.filter((other) => other !== scope),
    });
    expect((await client.get(single[kind](ids[kind]))).status).toBe(403);
    for (const path of [`/instances/${instanceId}`, "/instances"]) {
      for (const include of [kind, "deployment,target,template"])
        await refusedFor(client, `${path}?include=${include}`, scope);
      const others = kinds.filter((other) => other !== kind).join();
      expect((await client.get(`${path}?include=${others}`)).status).toBe(200);
    }
  });

  it("a key without instances:read is refused the instance of a deployment", async () => {
    const { client } = await makeKey(tenant.tenantId, { scopes: ["deployments:read"] });
    const path = `/deployments/${ids.deployment}`;
    expect((await client.get(path)).status).toBe(200);
    await refusedFor(client, `${path}?include=instance`, "instances:read");
  });
});

describe("attack: include as a way into what is another's", () => {
  it("answers another tenant exactly as if there were no such instance", async () => {
    const other = await makeTenant();
    const missing = "01890000-0000-7000-8000-000000000000";
    for (const [mine, none] of [
      [`/instances/${instanceId}?${ALL}`, `/instances/${missing}?${ALL}`],
      [
        `/deployments/${ids.deployment}?include=instance`,
        `/deployments/${missing}?include=instance`,
      ],
    ] as const) {
      const [foreign, absent] = [await other.get(mine), await other.get(none)];
      expect([foreign.status, foreign.body.detail]).toEqual([404, absent.body.detail]);
    }
    expect((await other.get(`/instances?${ALL}`)).body.data).toEqual([]);
    expect((await other.get(`/instances?${ALL}&tenantId=${tenant.tenantId}`)).body.data).toEqual(
      [],
    );
  });

  it("shows nothing of another tenant that an instance's row points to", async () => {
    const other = await makeTenant();
    const [target, template] = [await makeTarget(other), await makeTemplate(other, SOURCE)];
    const id = await makeInstance(tenant, ids.template, ids.target, { variables });
    await env.DB.prepare(
      "UPDATE instances SET target_id = ?, template_id = ?, last_deployment_id = ? WHERE id = ?",
    )
      .bind(target, template, ids.deployment, id)
      .run();
    const read = await tenant.get(`/instances/${id}?${ALL}`);
    expect([read.body.target, read.body.template]).toEqual([null, null]);
    await env.DB.prepare("DELETE FROM instances WHERE id = ?").bind(id).run();
  });

  it("hides of a platform target what the target's own endpoint hides", async () => {
    const shared = await operator.post("/cloud/targets", {
      provider: "mock",
      name: "shared",
      config: { latencyMs: 1 },
      allowedRegions: ["local-1"],
      defaultRegion: "local-1",
    });
    expect(shared.status, shared.text).toBe(201);
    const id = await makeInstance(tenant, ids.template, shared.body.id, { variables });
    const read = await tenant.get(`/instances/${id}?include=target`);
    expect(read.body.target).toMatchObject({ id: shared.body.id, config: null });
    const whole = await operator.get(`/instances/${id}?include=target`);
    expect(whole.body.target.config).toEqual({ latencyMs: 1 });
    expect((await tenant.delete(`/instances/${id}`)).status).toBe(204);
    expect((await operator.delete(`/cloud/targets/${shared.body.id}`)).status).toBe(204);
  });

  it("shows a member of several tenants the objects of each", async () => {
    const other = await makeTenant();
    const session = await signedIn(
      [tenant.tenantId, "CustomerViewer"],
      [other.tenantId, "CustomerViewer"],
    );
    const read = await stranger.get(`/instances/${instanceId}?${ALL}`, headersOf(session));
    expect([read.status, roundTripsOf(read), read.body.target.id]).toEqual([200, 1, ids.target]);
  });
});

describe("the ETag of an answer with include", () => {
  it.each([
    ["target", () => tenant.patch(`/cloud/targets/${ids.target}`, { labels: { at: newValue() } })],
    ["template", () => tenant.patch(`/templates/${ids.template}`, { description: newValue() })],
    ["deployment", () => run(tenant, instanceId, "deploy")],
    ["instance", () => tenant.patch(`/instances/${instanceId}`, { labels: { at: newValue() } })],
  ])("changes with the %s", async (_, change) => {
    const path = `/instances/${instanceId}?${ALL}`;
    const before = await tenant.get(path);
    const etag = before.headers.get("etag") ?? "";
    const again = await tenant.get(path, { "if-none-match": etag });
    expect([again.status, again.text]).toEqual([304, ""]);
    await change();
    const after = await tenant.get(path, { "if-none-match": etag });
    expect([after.status, after.text === before.text]).toEqual([200, false]);
  });

  it("is of this answer alone: another include has another one", async () => {
    const tags = new Set<string | null>();
    for (const query of ["", "?include=target", "?include=template", `?${ALL}`])
      tags.add((await tenant.get(`/instances/${instanceId}${query}`)).headers.get("etag"));
    expect(tags.size).toBe(4);
  });
});

const newValue = () => crypto.randomUUID().slice(0, 8);
