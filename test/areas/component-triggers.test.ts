/** Triggers that take releases of components: the version that one adds, when it adds none, and who may set it up. */
import { env } from "cloudflare:workers";
import { expect, describe, it } from "vitest";
import { processTrigger } from "#areas/triggers/process-trigger.ts";
import type { JsonMap } from "#platform/json.ts";
import { faultsOf, roundTripsOf } from "#test/support/answers.ts";
import {
  type Answer,
  type Client,
  makeTenant,
  makeUnlimitedTenant,
  operator,
  type TestTenant,
} from "#test/support/api.ts";
import { makeInstance, makeTarget, run, untilOver } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { runnerOf } from "#test/support/runner.ts";
import { overtaken } from "#test/support/together.ts";
import { sweep } from "#test/support/triggers.ts";

const PART = `name: part
runtime: yaml
config:
  label: { type: string }
resources:
  net: { type: "mock:Network", properties: { name: "\${label}" } }
outputs:
  id: \${net.id}
`;
/** Callers of an earlier release lack a property. */
const STRICTER = PART.replace("config:\n", "config:\n  zone: { type: string }\n");
const using = (...components: string[]) => `name: whole
runtime: yaml
resources:
${components.map((name, at) => `  p${at}: { component: "${name}", version: ^1.0, properties: { label: "l${at}" } }\n`).join("")}`;
const HOUR_MS = 3_600_000;

const tenant = await makeUnlimitedTenant();
const targetId = await makeTarget(tenant);
const follows = { kind: "template_version", condition: { components: true } };
let names = 0;
const unique = () => `part-${(names += 1)}-${crypto.randomUUID().slice(0, 8)}`;

const done = (answer: Answer): Answer => {
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};

async function released(by: Client, name: string, ...releases: string[]): Promise<string> {
  const { id } = done(await by.post("/templates", { name })).body;
  for (const release of releases) await addRelease(by, id, release);
  return id;
}

const addRelease = async (by: Client, id: string, release: string, source = PART) =>
  done(await by.post(`/templates/${id}/versions`, { source, release }));

interface Place {
  templateId: string;
  instanceId: string;
  triggerId: string;
}

/** A deployed instance whose trigger takes releases of components, and has nothing to do. */
async function place(
  source: string,
  { condition = {}, by = tenant }: { condition?: JsonMap; by?: TestTenant } = {},
): Promise<Place> {
  const templateId = done(await by.post("/templates", { name: "whole", source })).body.id;
  return follower(templateId, { condition, by });
}

async function follower(
  templateId: string,
  { condition = {}, by = tenant }: { condition?: JsonMap; by?: TestTenant } = {},
): Promise<Place> {
  const at = by === tenant ? targetId : await makeTarget(by);
  const instanceId = await makeInstance(by, templateId, at);
  expect((await run(by, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
  const body = { ...follows, condition: { components: true, ...condition } };
  const made = done(await by.post(`/instances/${instanceId}/triggers`, body));
  await sweep(by, Date.now() + 1);
  return { templateId, instanceId, triggerId: made.body.id };
}

const swept = async (by = tenant, at = Date.now() + 1) => sweep(by, at);
const triggerOf = async ({ instanceId, triggerId }: Place) =>
  (await tenant.get(`/instances/${instanceId}/triggers/${triggerId}`)).body;
const deploymentsOf = async ({ instanceId }: Place, by = tenant) =>
  (await by.get(`/deployments?instanceId=${instanceId}`)).body.data;
/** The releases that each version pins, oldest first. */
async function pinsOf({ templateId }: { templateId: string }): Promise<string[][]> {
  const { results } = await env.DB.prepare(
    "SELECT components FROM template_versions WHERE template_id = ? ORDER BY number",
  )
    .bind(templateId)
    .all<{ components: string }>();
  return results.map(({ components }) => {
    const { uses, versions } = JSON.parse(components);
    return Object.values(uses as Record<string, { templateId: string; number: number }>).map(
      (use) => versions[`${use.templateId}@${use.number}`].release,
    );
  });
}

describe("a release of a component", () => {
  it("is taken by a version that the trigger adds and deploys, once", async () => {
    const name = unique();
    const part = await released(tenant, name, "1.0.0");
    const at = await place(using(name));
    const plain = await makeInstance(tenant, at.templateId, targetId);
    await run(tenant, plain, "deploy");
    done(await tenant.post(`/instances/${plain}/triggers`, { kind: "template_version" }));
    await swept();
    expect(await triggerOf(at)).toMatchObject({ nextFireAt: null, suppressedReason: null });
    expect(roundTripsOf(await addRelease(tenant, part, "1.1.0"))).toBeLessThanOrEqual(2);
    expect((await triggerOf(at)).nextFireAt).not.toBeNull();
    await Promise.all([swept(), swept(), swept()]);
    await swept();
    await swept();
    expect(await pinsOf(at)).toEqual([["1.0.0"], ["1.1.0"]]);
    const [newest, ...older] = await deploymentsOf(at);
    expect([newest.trigger, older.length]).toEqual(["template_version", 1]);
    expect((await untilOver(tenant, newest.id)).body.state).toBe("NO_CHANGES");
    expect((await tenant.get(`/instances/${at.instanceId}`)).body.templateVersion).toBe(2);
    expect(await triggerOf(at)).toMatchObject({
      nextFireAt: null,
      lastDeploymentId: newest.id,
      suppressedReason: null,
    });
    // Others that follow the template's versions see it as any other.
    expect((await tenant.get(`/instances/${plain}`)).body.templateVersion).toBe(2);
    const { body } = await tenant.get("/audit-events?action=template_version.create&limit=1");
    expect(body.data[0]).toMatchObject({
      actor: "system:triggers",
      requestId: at.triggerId,
    });
  });

  it("is taken at once by a trigger that is set up after it", async () => {
    const name = unique();
    const part = await released(tenant, name, "1.0.0");
    const templateId = done(await tenant.post("/templates", { name: "whole", source: using(name) }))
      .body.id;
    await addRelease(tenant, part, "1.2.0");
    const at = await follower(templateId);
    expect(await pinsOf(at)).toEqual([["1.0.0"], ["1.2.0"]]);
  });

  it("of the platform is taken in every tenant, and one of another tenant in none", async () => {
    const name = unique();
    const platforms = await released(operator, name, "1.0.0");
    const other = await makeUnlimitedTenant();
    const at = await place(using(platforms));
    const theirs = await place(using(platforms), { by: other });
    const namesake = await released(other, name, "1.0.0", "1.9.0");
    await swept();
    await swept(other);
    expect(await pinsOf(at)).toEqual([["1.0.0"]]);
    await addRelease(operator, platforms, "1.1.0");
    await addRelease(other, namesake, "1.9.1");
    await swept();
    await swept(other);
    for (const one of [at, theirs]) expect(await pinsOf(one)).toEqual([["1.0.0"], ["1.1.0"]]);
    expect(await deploymentsOf(theirs, other)).toHaveLength(2);
  });

  it.for<[string, (part: string) => Promise<unknown>]>([
    ["is out of range", (part) => addRelease(tenant, part, "2.0.0")],
    ["is lower", (part) => addRelease(tenant, part, "1.0.5")],
    ["is a prerelease", (part) => addRelease(tenant, part, "1.2.0-rc.1")],
    [
      "is deprecated",
      async (part) => {
        await addRelease(tenant, part, "1.2.0");
        done(await tenant.post(`/templates/${part}/versions/3/deprecate`));
      },
    ],
    [
      "is deprecated after it was pinned",
      async (part) => {
        done(await tenant.post(`/templates/${part}/versions/2/deprecate`));
        await addRelease(tenant, part, "1.0.5");
      },
    ],
    ["has no number", (part) => tenant.post(`/templates/${part}/versions`, { source: PART })],
  ])("adds no version if it %s", async ([, act]) => {
    const name = unique();
    const part = await released(tenant, name, "1.0.0", "1.1.0");
    const at = await place(using(name));
    await act(part);
    await swept();
    expect(await pinsOf(at)).toEqual([["1.1.0"]]);
    expect(await deploymentsOf(at)).toHaveLength(1);
    expect(await triggerOf(at)).toMatchObject({ nextFireAt: null, suppressedReason: null });
  });

  it("adds no version for a trigger without `components`, or beyond its `to`", async () => {
    const name = unique();
    const part = await released(tenant, name, "1.0.0");
    const at = await place(using(name), { condition: { components: false } });
    const ended = await follower(at.templateId, { condition: { to: 1 } });
    const early = await follower(at.templateId, { condition: { from: 3 } });
    await addRelease(tenant, part, "1.1.0");
    expect((await triggerOf(at)).nextFireAt).toBeNull();
    expect((await triggerOf(ended)).nextFireAt).not.toBeNull();
    await swept();
    expect(await pinsOf(at)).toEqual([["1.0.0"]]);
    for (const one of [ended, early])
      expect(await triggerOf(one)).toMatchObject({ nextFireAt: null, suppressedReason: null });
  });

  it("leaves other components as they are: renamed, deprecated, or not its own", async () => {
    const [name, other] = [unique(), unique()];
    const part = await released(tenant, name, "1.0.0");
    const kept = await released(tenant, other, "1.0.0", "1.1.0");
    const inner = unique();
    const nested = await released(tenant, inner);
    await addRelease(
      tenant,
      nested,
      "1.0.0",
      using(name).replace("\nresources", "\nconfig: { label: { type: string } }\nresources"),
    );
    const at = await place(using(name, other, inner));
    done(await tenant.post(`/templates/${kept}/versions/2/deprecate`));
    for (const id of [part, kept]) done(await tenant.patch(`/templates/${id}`, { name: unique() }));
    await released(tenant, other, "1.7.0");
    await addRelease(tenant, part, "1.1.0");
    await swept();
    expect(await pinsOf(at)).toEqual([
      ["1.0.0", "1.1.0", "1.0.0"],
      ["1.1.0", "1.1.0", "1.0.0"],
    ]);
    expect(await pinsOf({ templateId: nested })).toEqual([["1.0.0"]]);
  });

  it("is not taken again after the version that took it was deprecated", async () => {
    const [name, other] = [unique(), unique()];
    const part = await released(tenant, name, "1.0.0");
    const beside = await released(tenant, other, "1.0.0");
    const at = await place(using(name, other));
    await addRelease(tenant, part, "1.1.0");
    await swept();
    done(await tenant.post(`/templates/${at.templateId}/versions/2/deprecate`));
    const [newest] = await deploymentsOf(at);
    await untilOver(tenant, newest.id);
    const path = `/instances/${at.instanceId}/triggers/${at.triggerId}`;
    done(await tenant.patch(path, { condition: { components: true } }));
    await swept();
    expect(await pinsOf(at)).toHaveLength(2);
    // Nor with the release of another component.
    await addRelease(tenant, beside, "1.1.0");
    await swept();
    const [later] = await deploymentsOf(at);
    await untilOver(tenant, later.id);
    await addRelease(tenant, part, "1.2.0");
    await swept();
    expect(await pinsOf(at)).toEqual([
      ["1.0.0", "1.0.0"],
      ["1.1.0", "1.0.0"],
      ["1.0.0", "1.1.0"],
      ["1.2.0", "1.1.0"],
    ]);
  });
});

describe("one version is added", () => {
  it("for two triggers and doubled messages, and both instances are deployed", async () => {
    const name = unique();
    const part = await released(tenant, name, "1.0.0");
    const one = await place(using(name));
    const two = await follower(one.templateId);
    await addRelease(tenant, part, "1.1.0");
    await Promise.all([swept(), swept()]);
    await swept();
    expect(await pinsOf(one)).toEqual([["1.0.0"], ["1.1.0"]]);
    for (const at of [one, two]) expect(await deploymentsOf(at)).toHaveLength(2);
  });

  it("if another consumer, or a person, adds it in between", async () => {
    const name = unique();
    const part = await released(tenant, name, "1.0.0");
    const at = await place(using(name));
    await addRelease(tenant, part, "1.1.0");
    await overtaken(at.instanceId, swept, swept);
    expect(await pinsOf(at)).toEqual([["1.0.0"], ["1.1.0"]]);
    const [newest] = await deploymentsOf(at);
    await untilOver(tenant, newest.id);
    await addRelease(tenant, part, "1.2.0");
    const byPerson = { source: `${using(name)}# by a person\n` };
    await overtaken(
      at.instanceId,
      () => swept(),
      async () => {
        done(await tenant.post(`/templates/${at.templateId}/versions`, byPerson));
      },
    );
    await swept();
    expect(await pinsOf(at)).toEqual([["1.0.0"], ["1.1.0"], ["1.1.0"], ["1.2.0"]]);
    const latest = await tenant.get(`/templates/${at.templateId}/versions/latest`);
    expect(latest.body.source).toBe(byPerson.source);
  });

  it("wherever a consumer dies", { timeout: 60_000 }, async () => {
    const name = unique();
    const part = await released(tenant, name, "1.0.0");
    const at = await place(using(name));
    const { tenantId } = tenant;
    const { instanceId } = at;
    let died = true;
    let trip = 0;
    while (died) {
      trip += 1;
      await addRelease(tenant, part, `1.${trip}.0`);
      const { DB, hasDied } = dyingAfter(trip);
      const ref = { tenantId, instanceId, id: at.triggerId };
      await processTrigger({ ...env, DB }, ref, Date.now() + 1).catch(() => undefined);
      died = hasDied();
      await swept();
      await swept();
      expect(await pinsOf(at), `trip ${trip}`).toHaveLength(1 + trip);
      const [newest, ...older] = await deploymentsOf(at);
      expect(older, `trip ${trip}`).toHaveLength(trip);
      // The consumer may have died before it notified the runner.
      await runnerOf(instanceId).notify({ tenantId, instanceId, deploymentId: newest.id });
      await untilOver(tenant, newest.id);
    }
    expect(trip).toBeGreaterThan(8);
    expect((await pinsOf(at)).at(-1)).toEqual([`1.${trip}.0`]);
  });
});

/** The database of a consumer that dies after this round trip has taken effect. */
function dyingAfter(trip: number): { DB: D1Database; hasDied: () => boolean } {
  let trips = 0;
  const DB = {
    prepare: (query: string) => env.DB.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      trips += 1;
      if (trips > trip) throw new Error("It died");
      const results = await env.DB.batch(statements);
      if (trips === trip) throw new Error("It died");
      return results;
    },
  } as unknown as D1Database;
  return { DB, hasDied: () => trips >= trip };
}

describe("a version that is refused", () => {
  it("is not stored: the trigger shows why, follows other versions, and tries again", async () => {
    const name = unique();
    const part = await released(tenant, name, "1.0.0");
    const at = await place(using(name));
    await addRelease(tenant, part, "1.1.0", STRICTER);
    const now = Date.now() + 1;
    await swept(tenant, now);
    expect(await triggerOf(at)).toMatchObject({
      suppressedReason: "template_invalid",
      nextFireAt: new Date(now + HOUR_MS).toISOString(),
    });
    expect([await pinsOf(at), (await deploymentsOf(at)).length]).toEqual([[["1.0.0"]], 1]);
    const own = { source: `${using(name)}# by a person\n` };
    done(await tenant.post(`/templates/${at.templateId}/versions`, own));
    const later = Date.now() + 1;
    await swept(tenant, later);
    const [newest, ...older] = await deploymentsOf(at);
    expect(older).toHaveLength(1);
    await untilOver(tenant, newest.id);
    expect((await tenant.get(`/instances/${at.instanceId}`)).body.templateVersion).toBe(2);
    expect(await triggerOf(at)).toMatchObject({
      suppressedReason: null,
      nextFireAt: new Date(later + HOUR_MS).toISOString(),
    });
    await swept(tenant, later + HOUR_MS);
    expect((await triggerOf(at)).suppressedReason).toBe("template_invalid");
    // The next release is valid again.
    await addRelease(tenant, part, "1.2.0");
    await swept();
    expect(await pinsOf(at)).toEqual([["1.0.0"], ["1.0.0"], ["1.2.0"]]);
  });

  it.for<[string, JsonMap]>([
    ["the number of versions", { templateVersions: 0 }],
    ["the storage", { definitionBytes: 1 }],
  ])("by the limit of %s is not stored either", async ([, limits]) => {
    const other = await makeUnlimitedTenant();
    const platforms = await released(operator, unique(), "1.0.0");
    const at = await place(using(platforms), { by: other });
    await addRelease(operator, platforms, "1.1.0");
    done(await operator.patch(`/tenants/${other.tenantId}`, { limits }));
    await swept(other);
    const { body } = await other.get(`/instances/${at.instanceId}/triggers/${at.triggerId}`);
    expect(body.suppressedReason).toBe("quota_exceeded");
    expect(await pinsOf(at)).toHaveLength(1);
  });
});

it("adds no version for an instance that it does not deploy", async () => {
  const name = unique();
  const part = await released(tenant, name, "1.0.0");
  const busy = await place(using(name));
  const gone = await follower(busy.templateId);
  await run(tenant, gone.instanceId, "destroy");
  const fresh = await makeInstance(tenant, busy.templateId, targetId);
  const made = done(await tenant.post(`/instances/${fresh}/triggers`, follows));
  await env.DB.prepare("UPDATE deployments SET state = 'QUEUED' WHERE instance_id = ?")
    .bind(busy.instanceId)
    .run();
  await addRelease(tenant, part, "1.1.0");
  const now = Date.now() + 1;
  await swept(tenant, now);
  expect(await pinsOf(busy)).toHaveLength(1);
  expect((await triggerOf(busy)).suppressedReason).toBe("instance_busy");
  expect((await triggerOf(gone)).suppressedReason).toBe("instance_destroyed");
  const unused = { ...busy, instanceId: fresh, triggerId: made.body.id };
  expect((await triggerOf(unused)).suppressedReason).toBe("not_deployed_yet");
  await env.DB.prepare("UPDATE deployments SET state = 'SUCCEEDED' WHERE instance_id = ?")
    .bind(busy.instanceId)
    .run();
  await swept(tenant, now + 60_000);
  expect(await pinsOf(busy)).toEqual([["1.0.0"], ["1.1.0"]]);
});

describe("who takes releases of components", () => {
  it("needs the scope to add versions, to set it up and to turn it on", async () => {
    const name = unique();
    await released(tenant, name, "1.0.0");
    const at = await place(using(name));
    const weak = await makeMember(tenant.tenantId, "CustomerDeveloper", ["instances:write"]);
    const path = `/instances/${at.instanceId}/triggers`;
    const own = `${path}/${at.triggerId}`;
    const plain = done(await weak.post(path, { kind: "template_version" })).body.id;
    done(await weak.patch(own, { enabled: false }));
    for (const refused of [
      await weak.post(path, follows),
      await weak.post(path, { ...follows, enabled: false }),
      await weak.patch(`${path}/${plain}`, { condition: { components: true } }),
      await weak.patch(own, { enabled: true }),
      await weak.patch(own, { condition: { components: true, to: 9 } }),
    ]) {
      expect([refused.status, refused.body.code], refused.text).toEqual([403, "forbidden"]);
      expect(refused.body.detail).toContain("templates:write");
    }
    expect((await triggerOf(at)).enabled).toBe(false);
    done(await weak.patch(own, { enabled: true, condition: { to: 9 } }));
    expect((await triggerOf(at)).condition).toEqual({ to: 9, components: false });
  });

  it("is an author of the version, beside those of its source and of its components", async () => {
    const [ann, bob, cy] = [
      await makeMember(tenant.tenantId, "CustomerDeveloper"),
      await makeMember(tenant.tenantId, "CustomerDeveloper"),
      await makeMember(tenant.tenantId, "CustomerDeveloper"),
    ];
    const name = unique();
    const part = await released(tenant, name, "1.0.0");
    const made = { name: "whole", source: using(name), tenantId: tenant.tenantId };
    const templateId = done(await bob.post("/templates", made)).body.id;
    const instanceId = await makeInstance(tenant, templateId, targetId);
    await run(tenant, instanceId, "deploy");
    done(await ann.post(`/instances/${instanceId}/triggers`, follows));
    await addRelease(cy, part, "1.1.0");
    await swept();
    const row = await env.DB.prepare(
      "SELECT authors FROM template_versions WHERE template_id = ? AND number = 2",
    )
      .bind(templateId)
      .first<{ authors: string }>();
    const authors = Object.keys(JSON.parse(row?.authors ?? "{}")).toSorted();
    // The component's first release was written with the installation's key.
    expect(authors).toEqual([ann.userId, bob.userId, cy.userId, "bootstrap"].toSorted());
    const [newest] = (await tenant.get(`/deployments?instanceId=${instanceId}`)).body.data;
    const { requested_by_person: person } =
      (await env.DB.prepare("SELECT requested_by_person FROM deployments WHERE id = ?")
        .bind(newest.id)
        .first<{ requested_by_person: string }>()) ?? {};
    expect(person).toBe(ann.userId);
  });

  it("has a template of their own: never the platform's", async () => {
    const part = await released(operator, unique(), "1.0.0");
    const made = done(await operator.post("/templates", { name: "whole", source: using(part) }));
    const templateId = made.body.id;
    const at = await follower(templateId, { condition: { components: false } });
    const path = `/instances/${at.instanceId}/triggers`;
    for (const refused of [
      await tenant.post(path, follows),
      await operator.post(path, follows),
      await tenant.patch(`${path}/${at.triggerId}`, { condition: { components: true } }),
    ]) {
      expect([refused.status, refused.body.code], refused.text).toEqual([400, "validation_failed"]);
      expect(faultsOf(refused)).toEqual(["/condition/components"]);
    }
    await env.DB.prepare(`UPDATE triggers SET condition = '{"components":true}' WHERE id = ?`)
      .bind(at.triggerId)
      .run();
    await addRelease(operator, part, "1.1.0");
    await env.DB.prepare("UPDATE triggers SET next_fire_at_ms = 1 WHERE id = ?")
      .bind(at.triggerId)
      .run();
    await swept();
    expect(await pinsOf(at)).toEqual([["1.0.0"]]);
    expect(await triggerOf(at)).toMatchObject({ nextFireAt: null, suppressedReason: null });
    const other = await makeTenant();
    expect((await other.post(path, follows)).status).toBe(404);
  });
});
