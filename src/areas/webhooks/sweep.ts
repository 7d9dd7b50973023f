/**
 * Sends messages again for deliveries that are due and not leased, after a lost message or a crash, and prunes the history.
 */
import { sql } from "drizzle-orm";
import { currentStanding } from "#areas/license/public.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { sendAll } from "#platform/send-all.ts";
import { webhookDeliveries, webhooks } from "#schema/webhooks.ts";
import { admitStatement, findWaitingTenants } from "./delivery/lane-limit.ts";
import { sweepCircuits } from "./delivery/sweep-circuits.ts";
import { pruneHistory } from "./prune-history.ts";
import { sweepRecoveries } from "./sweep-recoveries.ts";

/**
 * The messages of one sweep. In a restored database, everything sent since the backup is due at once; the excess waits
 * for the consumers.
 */
const MAX_MESSAGES = 5_000;
const WAITING_TENANTS_A_SWEEP = 100;

export async function sweepWebhooks(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  // Deliveries that are released or admitted are due, so messages for them are sent below.
  await sweepCircuits(db, nowMs);
  await admitWaiting(db, nowMs);
  const { limits } = await currentStanding(env, nowMs);
  await Promise.all([
    notifyDue(env, db, nowMs),
    sweepRecoveries(env, nowMs),
    pruneHistory(db, nowMs, limits),
  ]);
}

/** Admits deliveries that wait in a lane without deliveries under way, after a crash. */
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
    await sendAll(
      queue,
      refs.map(({ tenantId, id }) => ({ body: { tenantId, id } })),
    );
}
