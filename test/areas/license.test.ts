import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { app } from "#app.ts";
import { sweepLicense } from "#areas/license/sweep-license.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { planLimits } from "#schema/lists/plans.ts";
import { clientOf, makeTenant, operator, stranger } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "#test/support/cloud.ts";
import { licenseClaims, makeIssuer, seconds, signedLicense } from "#test/support/licenses.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const issuer = await makeIssuer();
const tenant = await makeTenant();

async function licensed(more: object = {}): Promise<Bindings> {
  return {
    ...(env as Bindings),
    LICENSE_KEY: await signedLicense(issuer, licenseClaims(more)),
    LICENSE_PUBLIC_KEY: JSON.stringify(issuer.publicJwk),
  };
}

/** A request to a service with this license. */
async function ask(bindings: Bindings, method: string, path: string, key: string, body?: object) {
  const context = createExecutionContext();
  const request = new Request(`https://control.test/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await app.fetch(request, bindings, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  // oxlint-disable-next-line typescript/no-explicit-any -- an answer's shape is what each test asserts
  const parsed: any = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body: parsed };
}

const daysFromNow = (days: number): number => seconds(Date.now() + days * DAY_MS);

describe("reading the license", () => {
  it("answers the community plan without a license", async () => {
    const read = await tenant.get("/license");
    expect(read.status, read.text).toBe(200);
    expect(read.body).toEqual({
      plan: "community",
      status: "COMMUNITY",
      features: [],
      expiresAt: null,
      graceEndsAt: null,
    });
    const full = await operator.get("/license");
    expect(full.body).toEqual({
      ...read.body,
      limits: planLimits.community,
      licenseId: null,
      licensee: null,
      problem: null,
    });
  });

  it("shows a summary to tenants and all fields to operators", async () => {
    const bindings = await licensed();
    const read = await ask(bindings, "GET", "/license", tenant.key);
    expect(read.status, read.text).toBe(200);
    expect(read.body).toEqual({
      plan: "team",
      status: "ACTIVE",
      features: ["sso"],
      expiresAt: "2100-01-01T00:00:00.000Z",
      graceEndsAt: "2100-01-15T00:00:00.000Z",
    });
    const full = await ask(bindings, "GET", "/license", "test-operator-key");
    expect(full.body).toEqual({
      ...read.body,
      limits: { ...planLimits.team, instances: 7 },
      licenseId: "license-1",
      licensee: "Acme",
      problem: null,
    });
    expect(full.headers.get("etag")).not.toBe(read.headers.get("etag"));
  });

  it("shows only operators why a license is not valid", async () => {
    const bindings = { ...(await licensed()), LICENSE_PUBLIC_KEY: "" };
    const read = await ask(bindings, "GET", "/license", tenant.key);
    expect(read.body).toMatchObject({ plan: "community", status: "INVALID" });
    expect(read.text).not.toContain("LICENSE_");
    const full = await ask(bindings, "GET", "/license", "test-operator-key");
    expect(full.body.problem).toContain("LICENSE_PUBLIC_KEY");
  });

  it("answers 304 for an unchanged license, and costs one round trip", async () => {
    const reader = await makeTenant(["license:read"]);
    const read = await reader.get("/license");
    expect(read.headers.get("server-timing")).toMatch(/d1;desc="\d+\/1"/);
    const again = await reader.get("/license", {
      "if-none-match": read.headers.get("etag") ?? "",
    });
    expect(again.status).toBe(304);
  });

  it("requires a key with the scope, and rejects unknown parameters", async () => {
    expect((await stranger.get("/license")).status).toBe(401);
    expect((await clientOf("cpk_wrong").get("/license")).status).toBe(401);
    const unscoped = await makeTenant(["templates:read"]);
    const refused = await unscoped.get("/license");
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain("license:read");
    expect((await tenant.post("/license", {})).status).toBe(405);
  });
});

describe("what the license allows", () => {
  it("is new deployments until the grace period ends, and then only existing ones", async () => {
    const mine = await makeTenant();
    const source = `resources:\n  net: { type: "mock:Network", properties: { name: net } }\n`;
    const instanceId = await makeInstance(
      mine,
      await makeTemplate(mine, source),
      await makeTarget(mine),
    );
    const start = (bindings: Bindings, operation: string, id = instanceId) =>
      ask(bindings, "POST", `/instances/${id}/${operation}`, mine.key);

    const grace = await licensed({ exp: daysFromNow(-13.9) });
    const allowed = await start(grace, "deploy");
    expect(allowed.status, allowed.text).toBe(202);
    expect(allowed.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    expect((await untilOver(mine, allowed.body.id)).body.state).toBe("SUCCEEDED");

    const expired = await licensed({ exp: daysFromNow(-14.1) });
    for (const operation of ["deploy", "plan"]) {
      const refused = await start(expired, operation);
      expect([refused.status, refused.body.code], refused.text).toEqual([403, "license_limit"]);
    }
    expect((await start(expired, "deploy", crypto.randomUUID())).status).toBe(404);
    const read = await ask(expired, "GET", `/instances/${instanceId}`, mine.key);
    expect([read.status, read.body.state]).toEqual([200, "ACTIVE"]);
    const summary = await ask(expired, "GET", "/license", mine.key);
    expect(summary.body).toMatchObject({ plan: "team", status: "EXPIRED" });

    const destroyed = await start(expired, "destroy");
    expect(destroyed.status, destroyed.text).toBe(202);
    expect((await untilOver(mine, destroyed.body.id)).body.state).toBe("SUCCEEDED");
  });

  it("is its own limit of instances instead of the plan's", async () => {
    const mine = await makeTenant();
    const templateId = await makeTemplate(mine, "resources: {}");
    const targetId = await makeTarget(mine);
    const bindings = await licensed({ limits: { instances: 1 } });
    const create = () =>
      ask(bindings, "POST", "/instances", mine.key, { name: "web", templateId, targetId });
    expect((await create()).status).toBe(201);
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([403, "quota_exceeded"]);
    expect((await makeInstance(mine, templateId, targetId)).length).toBe(36);
    const usage = await ask(bindings, "GET", `/tenants/${mine.tenantId}/usage`, mine.key);
    expect(usage.body).toMatchObject({ plan: "team", instances: { used: 2, limit: 1 } });
    const plans = await ask(bindings, "GET", "/plans", mine.key);
    expect(plans.body.data.filter(({ current }: { current: boolean }) => current)).toMatchObject([
      { name: "team", limits: { instances: 1 } },
    ]);
  });
});

describe("the sweep", () => {
  async function told(licenseId: string): Promise<{ type: string; payload: string }[]> {
    const { results } = await env.DB.prepare(
      "SELECT type, payload FROM events WHERE resource_id = ? AND tenant_id = 'platform' ORDER BY id",
    )
      .bind(licenseId)
      .all<{ type: string; payload: string }>();
    return results;
  }

  it("sends one event before the license expires, and one after", async () => {
    const hook = await operator.post("/webhooks", {
      url: "https://receiver.example.com/",
      events: ["license.*"],
    });
    expect(hook.status, hook.text).toBe(201);
    const endMs = Date.UTC(2100, 0, 1);
    const jti = crypto.randomUUID();
    const bindings = await licensed({ jti, exp: seconds(endMs) });
    for (const [days, types] of [
      [-15, []],
      [-14, ["license.expiring"]],
      [-13, ["license.expiring"]],
      [0, ["license.expiring", "license.expired"]],
      [13, ["license.expiring", "license.expired"]],
      [14, ["license.expiring", "license.expired"]],
    ] as const) {
      await sweepLicense(bindings, endMs + days * DAY_MS);
      expect((await told(jti)).map(({ type }) => type)).toEqual(types);
    }
    const [expiring] = (await told(jti)).map(({ payload }) => JSON.parse(payload));
    expect(expiring).toMatchObject({
      tenantId: null,
      data: { plan: "team", status: "EXPIRING", expiresAt: "2100-01-01T00:00:00.000Z" },
    });
    const deliveries = await operator.get(`/webhooks/${hook.body.id}/deliveries`);
    const kinds = deliveries.body.data.map(({ eventType }: { eventType: string }) => eventType);
    // Both may be of one millisecond: their order in the log says nothing.
    expect(kinds.toSorted()).toEqual(["license.expired", "license.expiring"]);
  });

  it("sends one event, even from an isolate that does not know it was sent", async () => {
    const endMs = Date.UTC(2100, 0, 1);
    const jti = crypto.randomUUID();
    const bindings = await licensed({ jti, exp: seconds(endMs) });
    await sweepLicense(bindings, endMs - DAY_MS);
    vi.resetModules();
    const fresh = await import("#areas/license/sweep-license.ts");
    expect(fresh.sweepLicense).not.toBe(sweepLicense);
    await fresh.sweepLicense(bindings, endMs - DAY_MS);
    expect(await told(jti)).toHaveLength(1);
  });

  it("also sends the events of another license, and none without a valid license", async () => {
    const endMs = Date.UTC(2100, 0, 1);
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const jti of [first, second])
      await sweepLicense(await licensed({ jti, exp: seconds(endMs) }), endMs);
    expect((await told(first)).length + (await told(second)).length).toBe(2);
    const before = await env.DB.prepare("SELECT count(*) AS n FROM events").first();
    await sweepLicense(env, endMs);
    await sweepLicense({ ...(await licensed()), LICENSE_PUBLIC_KEY: "x" }, endMs);
    const future = await licensed({
      jti: crypto.randomUUID(),
      nbf: seconds(endMs) + 1,
      exp: seconds(endMs) + 2,
    });
    await sweepLicense(future, endMs);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM events").first()).toEqual(before);
  });
});
