/**
 * Sends messages again for deliveries that are due and not leased, after a lost message or a crash. Also
 * deletes what is older than thirty days, in bounded steps: a backlog is spread over several minutes.
 */
import { sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Bindings } from "#kernel/bindings.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { firstIdAt } from "#platform/ids.ts";
import { events } from "#schema/events.ts";
import {
  webhookAttempts,
  webhookDeliveries,
  webhookRecoveries,
  webhooks,
} from "#schema/webhooks.ts";
import { admitStatement, findWaitingTenants } from "./delivery/lane-limit.ts";
import { sweepCircuits } from "./delivery/sweep-circuits.ts";
import { sweepRecoveries } from "./sweep-recoveries.ts";

/** Of a minute. A restored database has everything due at once that was sent since; more than consumers take waits for them. */
const MAX_MESSAGES = 5_000;
/** The most that one `sendBatch` takes. */
const MESSAGES_A_BATCH = 100;
const WAITING_TENANTS_A_SWEEP = 100;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/**
 * In ten steps 5,000 events a minute and 25,000 deliveries and attempts each: a tenant makes at most 1,200 changes a minute,
 * and each has at most twenty deliveries (24,000).
 */
const PRUNED_A_STEP = 500;
const DELIVERIES_A_STEP = 2_500;
const PRUNING_STEPS = 10;

export async function sweepWebhooks(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  // Deliveries that are released or admitted are due, so messages for them are sent below.
  await sweepCircuits(db, nowMs);
  await admitWaiting(db, nowMs);
  await Promise.all([notifyDue(env, db, nowMs), sweepRecoveries(env, nowMs), prune(db, nowMs)]);
}

/** Admits deliveries that wait in a lane in which nothing is under way any more, after a crash. */
async function admitWaiting(db: Db, nowMs: number): Promise<void> {
  const [tenants] = await runBatch(db, [findWaitingTenants(db, WAITING_TENANTS_A_SWEEP)]);
  if (tenants.length === 0) return;
  await runBatch(
    db,
    tenants.map(({ tenantId }) => admitStatement(db, tenantId, nowMs)),
  );
}

async function notifyDue(env: Bindings, db: Db, nowMs: number): Promise<void> {
  const d = webhookDeliveries;
  const [due] = await runBatch(db, [
    db.all<DeliveryRef & { slow: number | null }>(
      sql`SELECT d.tenant_id AS tenantId, d.id AS id,
          (SELECT w.slow FROM ${webhooks} w WHERE w.id = d.webhook_id) AS slow
        FROM ${d} d WHERE d.due_at_ms <= ${nowMs} AND d.waits_in IS NULL AND d.lease_until_ms <= ${nowMs}
        ORDER BY d.due_at_ms LIMIT ${MAX_MESSAGES}`,
    ),
  ]);
  for (const [queue, refs] of [
    [env.WEBHOOKS_QUEUE, due.filter((one) => one.slow !== 1)],
    [env.WEBHOOKS_SLOW_QUEUE, due.filter((one) => one.slow === 1)],
  ] as const)
    for (let at = 0; at < refs.length; at += MESSAGES_A_BATCH)
      await queue.sendBatch(
        refs
          .slice(at, at + MESSAGES_A_BATCH)
          .map(({ tenantId, id }) => ({ body: { tenantId, id } })),
      );
}

/** Each step is a batch of its own: what it removed stays removed if the next one fails. */
async function prune(db: Db, nowMs: number): Promise<void> {
  const cutoffMs = nowMs - KEPT_MS;
  for (let steps = 0; steps < PRUNING_STEPS; steps += 1) {
    const removed = await runBatch(db, [
      pruneStatement(db, webhookAttempts, "started_at_ms", cutoffMs, DELIVERIES_A_STEP),
      pruneStatement(db, webhookDeliveries, "created_at_ms", cutoffMs, DELIVERIES_A_STEP),
      pruneStatement(db, webhookRecoveries, "created_at_ms", cutoffMs, PRUNED_A_STEP),
      pruneStatement(db, events, "created_at_ms", cutoffMs, PRUNED_A_STEP),
    ]);
    const [attempts, deliveries, recoveries, told] = removed.map(({ meta }) => meta.changes);
    const isLeft =
      Math.max(attempts ?? 0, deliveries ?? 0) >= DELIVERIES_A_STEP ||
      Math.max(recoveries ?? 0, told ?? 0) >= PRUNED_A_STEP;
    if (!isLeft) return;
  }
}

/**
 * Deletes a step of the oldest rows. The tables have no index by time, which every insert would pay for: their
 * ids sort by time inside a tenant, so the query walks from tenant to tenant by the primary key.
 */
function pruneStatement(
  db: Db,
  table: SQLiteTable,
  atColumn: "created_at_ms" | "started_at_ms",
  cutoffMs: number,
  limit: number,
) {
  return db.run(sql`DELETE FROM ${table} WHERE (tenant_id, id) IN (
    WITH RECURSIVE tenant(id) AS (
      SELECT min(tenant_id) FROM ${table}
      UNION ALL
      SELECT (SELECT min(tenant_id) FROM ${table} WHERE tenant_id > tenant.id)
        FROM tenant WHERE tenant.id IS NOT NULL
    )
    SELECT old.tenant_id, old.id FROM tenant CROSS JOIN ${table} old
      ON old.tenant_id = tenant.id AND old.id < ${firstIdAt(cutoffMs)}
      WHERE old.${sql.raw(atColumn)} < ${cutoffMs}
    LIMIT ${limit})`);
}
