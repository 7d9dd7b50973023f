import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { newId } from "#platform/ids.ts";
import { limitNames, planLimits } from "#schema/lists/plans.ts";
import { problemOf, roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, operator, stranger, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { SOURCE } from "#test/support/templates.ts";

vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("ok"));

const MISSING = "01890000-0000-7000-8000-000000000000";
const variables = { password: "correct horse" };
const target = {
  provider: "mock",
  name: "cloud",
  config: {},
  allowedRegions: ["local-1"],
  defaultRegion: "local-1",
};

async function limit(tenant: TestTenant, limits: object): Promise<void> {
  const set = await operator.patch(`/tenants/${tenant.tenantId}`, { limits });
  expect(set.status, set.text).toBe(200);
}

async function usageOf(tenant: TestTenant): Promise<Answer["body"]> {
  const usage = await tenant.get(`/tenants/${tenant.tenantId}/usage`);
  expect([usage.status, roundTripsOf(usage)], usage.text).toEqual([200, 1]);
  return usage.body;
}

const outcomes = (answers: readonly Answer[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status, body }) => body?.code ?? status)).map(
      ([outcome, list]) => [outcome, list?.length ?? 0],
    ),
  );

type Make = (tenant: TestTenant, at: number) => Promise<Answer>;

/** How to create one more of each, and how many exist before. */
async function makers(tenant: TestTenant): Promise<Record<string, [have: number, make: Make]>> {
  const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, SOURCE)];
  await makeInstance(tenant, templateId, targetId, { variables });
  const email = (at: number) => `${at}-${crypto.randomUUID().slice(0, 13)}@example.com`;
  const instance = { name: "another", templateId, targetId, variables };
  const template = (at: number) => ({ name: `versioned ${at}`, source: SOURCE });
  const listing = (at: number) => ({
    templateId,
    slug: `l-${crypto.randomUUID().slice(0, 8)}-${at}`,
    title: "Another",
    summary: "One more listing.",
    categories: ["network"],
  });
  const incident = { title: "Another", message: "One more.", status: "INVESTIGATING" };
  const hook = { url: "https://hooks.example.com/in", events: ["license.expired"] };
  return {
    instances: [1, ({ post }) => post("/instances", instance)],
    targets: [1, ({ post }) => post("/cloud/targets", target)],
    templates: [1, ({ post }) => post("/templates", { name: "another" })],
    templateVersions: [1, ({ post }, at) => post("/templates", template(at))],
    profiles: [0, ({ post }) => post("/profiles", { name: "another" })],
    listings: [0, ({ post }, at) => post("/marketplace/listings", listing(at))],
    incidents: [0, ({ post }) => post("/incidents", incident)],
    imports: [0, ({ post }) => post("/imports", {})],
    webhooks: [0, ({ post }) => post("/webhooks", hook)],
    apiKeys: [1, ({ post }) => post("/api-keys", { name: "another", scopes: ["*"] })],
    members: [
      0,
      ({ post, tenantId }, at) =>
        post(`/tenants/${tenantId}/${at % 2 === 0 ? "members" : "invitations"}`, {
          email: email(at),
          role: "CustomerViewer",
        }),
    ],
  };
}

async function reachedLimits({ tenantId }: TestTenant): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT payload ->> '$.data.limit' AS name FROM events
      WHERE tenant_id = ? AND type = 'license.limit_reached' ORDER BY id`,
  )
    .bind(tenantId)
    .all<{ name: string }>();
  return results.map(({ name }) => name);
}

describe("the last one that a limit has room for", () => {
  it("is answered to each equal request under its Idempotency-Key, and made once", async () => {
    const tenant = await makeTenant();
    await limit(tenant, { templates: 1 });
    const make = () =>
      tenant.post("/templates", { name: "the last" }, { "idempotency-key": crypto.randomUUID() });
    const key = { "idempotency-key": crypto.randomUUID() };
    const equal = () => tenant.post("/templates", { name: "the last" }, key);
    const answers = [...(await Promise.all([equal(), equal(), equal()])), await equal()];
    expect(outcomes(answers)).toEqual({ 201: 4 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(outcomes([await make()])).toEqual({ quota_exceeded: 1 });
    expect((await usageOf(tenant)).templates).toEqual({ used: 1, limit: 1 });
  });
});

describe("a limit", () => {
  it.each(limitNames.filter((name) => !/Per(?:Month|Day)$|Bytes$|^auditEntries$/.test(name)))(
    "of %s lets exactly so many of fifty at once hold",
    async (name) => {
      const mine = await makeTenant();
      const [have, make] = (await makers(mine))[name] ?? [0, operator.get as never];
      await limit(mine, { [name]: have + 7 });
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, at) => make(mine, at)),
      );
      expect(outcomes(answers)).toEqual({ 201: 7, quota_exceeded: 43 });
      const { detail } = answers.find(({ status }) => status === 403)?.body ?? {};
      for (const said of ["/usage", `\`${name}\` is reached (${have + 7} of ${have + 7} used)`])
        expect(detail).toContain(said);
      expect(Math.max(...answers.map(roundTripsOf))).toBeLessThanOrEqual(2);
      expect((await usageOf(mine))[name]).toEqual({ used: have + 7, limit: have + 7 });
      expect(await reachedLimits(mine)).toEqual([name]);
      await limit(mine, { [name]: have + 8 });
      expect((await make(mine, 50)).status).toBe(201);
      await limit(mine, { [name]: 0 });
      expect((await make(mine, 51)).body.code).toBe("quota_exceeded");
      await limit(mine, { [name]: null });
      expect((await make(mine, 52)).status).toBe(201);
      expect((await usageOf(mine))[name].limit).toBeNull();
    },
  );

  it("is the plan's if the tenant has none of its own", async () => {
    const mine = await makeTenant();
    await env.DB.prepare(
      `INSERT INTO templates (id, tenant_id, name, search_text, description, latest_version, version, created_at_ms, updated_at_ms)
        SELECT value, ?1, 't', 'T', '', 0, 1, 0, 0 FROM json_each(?2)`,
    )
      .bind(mine.tenantId, JSON.stringify(Array.from({ length: 199 }, newId)))
      .run();
    expect(planLimits.community.templates).toBe(200);
    expect((await mine.post("/templates", { name: "last" })).status).toBe(201);
    expect((await mine.post("/templates", { name: "more" })).body.code).toBe("quota_exceeded");
    expect((await operator.post("/templates", { name: "catalogue's" })).status).toBe(201);
    const other = await makeTenant();
    expect((await other.post("/templates", { name: "theirs" })).status).toBe(201);
  });

  it("counts existing objects: deleted and revoked ones do not count", async () => {
    const mine = await makeTenant();
    await limit(mine, { apiKeys: 2, members: 1 });
    const key = await mine.post("/api-keys", { name: "second", scopes: ["*"] });
    const more = () => mine.post("/api-keys", { name: "third", scopes: ["*"] });
    expect((await more()).status).toBe(403);
    await mine.delete(`/api-keys/${key.body.id}`);
    expect((await more()).status).toBe(201);
    const path = `/tenants/${mine.tenantId}`;
    const body = { email: "a@example.com", role: "CustomerViewer" };
    expect((await mine.post(`${path}/invitations`, body)).status).toBe(201);
    expect((await mine.post(`${path}/invitations`, body)).status).toBe(201);
    expect((await mine.post(`${path}/members`, { ...body, email: "b@example.com" })).status).toBe(
      403,
    );
  });

  it("of deployments per month counts deploys, and never prevents a plan or destroy", async () => {
    const mine = await makeTenant();
    const [targetId, templateId] = [await makeTarget(mine), await makeTemplate(mine, SOURCE)];
    const ids = [];
    for (let at = 0; at < 5; at += 1)
      ids.push(await makeInstance(mine, templateId, targetId, { variables }));
    await limit(mine, { deploymentsPerMonth: 3 });
    const answers = await Promise.all(ids.map((id) => mine.post(`/instances/${id}/deploy`)));
    expect(outcomes(answers)).toEqual({ 202: 3, quota_exceeded: 2 });
    expect((await usageOf(mine)).deploymentsPerMonth).toEqual({ used: 3, limit: 3 });
    expect(await reachedLimits(mine)).toEqual(["deploymentsPerMonth"]);
    for (const operation of ["plan", "destroy"])
      expect((await mine.post(`/instances/${ids[0]}/${operation}`)).status).toBe(202);
    await env.DB.prepare("UPDATE monthly_usage SET month = '2020-01' WHERE tenant_id = ?")
      .bind(mine.tenantId)
      .run();
    expect((await mine.post(`/instances/${ids[4]}/deploy`)).status).toBe(202);
    expect((await usageOf(mine)).deploymentsPerMonth.used).toBe(1);
  });
});

describe("usage and plans", () => {
  it("shows each count beside its limit", async () => {
    const mine = await makeTenant();
    await makers(mine);
    await limit(mine, { targets: 4, floors: 9 });
    const { community } = planLimits;
    expect(await usageOf(mine)).toEqual({
      tenantId: mine.tenantId,
      plan: "community",
      month: new Date().toISOString().slice(0, 7),
      instances: { used: 1, limit: community.instances },
      targets: { used: 1, limit: 4 },
      templates: { used: 1, limit: community.templates },
      templateVersions: { used: 1, limit: community.templateVersions },
      profiles: { used: 0, limit: community.profiles },
      listings: { used: 0, limit: community.listings },
      incidents: { used: 0, limit: community.incidents },
      imports: { used: 0, limit: community.imports },
      webhooks: { used: 0, limit: community.webhooks },
      members: { used: 0, limit: community.members },
      apiKeys: { used: 1, limit: community.apiKeys },
      deploymentsPerMonth: { used: 0, limit: community.deploymentsPerMonth },
      webhookAnswerBytesPerMonth: { used: 0, limit: community.webhookAnswerBytesPerMonth },
      // How bytes are counted: byte-budgets.test.ts.
      definitionBytes: { used: expect.any(Number), limit: community.definitionBytes },
      deploymentBytes: { used: 0, limit: community.deploymentBytes },
      importBytes: { used: 0, limit: community.importBytes },
      // How changes are counted: change-limits.test.ts.
      changesPerDay: { used: expect.any(Number), limit: community.changesPerDay },
      auditEntries: { used: expect.any(Number), limit: community.auditEntries },
    });
  });

  it("can be read only in the tenant: others get 404", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const path = `/tenants/${mine.tenantId}/usage`;
    expect((await stranger.get(path)).status).toBe(401);
    const viewer = await makeMember(mine.tenantId, "CustomerViewer");
    expect((await viewer.get(path)).status).toBe(200);
    const scoped = await makeMember(mine.tenantId, "CustomerOwner", ["status:read"]);
    expect((await scoped.get(path)).body.detail).toContain("tenants:read");
    const [foreign, missing] = [
      await other.get(path),
      await other.get(`/tenants/${MISSING}/usage`),
    ];
    expect(foreign.status).toBe(404);
    expect(problemOf(foreign)).toEqual(problemOf(missing));
    expect((await operator.get(path)).status).toBe(200);
  });

  it("lists the plans, and marks the installation's own", async () => {
    const mine = await makeTenant();
    const listed = await mine.get("/plans");
    expect(listed.status, listed.text).toBe(200);
    expect(
      listed.body.data.map(({ name, current }: { name: string; current: boolean }) => [
        name,
        current,
      ]),
    ).toEqual([
      ["community", true],
      ["team", false],
      ["enterprise", false],
    ]);
    expect(listed.body.data[2].limits.instances).toBeNull();
    expect((await stranger.get("/plans")).status).toBe(401);
  });
});
