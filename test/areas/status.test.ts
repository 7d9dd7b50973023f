import { env, exports } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { findStatusEvidence } from "#areas/status/store.ts";
import { announceStatusChanges } from "#areas/status/sweep-status-changes.ts";
import { sweepStatus } from "#areas/status/sweep-status.ts";
import { Call } from "#kernel/call/call.ts";
import { openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { tenants } from "#schema/tenants.ts";
import { problemOf } from "#test/support/answers.ts";
import { makeTenant, operator, stranger, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { SOURCE } from "#test/support/templates.ts";

await emptyDatabase();

const DAY = 24 * 60 * 60 * 1000;
const HOUR = DAY / 24;

/** The untyped interface of every Drizzle statement. */
interface Preparable {
  _prepare: () => { getQuery: () => { sql: string; params: unknown[] } };
}

async function statusOf(tenant: TestTenant) {
  const answer = await tenant.get(`/status/${tenant.tenantId}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** A deployment that ended in this state, created at this time; its id sorts by the time. */
async function deployment(
  tenant: TestTenant,
  state: string,
  atMs = Date.now(),
  targetId = "t1",
  error: object | null = null,
): Promise<void> {
  const hex = atMs.toString(16).padStart(12, "0");
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`;
  await env.DB.prepare(
    `INSERT INTO deployments (id, tenant_id, instance_id, target_id, operation, state, "trigger", requested_by, inputs, error,
      timestamps, projected, version, created_at_ms, updated_at_ms)
     VALUES (?, ?, 'i', ?, 'deploy', ?, 'manual', 'x', '{}', ?, '{}', 0, 1, ?, ?)`,
  )
    .bind(id, tenant.tenantId, targetId, state, error && JSON.stringify(error), atMs, atMs)
    .run();
}

// No instance has them and the API could not show them: other suites list all deployments.
afterAll(async () => {
  await env.DB.prepare("DELETE FROM deployments WHERE instance_id = 'i'").run();
});

describe("a tenant's status", () => {
  it("is UNKNOWN without data, and costs one round trip", async () => {
    const tenant = await makeTenant();
    const answer = await tenant.get(`/status/${tenant.tenantId}`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("server-timing")).toMatch(/d1;desc="\d+\/1"/);
    const ownIncidents = answer.body.incidents.filter(
      ({ tenantId }: { tenantId: string | null }) => tenantId !== null,
    );
    expect(ownIncidents).toEqual([]);
    expect(answer.body).toMatchObject({
      tenantId: tenant.tenantId,
      status: "UNKNOWN",
      measuredAt: expect.any(String),
    });
    expect(answer.body.days).toHaveLength(90);
    expect(answer.body.days.at(-1).date).toBe(answer.body.measuredAt.slice(0, 10));
    const again = await tenant.get(`/status/${tenant.tenantId}`);
    expect(again.headers.get("server-timing")).toMatch(/d1;desc="6\/1"/);
  });

  it("is OPERATIONAL after a deployment", async () => {
    const tenant = await makeTenant();
    const target = await makeTarget(tenant);
    const template = await makeTemplate(tenant, SOURCE);
    const instance = await makeInstance(tenant, template, target, {
      variables: { password: "twelve characters" },
    });
    expect((await run(tenant, instance, "deploy")).body.state).toBe("SUCCEEDED");
    const status = await statusOf(tenant);
    expect(status.status).toBe("OPERATIONAL");
    expect(status.components).toEqual([
      { name: "api", status: "OPERATIONAL", measured: 1, failing: 0 },
      { name: "deployments", status: "OPERATIONAL", measured: 1, failing: 0 },
      { name: "targets", status: "OPERATIONAL", measured: 1, failing: 0 },
      { name: "webhooks", status: "UNKNOWN", measured: 0, failing: 0 },
    ]);
    expect(status.days.at(-1).status).toBe("OPERATIONAL");
  });

  it("counts failed deployments among those of the last seven days that ended by themselves", async () => {
    const tenant = await makeTenant();
    for (const state of ["FAILED", "FAILED", "FAILED", "SUCCEEDED"])
      await deployment(tenant, state);
    for (const state of ["CANCELED", "APPLYING", "SUPERSEDED", "QUEUED"])
      await deployment(tenant, state);
    await deployment(tenant, "SUCCEEDED", Date.now() - 8 * DAY);
    const status = await statusOf(tenant);
    expect(status.components[1]).toEqual({
      name: "deployments",
      status: "PARTIAL_OUTAGE",
      measured: 4,
      failing: 3,
    });
    expect(status.status).toBe("PARTIAL_OUTAGE");
    expect((await statusOf(await makeTenant())).components[1].measured).toBe(0);
  });

  it("is not affected by the user's own mistakes, only by faults of the cloud", async () => {
    const tenant = await makeTenant();
    const target = await makeTarget(tenant, {
      faults: [{ kind: "servers", on: "create", status: 501, times: 9 }],
    });
    const deploy = async (source: string) => {
      const instance = await makeInstance(tenant, await makeTemplate(tenant, source), target);
      return (await run(tenant, instance, "deploy")).body;
    };
    const mistakes = [
      "config: { size: { type: string } }\nresources: { a: { type: mock:Bucket, properties: { name: a } } }\n",
      "resources: { a: { type: mock:Bucket, properties: { name: a }, options: { import: nothing } } }\n",
      // The cloud refuses the name.
      `resources: { a: { type: mock:Bucket, properties: { name: ${"x".repeat(500)} } } }\n`,
    ];
    const codes = [];
    for (const source of mistakes) {
      const { state, error } = await deploy(source);
      expect([state, error.fault]).toEqual(["FAILED", "user"]);
      codes.push(error.code);
    }
    expect(codes).toEqual(["invalid_variables", "import_not_found", "invalid_name"]);
    const unknown = await statusOf(tenant);
    expect([unknown.status, unknown.components[1].measured]).toEqual(["UNKNOWN", 0]);
    const { error } = await deploy(
      "resources: { a: { type: mock:Server, properties: { name: a } } }\n",
    );
    expect(error).toMatchObject({ fault: "provider", resource: "a" });
    const degraded = await statusOf(tenant);
    expect(degraded.status).toBe("DEGRADED");
    expect(degraded.components[1]).toMatchObject({ measured: 1, failing: 1 });
    expect(degraded.days.at(-1).status).toBe("DEGRADED");
  });

  it("follows the tenant's open incidents", async () => {
    const tenant = await makeTenant();
    const opened = await tenant.post("/incidents", {
      title: "Down",
      message: "m",
      impact: "MAJOR_OUTAGE",
      components: ["Webhooks"],
    });
    const during = await statusOf(tenant);
    expect(during.status).toBe("MAJOR_OUTAGE");
    expect(during.components[3].status).toBe("MAJOR_OUTAGE");
    expect(during.incidents.map(({ id }: { id: string }) => id)).toContain(opened.body.id);
    expect(during.days.at(-1).status).toBe("MAJOR_OUTAGE");
    await tenant.post(`/incidents/${opened.body.id}/updates`, {
      status: "RESOLVED",
      message: "Over.",
    });
    const after = await statusOf(tenant);
    expect(after.status).toBe("UNKNOWN");
    expect(after.incidents).toEqual([]);
    expect(after.days.at(-1).status).toBe("MAJOR_OUTAGE");
    expect((await statusOf(await makeTenant())).days.at(-1).status).toBe("UNKNOWN");
  });

  it("follows the platform's open incidents, for every tenant", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const opened = await operator.post("/incidents", {
      title: "Everywhere",
      message: "m",
      impact: "PARTIAL_OUTAGE",
    });
    for (const tenant of [one, two]) {
      const status = await statusOf(tenant);
      expect(status.status).toBe("PARTIAL_OUTAGE");
      expect(status.incidents[0]).toMatchObject({ id: opened.body.id, tenantId: null });
    }
    // Other suites have their own database; the rest of this one must not see it.
    await env.DB.batch([
      env.DB.prepare("DELETE FROM incidents WHERE id = ?").bind(opened.body.id),
      env.DB.prepare("DELETE FROM incident_updates WHERE incident_id = ?").bind(opened.body.id),
    ]);
    expect((await statusOf(one)).status).toBe("UNKNOWN");
  });

  it("can be read by the tenant and operators", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    expect((await operator.get(`/status/${mine.tenantId}`)).body.tenantId).toBe(mine.tenantId);
    const foreign = await other.get(`/status/${mine.tenantId}`);
    expect(foreign.status).toBe(404);
    expect(problemOf(foreign)).toEqual(problemOf(await other.get(`/status/${newId()}`)));
    for (const none of ["__proto__", "platform", "00000000-0000-0000-0000-000000000000"])
      expect((await operator.get(`/status/${none}`)).status, none).toBe(404);
    expect((await stranger.get(`/status/${mine.tenantId}`)).status).toBe(401);
    const blind = await makeTenant(["webhooks:read"]);
    const refused = await blind.get(`/status/${blind.tenantId}`);
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain("status:read");
  });

  it("reads a bounded number of rows, however much the tenant has done", async () => {
    const tenant = await makeTenant();
    const atMs = Date.now() - HOUR;
    // Those older than the newest hundred have failed.
    const rows = Array.from({ length: 400 }, (_, at) => ({ id: newId(), failed: at < 300 }));
    await env.DB.batch(
      rows.flatMap(({ id, failed }) => [
        env.DB.prepare(
          `INSERT INTO deployments (id, tenant_id, instance_id, target_id, operation, state, "trigger", requested_by, inputs,
            timestamps, projected, version, created_at_ms, updated_at_ms)
           VALUES (?, ?, 'i', 't', 'deploy', ?, 'manual', 'x', '{}', '{}', 0, 1, ?, ?)`,
        ).bind(id, tenant.tenantId, failed ? "FAILED" : "SUCCEEDED", atMs, atMs),
        env.DB.prepare(
          `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state,
            attempts, manual, lease_until_ms, created_at_ms, updated_at_ms)
           VALUES (?1, ?2, 'w', ?1, ?2, 'instance.updated', ?3, 1, 0, 0, ?4, ?4)`,
        ).bind(tenant.tenantId, id, failed ? "EXHAUSTED" : "SUCCEEDED", atMs),
      ]),
    );
    const status = await statusOf(tenant);
    const of = (name: string) =>
      status.components.find((one: { name: string }) => one.name === name);
    expect(of("deployments")).toMatchObject({ measured: 100, failing: 0 });
    expect(of("webhooks")).toMatchObject({ measured: 100, failing: 0 });
    const call = new Call({
      env,
      db: openDb(env.DB),
      now: Date.now(),
      newId,
      requestId: "",
      caller: { kind: "system", name: "test" },
      access: "public",
      after: () => undefined,
    });
    for (const statement of findStatusEvidence(call, sql`${tenants.id} = ${tenant.tenantId}`)) {
      const { sql: text, params } = (statement as unknown as Preparable)._prepare().getQuery();
      const bound = env.DB.prepare(text).bind(...params);
      const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${text}`)
        .bind(...params)
        .all<{ detail: string }>();
      // `SCAN i`: the incidents that another statement of the same query has limited.
      const scans = plan.results.filter(({ detail }) =>
        /^SCAN (?!i$|CONSTANT|\(subquery-)/.test(detail),
      );
      expect(scans, text).toEqual([]);
      expect((await bound.all()).meta.rows_read, text).toBeLessThanOrEqual(205);
    }
  });
});

describe("the count of a day", () => {
  const midnight = Math.floor(Date.now() / DAY) * DAY;

  it("is made once, an hour after the day's end", async () => {
    const tenant = await makeTenant();
    const yesterday = midnight - DAY;
    const longAgo = midnight - 30 * DAY;
    for (const state of ["FAILED", "FAILED", "FAILED", "FAILED", "CANCELED"])
      await deployment(tenant, state, longAgo + HOUR);
    const mistake = { code: "template_invalid", message: "m", fault: "user" };
    await deployment(tenant, "FAILED", longAgo + HOUR, "t1", mistake);
    await deployment(tenant, "SUCCEEDED", yesterday + HOUR);
    const counted = async () =>
      (
        await env.DB.prepare(
          "SELECT day, finished, failed FROM status_days WHERE tenant_id = ? ORDER BY day",
        )
          .bind(tenant.tenantId)
          .all()
      ).results;
    const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    await sweepStatus(env, midnight + HOUR - 1);
    expect(await counted()).toEqual([{ day: dayOf(longAgo), finished: 4, failed: 4 }]);
    await sweepStatus(env, midnight + HOUR);
    const both = [
      { day: dayOf(longAgo), finished: 4, failed: 4 },
      { day: dayOf(yesterday), finished: 1, failed: 0 },
    ];
    expect(await counted()).toEqual(both);
    await deployment(tenant, "FAILED", yesterday + 2 * HOUR);
    await sweepStatus(env, midnight + 2 * HOUR);
    expect(await counted()).toEqual(both);
    const { days } = await statusOf(tenant);
    const shown = (ms: number) =>
      days.find(({ date }: { date: string }) => date === dayOf(ms))?.status;
    expect(shown(longAgo)).toBe("MAJOR_OUTAGE");
    expect(shown(yesterday)).toBe("OPERATIONAL");
    expect(shown(midnight - 2 * DAY)).toBe("UNKNOWN");
  });

  it("is made later for days without a sweep", async () => {
    const tenant = await makeTenant();
    await deployment(tenant, "SUCCEEDED", midnight + HOUR);
    await deployment(tenant, "FAILED", midnight + 2 * DAY + HOUR);
    await sweepStatus(env, midnight + 5 * DAY);
    const { results } = await env.DB.prepare(
      "SELECT finished, failed FROM status_days WHERE tenant_id = ? ORDER BY day",
    )
      .bind(tenant.tenantId)
      .all();
    expect(results).toEqual([
      { finished: 1, failed: 0 },
      { finished: 1, failed: 1 },
    ]);
  });
});

describe("a change of status", () => {
  async function announced(tenant: TestTenant): Promise<object[]> {
    const { results } = await env.DB.prepare(
      "SELECT payload FROM events WHERE tenant_id = ? AND type = 'status.changed' ORDER BY id",
    )
      .bind(tenant.tenantId)
      .all<{ payload: string }>();
    return results.map(({ payload }) => {
      const { sequence, data } = JSON.parse(payload);
      return { sequence, status: data.status, previous: data.previous };
    });
  }

  it("is announced once, with the previous status", async () => {
    const tenant = await makeTenant();
    const opened = await tenant.post("/incidents", {
      title: "t",
      message: "m",
      impact: "DEGRADED",
    });
    const sweep = () => announceStatusChanges(env, Date.now(), 1000);
    await sweep();
    await Promise.all([sweep(), sweep()]);
    const first = { sequence: 1, status: "DEGRADED", previous: "UNKNOWN" };
    expect(await announced(tenant)).toEqual([first]);
    await deployment(tenant, "SUCCEEDED");
    await sweep();
    expect(await announced(tenant)).toEqual([first]);
    const path = `/incidents/${opened.body.id}/updates`;
    await tenant.post(path, { status: "RESOLVED", message: "m" });
    await Promise.all([sweep(), sweep(), sweep()]);
    const second = { sequence: 2, status: "OPERATIONAL", previous: "DEGRADED" };
    expect(await announced(tenant)).toEqual([first, second]);
    await announceStatusChanges(env, Date.now() + 9 * DAY, 1000);
    const third = { sequence: 3, status: "UNKNOWN", previous: "OPERATIONAL" };
    expect(await announced(tenant)).toEqual([first, second, third]);
  });

  it("is found for every tenant, although a sweep checks few", async () => {
    const some: TestTenant[] = [];
    for (let made = 0; made < 5; made += 1) some.push(await makeTenant());
    for (const tenant of some) await deployment(tenant, "SUCCEEDED");
    const { count } = (await env.DB.prepare("SELECT count(*) AS count FROM tenants").first<{
      count: number;
    }>()) ?? { count: 0 };
    for (let sweeps = 0; sweeps <= Math.ceil(count / 2) * 2; sweeps += 1)
      await announceStatusChanges(env, Date.now(), 2);
    for (const tenant of some)
      expect(await announced(tenant)).toEqual([
        { sequence: 1, status: "OPERATIONAL", previous: "UNKNOWN" },
      ]);
  });
});

describe("the public status page", () => {
  const page = (slug: string, init: RequestInit = {}) =>
    exports.default.fetch(new Request(`https://control.test/status/${slug}`, init));

  async function open(tenant: TestTenant): Promise<void> {
    await env.DB.prepare("UPDATE tenants SET public_status = 1 WHERE id = ?")
      .bind(tenant.tenantId)
      .run();
  }

  it("exists only for tenants with a public status", async () => {
    const tenant = await makeTenant();
    const shut = await page(tenant.slug);
    expect(shut.status).toBe(404);
    const missing = await page("nosuch");
    expect(await shut.text()).toBe(await missing.text());
    expect(missing.status).toBe(404);
    await open(tenant);
    const shown = await page(tenant.slug);
    expect(shown.status).toBe(200);
    expect(shown.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    expect(shown.headers.get("server-timing")).toMatch(/d1;desc="6\/1"/);
    expect(await shown.text()).toContain(`Tenant ${tenant.slug}`);
    expect((await page(tenant.tenantId)).status).toBe(404);
    expect((await page("__proto__")).status).toBe(404);
    expect((await page(tenant.slug, { method: "POST" })).status).toBe(404);
  });

  it("allows its one style sheet, and nothing else", async () => {
    const tenant = await makeTenant();
    await open(tenant);
    const shown = await page(tenant.slug);
    const style = /<style>([^]*?)<\/style>/.exec(await shown.text())?.[1] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)));
    expect(shown.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src 'self' 'sha256-${hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
    expect(shown.headers.get("cache-control")).toBe("public, max-age=30");
  });

  it("shows the open incidents of this tenant, as text", async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()];
    await open(tenant);
    await tenant.post("/incidents", {
      title: "<b>Down</b>",
      message: "<script>1</script>",
      impact: "MAINTENANCE",
    });
    await other.post("/incidents", { title: "Not yours", message: "m" });
    const html = await (await page(tenant.slug)).text();
    expect(html).toContain("&lt;b&gt;Down&lt;/b&gt;");
    expect(html).toContain("&lt;script&gt;1&lt;/script&gt;");
    expect(html).toContain("Under maintenance");
    expect(html).not.toContain("Not yours");
    expect(html).not.toContain(tenant.tenantId);
  });
});
