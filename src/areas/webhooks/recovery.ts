/** The statements of a recovery, which goes through its range in steps, one commit each. */
import { type SQL, sql } from "drizzle-orm";
import { type Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { deliveriesNotification } from "#kernel/outbox/notify-deliveries.ts";
import { firstIdAt } from "#platform/ids.ts";
import { events } from "#schema/events.ts";
import { type Recovery, webhookDeliveries, webhookRecoveries, webhooks } from "#schema/webhooks.ts";
import { ID_SLACK_MS } from "./store.ts";

/** The maximum number of deliveries that one step reads and creates. */
export const STEP = 500;

type Range = Pick<Recovery, "webhookId" | "sinceMs" | "untilMs" | "afterId">;

/** The reads of a step: the end of its range, and the failed deliveries. `tenantId`: the webhook's. */
export function findStep(call: Call, range: Range, tenantId: SQL) {
  const t = sql`${webhookDeliveries}`;
  const firstId = firstIdAt(range.sinceMs - ID_SLACK_MS);
  // `+`: see `unindexed` in store.ts.
  const looked = sql`(SELECT d.* FROM ${t} d
    WHERE +d.tenant_id = ${tenantId} AND d.webhook_id = ${range.webhookId}
      AND d.id > ${range.afterId > firstId ? range.afterId : firstId}
      AND d.id < ${firstIdAt(range.untilMs + ID_SLACK_MS)}
    ORDER BY d.id LIMIT ${STEP})`;
  return [
    call.db.all<{ looked: number; lastId: string | null }>(
      sql`SELECT count(*) AS looked, max(id) AS lastId FROM ${looked}`,
    ),
    call.db.all<{ id: string }>(
      sql`SELECT s.id AS id FROM ${looked} s
        WHERE s.created_at_ms BETWEEN ${range.sinceMs} AND ${range.untilMs} AND ${isLost}`,
    ),
  ] as const;
}

/**
 * Holds for a delivery `s` whose event has not reached the receiver and is not on its way: it ended without
 * success, and so did the last manual delivery after it. Test deliveries are skipped.
 */
const isLost = sql`s.state IN ('EXHAUSTED', 'CANCELED') AND s.manual = 0 AND s.event_type <> 'webhook.test'
  AND (s.repeated_by_id IS NULL OR EXISTS (SELECT 1 FROM ${webhookDeliveries} r
    WHERE r.tenant_id = s.tenant_id AND r.id = s.repeated_by_id AND r.state IN ('EXHAUSTED', 'CANCELED')))
  AND EXISTS (SELECT 1 FROM ${events} e WHERE e.tenant_id = s.event_tenant_id AND e.id = s.event_id)`;

/**
 * The recovery after a step, and its writes: a manual delivery for each lost one. The commit throws
 * `conflict` if one of them is no longer lost, so no event is repeated twice.
 */
export function takeStep(
  call: Call,
  recovery: Recovery,
  read: { looked: { looked: number; lastId: string | null } | undefined; lost: { id: string }[] },
): { after: Recovery; writes: Write[] } {
  const isLast = (read.looked?.looked ?? 0) < STEP;
  const after: Recovery = {
    ...recovery,
    state: isLast ? "COMPLETED" : "RUNNING",
    afterId: read.looked?.lastId ?? recovery.afterId,
    count: recovery.count + read.lost.length,
    version: recovery.version + 1,
    updatedAtMs: call.now,
  };
  const { tenantId } = recovery;
  const made = read.lost.map(({ id }) => ({ id, byId: call.newId() }));
  if (made.length === 0) return { after, writes: [] };
  const t = sql`${webhookDeliveries}`;
  const list = sql`json_each(${JSON.stringify(made)}) j`;
  const writes: Write[] = [
    call.require(
      "conflict",
      sql`(SELECT count(*) FROM ${list} JOIN ${t} s ON s.tenant_id = ${tenantId} AND s.id = j.value ->> 'id'
        WHERE ${isLost}) = ${made.length}`,
    ),
    call.write(
      tenantId,
      call.db
        .run(sql`INSERT INTO ${t} (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state,
        attempts, manual, due_at_ms, lease_until_ms, repeats_id, created_at_ms, updated_at_ms)
      SELECT s.tenant_id, j.value ->> 'byId', s.webhook_id, s.event_tenant_id, s.event_id, s.event_type, 'PENDING',
        0, 1, ${call.now}, 0, s.id, ${call.now}, ${call.now}
      FROM ${list} JOIN ${t} s ON s.tenant_id = ${tenantId} AND s.id = j.value ->> 'id'`),
    ),
    call.write(
      tenantId,
      call.db.run(sql`UPDATE ${t} SET repeated_by_id = j.value ->> 'byId' FROM ${list}
      WHERE tenant_id = ${tenantId} AND webhook_deliveries.id = j.value ->> 'id'`),
    ),
    deliveriesNotification(made.map(({ byId }) => ({ tenantId, id: byId }))),
  ];
  return { after, writes };
}

export function findRunningRecovery(call: Call, webhookId: string) {
  const t = webhookRecoveries;
  return call.db
    .select()
    .from(t)
    .where(
      sql`${call.inScope(t.tenantId)} AND ${t.webhookId} = ${webhookId} AND state = 'RUNNING'`,
    );
}

/** The running recoveries of all tenants, the longest waiting first. */
export function findRunningRecoveries(call: Call, count: number) {
  const t = webhookRecoveries;
  return call.db
    .select()
    .from(t)
    .where(sql`${t.tenantId} IS NOT NULL AND state = 'RUNNING'`)
    .orderBy(t.updatedAtMs)
    .limit(count);
}

export function findRecovery(call: Call, webhookId: string, id: string) {
  const t = webhookRecoveries;
  return call.db
    .select()
    .from(t)
    .where(
      // The tenant as a value: the primary key begins with it.
      sql`${t.tenantId} = (SELECT ${webhooks.tenantId} FROM ${webhooks}
          WHERE ${webhooks.id} = ${webhookId} AND ${call.inScope(webhooks.tenantId)})
        AND ${t.id} = ${id} AND ${t.webhookId} = ${webhookId}`,
    );
}

export function insertRecovery(call: Call, recovery: Recovery) {
  return call.write(recovery.tenantId, call.db.insert(webhookRecoveries).values(recovery));
}

/** Use it in a batch with `requireVersion`. */
export function setRecovery(call: Call, recovery: Recovery) {
  const t = webhookRecoveries;
  const { tenantId, id, state, afterId, count, version, updatedAtMs } = recovery;
  return call.write(
    tenantId,
    call.db
      .update(t)
      .set({ state, afterId, count, version, updatedAtMs })
      .where(sql`${t.tenantId} = ${tenantId} AND ${t.id} = ${id}`),
  );
}
