/**
 * Deletes events, deliveries and attempts that are older than thirty days and, for a tenant above its `keptDeliveries`,
 * the oldest of the surplus. It works in bounded steps, each a batch of its own: a backlog is spread over several
 * minutes, and a failed step does not undo earlier ones.
 */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { limitSql } from "#kernel/limits/limits.ts";
import { type Db, runBatch } from "#platform/db/client.ts";
import { tenantWalk } from "#platform/db/tenant-walk.ts";
import { firstIdAt } from "#platform/ids.ts";
import { events } from "#schema/events.ts";
import { KEPT_DELIVERIES, type Limits } from "#schema/lists/plans.ts";
import { webhookAttempts, webhookDeliveries, webhookRecoveries } from "#schema/webhooks.ts";

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
/**
 * In ten steps 5,000 events a minute and 25,000 deliveries and attempts each. A tenant makes at most 1,200 changes a
 * minute, each with at most twenty deliveries (24,000).
 */
const PRUNED_A_STEP = 500;
const DELIVERIES_A_STEP = 2_500;
const PRUNING_STEPS = 10;
/** The minutes between two looks at a tenant: finding its oldest kept row reads all newer ones. */
const TENANTS_TURN = 60;

export async function pruneHistory(db: Db, nowMs: number, limits: Limits): Promise<void> {
  await pruneOld(db, nowMs - KEPT_MS);
  await pruneSurplus(db, nowMs, limits);
}

async function pruneOld(db: Db, cutoffMs: number): Promise<void> {
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

/** Deletes a step of the oldest rows. An index by time would cost every insert; ids sort by time inside a tenant. */
function pruneStatement(
  db: Db,
  table: SQLiteTable,
  atColumn: "created_at_ms" | "started_at_ms",
  cutoffMs: number,
  limit: number,
) {
  return db.run(sql`DELETE FROM ${table} WHERE (tenant_id, id) IN (
    WITH RECURSIVE ${tenantWalk(table)}
    SELECT old.tenant_id, old.id FROM tenant CROSS JOIN ${table} old
      ON old.tenant_id = tenant.id AND old.id < ${firstIdAt(cutoffMs)}
      WHERE old.${sql.raw(atColumn)} < ${cutoffMs}
    LIMIT ${limit})`);
}

/** A delivery is tried again for three days, and held for five while its receiver fails: it needs its event. */
const EVENTS_NEEDED_MS = 6 * 24 * 60 * 60 * 1000;

/** Open deliveries stay, and so do their events. Events are kept up to a quarter of `keptDeliveries`. */
const capped = [
  {
    table: webhookDeliveries,
    share: 1,
    isSurplus: () => sql`old.due_at_ms IS NULL AND old.held_at_ms IS NULL`,
  },
  { table: webhookAttempts, share: 1, isSurplus: () => sql`1` },
  {
    table: events,
    share: 4,
    isSurplus: (nowMs: number) => sql`old.id < ${firstIdAt(nowMs - EVENTS_NEEDED_MS)}`,
  },
] as const;

async function pruneSurplus(db: Db, nowMs: number, { keptDeliveries }: Limits): Promise<void> {
  const turn = Math.floor(nowMs / MINUTE_MS) % TENANTS_TURN;
  for (const { table, share, isSurplus } of capped) {
    const most = limitSql({
      tenantId: sql`turn.id`,
      name: KEPT_DELIVERIES,
      planLimit: keptDeliveries,
    });
    const [tenants] = await runBatch(db, [
      db.all<{ id: string; kept: number }>(sql`WITH RECURSIVE ${tenantWalk(table)},
        turn AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM tenant WHERE id IS NOT NULL)
        SELECT id, kept FROM (SELECT id, ${most} AS kept FROM turn WHERE n % ${TENANTS_TURN} = ${turn})
        WHERE kept IS NOT NULL`),
    ]);
    for (const { id, kept } of tenants)
      await pruneTenant(db, table, { id, kept: Math.floor(kept / share) }, isSurplus(nowMs));
  }
}

async function pruneTenant(
  db: Db,
  table: SQLiteTable,
  { id, kept }: { id: string; kept: number },
  isSurplus: SQL,
): Promise<void> {
  const [[newest]] = await runBatch(db, [
    db.all<{ id: string }>(
      sql`SELECT id FROM ${table} WHERE tenant_id = ${id} ORDER BY id DESC LIMIT 1 OFFSET ${kept}`,
    ),
  ]);
  if (newest === undefined) return;
  for (let steps = 0; steps < PRUNING_STEPS; steps += 1) {
    const [{ meta }] = await runBatch(db, [
      db.run(sql`DELETE FROM ${table} WHERE (tenant_id, id) IN (SELECT old.tenant_id, old.id FROM ${table} old
        WHERE old.tenant_id = ${id} AND old.id <= ${newest.id} AND ${isSurplus} LIMIT ${DELIVERIES_A_STEP})`),
    ]);
    if (meta.changes < DELIVERIES_A_STEP) return;
  }
}
