import { createMessageBatch, getQueueResult, createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { consumeTriggers, processTriggers } from "#areas/triggers/consume-triggers.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { firstIdAt, newId } from "#platform/ids.ts";
import { makeTenant, operator } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { countFor } from "#test/support/depth.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { dueMessagesOf, sweep } from "#test/support/triggers.ts";

await emptyDatabase();

const HOUR_MS = 3_600_000;
const tenant = await makeTenant();
const templateId = await makeTemplate(tenant, "resources: {}\n");
const targetId = await makeTarget(tenant);

/** Records which deployments are notified, instead of starting runners. */
function withStubRunners() {
  const notified: string[] = [];
  const send = async ({ deploymentId }: { deploymentId: string }) =>
    void notified.push(deploymentId);
  const bindings = { ...env, DEPLOYMENTS_QUEUE: { send } } as unknown as Bindings;
  return { notified, bindings };
}

const SCHEDULES = countFor({ ordinary: 250, deep: 1_000 });

describe("hundreds of schedules that are due in the same minute", () => {
  it("have all started after three sweeps, none twice, even if sweeps overlap and one crashes", async () => {
    await operator.patch(`/tenants/${tenant.tenantId}`, {
      limits: { instances: null, deploymentsPerMonth: null },
    });
    const model = await makeInstance(tenant, templateId, targetId);
    const dueMs = Date.UTC(2026, 0, 5, 2);
    await copies(model, SCHEDULES, dueMs);
    const { notified, bindings } = withStubRunners();
    const started = () =>
      env.DB.prepare(
        `SELECT count(*) AS n, count(DISTINCT instance_id) AS instances FROM deployments
          WHERE tenant_id = ? AND "trigger" = 'schedule' AND state = 'QUEUED'`,
      )
        .bind(tenant.tenantId)
        .first<{ n: number; instances: number }>();

    // The first sweep crashes: only a part of its messages is processed, and the last consumer crashes too.
    const first = await dueMessagesOf(tenant, dueMs);
    expect(first).toHaveLength(SCHEDULES);
    let left = 20;
    const dying = {
      ...bindings,
      get DB() {
        left -= 1;
        if (left < 0) throw new Error("the consumer dies");
        return env.DB;
      },
    };
    await processTriggers(first.slice(0, 50), dying, () => dueMs);
    expect((await started())?.n).toBeLessThan(50);

    // The second and third sweep overlap, and both send messages for everything that is left.
    const minutes = [dueMs + 60_000, dueMs + 60_001];
    const messages = await Promise.all(minutes.map((ms) => dueMessagesOf(tenant, ms)));
    const batches = messages.flatMap((list, at) =>
      chunks(list, 50).map(
        (batch) => async () =>
          void (await processTriggers(batch, bindings, () => minutes[at] as number)),
      ),
    );
    // One batch alone stays far below the thousand subrequests of an invocation.
    const spent = countD1();
    const before = notified.length;
    await batches.shift()?.();
    expect(notified.length - before).toBeGreaterThan(40);
    expect(spent() + notified.length - before).toBeLessThanOrEqual(200);
    await inParallel(batches, 4);
    expect(await started()).toEqual({ n: SCHEDULES, instances: SCHEDULES });
    expect(new Set(notified).size).toBe(SCHEDULES);
    expect(notified).toHaveLength(SCHEDULES);
    expect(await dueMessagesOf(tenant, dueMs + 120_000)).toEqual([]);
    const next = await env.DB.prepare(
      `SELECT count(*) AS n FROM triggers WHERE tenant_id = ? AND next_fire_at_ms = ? AND last_deployment_id IN
        (SELECT id FROM deployments WHERE instance_id = triggers.instance_id)`,
    )
      .bind(tenant.tenantId, dueMs + 24 * HOUR_MS)
      .first("n");
    expect(next).toBe(SCHEDULES);
  }, 120_000);

  /** Instances with a nightly schedule, as the API creates them, but inserted directly for speed. */
  async function copies(model: string, count: number, dueMs: number): Promise<void> {
    const ids = JSON.stringify(Array.from({ length: count }, () => [newId(), newId()]));
    const { results } = await env.DB.prepare(
      "SELECT name FROM pragma_table_info('instances')",
    ).all<{
      name: string;
    }>();
    const columns = results.map(({ name }) => name);
    const copied = columns.map((name) => (name === "id" ? "json_extract(c.value, '$[0]')" : name));
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO instances (${columns.join()}) SELECT ${copied.map((it) => (it.startsWith("json") ? it : `i.${it}`)).join()}
          FROM json_each(?1) c, instances i WHERE i.id = ?2`,
      ).bind(ids, model),
      env.DB.prepare(
        `INSERT INTO triggers (id, tenant_id, instance_id, kind, enabled, condition, next_fire_at_ms,
            version, created_at_ms, updated_at_ms)
          SELECT json_extract(value, '$[1]'), ?2, json_extract(value, '$[0]'), 'schedule', 1,
            '{"cron":"0 2 * * *","timeZone":"UTC"}', ?3, 1, 1, 1 FROM json_each(?1)`,
      ).bind(ids, tenant.tenantId, dueMs),
    ]);
  }
});

describe("the consumer of the triggers queue", () => {
  it("acknowledges malformed messages, and processes the rest", async () => {
    const id = await makeInstance(tenant, templateId, targetId);
    const made = await tenant.post(`/instances/${id}/triggers`, {
      kind: "schedule",
      condition: { cron: "0 2 * * *" },
    });
    const ref = { tenantId: tenant.tenantId, instanceId: id, id: made.body.id };
    const message = (body: unknown) => ({
      id: crypto.randomUUID(),
      timestamp: new Date(),
      attempts: 1,
      body,
    });
    const batch = createMessageBatch("control-triggers", [
      message("poison"),
      message({ ...ref, id: 7 }),
      message(ref),
      message({ ...ref, id: newId() }),
    ]);
    const context = createExecutionContext();
    await consumeTriggers(batch, env, context);
    const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
    expect([explicitAcks.length, retryMessages.length]).toEqual([4, 0]);
    const told = await env.DB.prepare(
      "SELECT count(*) AS n FROM events WHERE type = 'message.dead_lettered' AND payload ->> '$.data.queue' = 'control-triggers'",
    ).first();
    expect(told).toEqual({ n: 2 });
    // A message was sent, but the trigger is not due.
    expect((await tenant.get(`/deployments?instanceId=${id}`)).body.data).toEqual([]);
  });
});

describe("an instance that expires", async () => {
  const tenant = await makeTenant();
  const templateId = await makeTemplate(tenant, "resources: {}\n");
  const targetId = await makeTarget(tenant);
  it("is announced three days, one day and one hour before, once each, and then destroyed", async () => {
    const atMs = Date.now() + 100 * HOUR_MS;
    const at = new Date(atMs).toISOString();
    const id = await makeInstance(tenant, templateId, targetId, { expiresAt: at });
    const expiry = async () => (await tenant.get(`/instances/${id}/triggers`)).body.data[0];
    expect((await expiry()).nextFireAt).toBe(at);
    for (const hours of [101, 73, 72, 72, 71, 24, 24, 2, 1, 1, 0.5]) {
      await Promise.all([1, 2].map(() => sweep(tenant, atMs - hours * HOUR_MS)));
      expect(await expiry()).toMatchObject({ nextFireAt: at, lastFiredAt: null });
    }
    const warnings = await eventsOf(id);
    expect(warnings.map(({ timestamp }) => atMs - Date.parse(timestamp))).toEqual(
      [72, 24, 1].map((hours) => hours * HOUR_MS),
    );
    expect(warnings[0]?.data).toMatchObject({ expiresAt: at, state: "INITIALIZED" });
    expect(new Set(warnings.map(({ sequence }) => sequence)).size).toBe(3);

    // A postponed expiry is announced again.
    const later = new Date(atMs + 48 * HOUR_MS).toISOString();
    await tenant.patch(`/instances/${id}`, { expiresAt: later });
    await sweep(tenant, atMs);
    expect((await expiry()).nextFireAt).toBe(later);
    await sweep(tenant, atMs + 24 * HOUR_MS);
    await sweep(tenant, atMs + 47 * HOUR_MS + 60_000);
    expect(await eventsOf(id)).toHaveLength(6);
    const { bindings } = withStubRunners();
    await sweep(tenant, atMs + 48 * HOUR_MS, bindings);
    const [destroy] = (await tenant.get(`/deployments?instanceId=${id}`)).body.data;
    expect(destroy).toMatchObject({ operation: "destroy", trigger: "expiry" });
    expect(await eventsOf(id)).toHaveLength(6);
  });

  it("is not announced for times in the past, nor once it is destroyed", async () => {
    const atMs = Date.now() + 5 * HOUR_MS;
    const id = await makeInstance(tenant, templateId, targetId, {
      expiresAt: new Date(atMs).toISOString(),
    });
    await sweep(tenant, Date.now() + 1);
    expect(await eventsOf(id)).toEqual([]);
    await env.DB.prepare("UPDATE instances SET state = 'DESTROYED' WHERE id = ?").bind(id).run();
    await sweep(tenant, atMs - HOUR_MS);
    expect(await eventsOf(id)).toEqual([]);
    const [expiry] = (await tenant.get(`/instances/${id}/triggers`)).body.data;
    expect(expiry).toMatchObject({ suppressedReason: "instance_destroyed", nextFireAt: null });
  });

  async function eventsOf(
    id: string,
  ): Promise<{ timestamp: string; sequence: number; data: object }[]> {
    const { results } = await env.DB.prepare(
      "SELECT payload FROM events WHERE resource_id = ? AND type = 'instance.expiring' AND id > ? ORDER BY id",
    )
      .bind(id, firstIdAt(0))
      .all<{ payload: string }>();
    return results.map(({ payload }) => JSON.parse(payload));
  }
});

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}

async function inParallel(tasks: readonly (() => Promise<void>)[], atOnce: number): Promise<void> {
  const waiting = [...tasks];
  const next = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

/** Counts the round trips to the database from now on. */
function countD1(): () => number {
  const d1 = Object.getPrototypeOf(env.DB) as { batch: D1Database["batch"] };
  const statement = Object.getPrototypeOf(env.DB.prepare("SELECT 1")) as {
    all: D1PreparedStatement["all"];
  };
  const { batch } = d1;
  const { all } = statement;
  let count = 0;
  d1.batch = function (this: D1Database, statements: D1PreparedStatement[]) {
    count += 1;
    return batch.call(this, statements) as never;
  };
  statement.all = function (this: D1PreparedStatement) {
    count += 1;
    return all.call(this) as never;
  };
  return () => {
    d1.batch = batch;
    statement.all = all;
    return count;
  };
}
