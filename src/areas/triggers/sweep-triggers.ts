/**
 * Every minute, sends a message for each due trigger; the queue's consumer processes them. Nothing is claimed here: a
 * trigger with two messages, from two sweeps or a repeated one, fires once, since the commit that starts its deployment
 * guards it (process-trigger.ts). A trigger whose message was lost is still due in the next minute.
 *
 * Tenants take turns. If more triggers are due than one sweep sends, each tenant gets an equal part, and the messages
 * alternate between tenants, so that one tenant's triggers do not delay another's.
 */
import { asc, sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { notifyTriggers, type TriggerRef } from "#kernel/outbox/notify-triggers.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { tenantWalk } from "#platform/db/tenant-walk.ts";
import { triggers } from "#schema/triggers.ts";

/** The triggers of one sweep: the consumers and the database can process these in a minute, beside their other work. */
export const MAX_TRIGGERS = 5_000;
/** A tenant's other triggers are the longest due in the next minute. */
export const MAX_OF_A_TENANT = 1_000;

export async function sweepTriggers(
  env: Pick<Bindings, "DB" | "TRIGGERS_QUEUE">,
  nowMs: number,
): Promise<void> {
  const db = openDb(env.DB);
  const due = await findDue(db, nowMs);
  await notifyTriggers(
    env,
    inTurns(due.length > MAX_TRIGGERS ? await findDueByTenant(db, nowMs) : due),
  );
}

/** One more than a sweep sends. */
function findDue(db: Db, nowMs: number): PromiseLike<TriggerRef[]> {
  const { id, tenantId, instanceId, nextFireAtMs } = triggers;
  return (
    db
      .select({ id, tenantId, instanceId })
      .from(triggers)
      // The first half must equal the condition of the partial index.
      .where(sql`next_fire_at_ms IS NOT NULL AND ${nextFireAtMs} <= ${nowMs}`)
      .orderBy(asc(nextFireAtMs))
      .limit(MAX_TRIGGERS + 1)
  );
}

/** The same number of each tenant, the longest due first; of random tenants, if there are too many. */
async function findDueByTenant(db: Db, nowMs: number): Promise<TriggerRef[]> {
  const t = triggers;
  const [due] = await runBatch(db, [
    db.all<TriggerRef>(sql`
      WITH RECURSIVE ${tenantWalk(t)}, owner AS MATERIALIZED (
        SELECT id FROM tenant WHERE EXISTS (
          SELECT 1 FROM ${t} WHERE tenant_id = tenant.id AND next_fire_at_ms <= ${nowMs})
        ORDER BY random() LIMIT ${MAX_TRIGGERS}
      )
      SELECT d.id, d.tenant_id AS tenantId, d.instance_id AS instanceId
      FROM owner CROSS JOIN ${t} d ON d.id IN (
        SELECT id FROM ${t} WHERE tenant_id = owner.id AND next_fire_at_ms <= ${nowMs}
        ORDER BY next_fire_at_ms LIMIT min(${MAX_OF_A_TENANT}, ${MAX_TRIGGERS} / (SELECT count(*) FROM owner)))`),
  ]);
  return due;
}

/** The first of each tenant, then the second of each, and so on. */
function inTurns(due: readonly TriggerRef[]): TriggerRef[] {
  const lines = [...Map.groupBy(due, ({ tenantId }) => tenantId).values()];
  const longest = Math.max(0, ...lines.map(({ length }) => length));
  return Array.from({ length: Math.min(longest, MAX_OF_A_TENANT) }, (_, turn) =>
    lines.flatMap((own) => own[turn] ?? []),
  ).flat();
}
