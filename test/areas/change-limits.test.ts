/** The number of a tenant's changes is limited, and so is what is kept of their events and deliveries. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { pruneHistory } from "#areas/webhooks/prune-history.ts";
import { openDb } from "#platform/db/client.ts";
import { firstIdAt, newId } from "#platform/ids.ts";
import { planLimits } from "#schema/lists/plans.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { makeTenant, operator, stranger, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "#test/support/cloud.ts";

const HOUR_MS = 60 * 60 * 1000;
const source =
  "name: one\nruntime: yaml\nresources:\n  net: { type: mock:Network, properties: { name: net } }\n";

async function limit({ tenantId }: TestTenant, limits: object): Promise<void> {
  expect((await operator.patch(`/tenants/${tenantId}`, { limits })).status).toBe(200);
}

async function usedOf({ get, tenantId }: TestTenant, name: string): Promise<number> {
  return (await get(`/tenants/${tenantId}/usage`)).body[name].used;
}

/** So many entries of this time, in the tenant's chain. */
async function addEntries(tenantId: string, count: number, atMs: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO audit_events (tenant_id, id, at_ms, sequence, actor, action, resource_type, resource_id, request_id)
      SELECT ?1, ?3 || printf('-7%03x-8000-000000000000', i), ?4, i + (SELECT coalesce(max(sequence), 0)
        FROM audit_events WHERE tenant_id = ?1), 'key:k', 'template.update', 'template', 't', 'r' FROM n`,
  )
    .bind(tenantId, count, firstIdAt(atMs), atMs)
    .run();
}

describe.each(["changesPerDay", "auditEntries"] as const)(
  "at its limit of %s, a tenant",
  (name) => {
    it("changes nothing more, but destroys and deletes for a tenth more", async () => {
      const mine = await makeTenant();
      const [targetId, templateId] = [await makeTarget(mine), await makeTemplate(mine, source)];
      const id = await makeInstance(mine, templateId, targetId);
      const deployed = await mine.post(`/instances/${id}/deploy`);
      await untilOver(mine, deployed.body.id);
      const spare = await makeTemplate(mine, source);
      const used = await usedOf(mine, name);
      // With the operator's change itself.
      await limit(mine, { [name]: used + 1 });
      for (const answer of [
        await mine.patch(`/templates/${templateId}`, { description: "more" }),
        await mine.post(`/instances/${id}/deploy`),
        await mine.post(`/instances/${id}/plan`),
      ]) {
        expect([answer.status, answer.body.code], answer.text).toEqual([403, "quota_exceeded"]);
        expect(answer.body.detail).toContain(
          `\`${name}\` is reached (${used + 1} of ${used + 1} used)`,
        );
        expect(roundTripsOf(answer)).toBeLessThanOrEqual(2);
      }
      await limit(mine, { [name]: used + 10 });
      // Two by the operator, so that the limit is reached, and a tenth more is one.
      await addEntries(mine.tenantId, 8, Date.now() - HOUR_MS);
      const destroyed = await mine.post(`/instances/${id}/destroy`);
      expect(destroyed.status, destroyed.text).toBe(202);
      await limit(mine, { [name]: 0 });
      expect((await mine.delete(`/templates/${spare}`)).body.code).toBe("quota_exceeded");
    });

    it("is told so by its usage, and operators are not held", async () => {
      const mine = await makeTenant();
      const before = await usedOf(mine, name);
      await addEntries(mine.tenantId, 7, Date.now() - HOUR_MS);
      expect(await usedOf(mine, name)).toBe(before + 7);
      await limit(mine, { [name]: 0 });
      const path = `/tenants/${mine.tenantId}`;
      expect((await operator.patch(path, { name: "renamed" })).status).toBe(200);
      expect((await mine.patch(path, { name: "again" })).body.code).toBe("quota_exceeded");
      await limit(mine, { [name]: null });
      expect((await mine.patch(path, { name: "again" })).status).toBe(200);
    });

    it("has half of it for calls of hooks", async () => {
      const mine = await makeTenant();
      const [targetId, templateId] = [await makeTarget(mine), await makeTemplate(mine, source)];
      const id = await makeInstance(mine, templateId, targetId);
      const made = await mine.post(`/instances/${id}/triggers`, { kind: "inbound_webhook" });
      const token = String(made.body.url).replace(/.*\//, "");
      const call = () => stranger.post(`/hooks/${token}`, {});
      const used = await usedOf(mine, name);
      await limit(mine, { [name]: 2 * (used + 2) });
      expect((await call()).status).toBe(202);
      const refused = await call();
      expect([refused.status, refused.body.code], refused.text).toEqual([403, "quota_exceeded"]);
      expect((await mine.patch(`/templates/${templateId}`, { name: "two" })).status).toBe(200);
    });
  },
);

it("changes count for 24 hours, and audit entries for ever", async () => {
  const mine = await makeTenant();
  const [day, all] = [await usedOf(mine, "changesPerDay"), await usedOf(mine, "auditEntries")];
  const other = await makeTenant();
  await addEntries(other.tenantId, 20, Date.now() - 25 * HOUR_MS);
  expect(await usedOf(mine, "changesPerDay")).toBe(day);
  const [otherDay, otherAll] = [
    await usedOf(other, "changesPerDay"),
    await usedOf(other, "auditEntries"),
  ];
  expect(otherAll).toBe(all + 20);
  expect(otherDay).toBeLessThanOrEqual(all + 20);
});

it("of the answer of a request that changed nothing little is kept, for ten minutes; others for a day", async () => {
  const mine = await makeTenant();
  const id = await makeTemplate(mine, source);
  const kept = async (body: object) => {
    const key = crypto.randomUUID();
    await mine.patch(`/templates/${id}`, body, { "idempotency-key": key });
    const row = await env.DB.prepare(
      "SELECT expires_at_ms AS expiresAtMs, length(body) AS length FROM idempotency_keys WHERE key = ?",
    )
      .bind(key)
      .first<{ expiresAtMs: number; length: number }>();
    return [
      Math.round(((row?.expiresAtMs ?? 0) - Date.now()) / 60_000),
      (row?.length ?? 0) > "{}".length,
    ];
  };
  expect([await kept({}), await kept({ description: "new" })]).toEqual([
    [10, false],
    [24 * 60, true],
  ]);
});

describe("of a tenant with more deliveries than its limit", () => {
  const countOf = async (table: string, tenantId: string) =>
    env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`)
      .bind(tenantId)
      .first<number>("n");

  /** `count` of each, a second apart, the newest at this time. */
  async function addHistory(tenantId: string, count: number, newestMs: number): Promise<void> {
    const rows = Array.from({ length: count }, (_, at) => newestMs - at * 1_000);
    await env.DB.batch(
      rows.flatMap((atMs) => {
        const id = `${firstIdAt(atMs)}${newId().slice(13)}`;
        return [
          env.DB.prepare(
            "INSERT INTO events (tenant_id, id, type, resource_type, resource_id, payload, created_at_ms) VALUES (?, ?, 't', 'r', 'i', '{}', ?)",
          ).bind(tenantId, id, atMs),
          env.DB.prepare(
            `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state,
              attempts, manual, due_at_ms, lease_until_ms, created_at_ms, updated_at_ms)
              VALUES (?1, ?2, 'w', ?1, ?2, 't', 'SUCCEEDED', 1, 0, NULL, 0, ?3, ?3)`,
          ).bind(tenantId, id, atMs),
          env.DB.prepare(
            `INSERT INTO webhook_attempts (tenant_id, id, webhook_id, delivery_id, number, started_at_ms, duration_ms,
              request_headers, answer, answer_cut) VALUES (?1, ?2, 'w', ?2, 1, ?3, 1, '{}', '', 0)`,
          ).bind(tenantId, id, atMs),
        ];
      }),
    );
  }

  /** Each tenant has its minute of the hour. */
  async function pruneForAnHour(): Promise<void> {
    const db = openDb(env.DB);
    const nowMs = Date.now();
    for (let minute = 0; minute < 60; minute += 1)
      await pruneHistory(db, nowMs + minute * 60_000, planLimits.community);
  }

  it("the oldest are removed, but what is to be sent, its event and what others have", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const [soonMs, oldMs] = [Date.now() - HOUR_MS, Date.now() - 7 * 24 * HOUR_MS];
    await addHistory(other.tenantId, 20, oldMs);
    await addHistory(mine.tenantId, 8, soonMs);
    await addHistory(mine.tenantId, 12, oldMs);
    await env.DB.prepare(
      "UPDATE webhook_deliveries SET due_at_ms = 1, state = 'RETRYING' WHERE tenant_id = ?1 AND id = (SELECT min(id) FROM webhook_deliveries WHERE tenant_id = ?1)",
    )
      .bind(mine.tenantId)
      .run();
    const events = [
      await countOf("events", mine.tenantId),
      await countOf("events", other.tenantId),
    ];
    await limit(mine, { keptDeliveries: 4 });
    await pruneForAnHour();
    const left = async ({ tenantId }: TestTenant) => [
      await countOf("webhook_deliveries", tenantId),
      await countOf("webhook_attempts", tenantId),
    ];
    expect(await left(mine)).toEqual([5, 4]);
    expect(await left(other)).toEqual([20, 20]);
    // Those of a week ago alone: the others may still be sent. The limit itself was an event.
    expect(await countOf("events", mine.tenantId)).toBe((events[0] ?? 0) + 1 - 12);
    expect(await countOf("events", other.tenantId)).toBe(events[1]);
  });

  it("all are kept without a limit", async () => {
    const mine = await makeTenant();
    await addHistory(mine.tenantId, 9, Date.now() - HOUR_MS);
    await limit(mine, { keptDeliveries: null });
    const db = openDb(env.DB);
    for (let minute = 0; minute < 60; minute += 1)
      await pruneHistory(db, Date.now() + minute * 60_000, {
        ...planLimits.team,
        keptDeliveries: 1,
      });
    expect(await countOf("webhook_deliveries", mine.tenantId)).toBe(9);
  });
});
