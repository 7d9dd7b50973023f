/**
 * The lane limit: the number of a tenant's deliveries under way at once in each lane. Further deliveries wait, without
 * a lease, and each ended attempt of the tenant sends for the next. So receivers that hang delay their own tenant only
 * (decision 0028).
 */
import { type SQL, sql } from "drizzle-orm";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import type { Db } from "#platform/db/client.ts";
import { type DeliveryLane, webhookDeliveries, webhooks } from "#schema/webhooks.ts";
import type { DueDelivery } from "./circuit.ts";

/** Above the community plan's number of webhooks per tenant, since one event reaches all of them at once. */
export const LANE_LIMIT = 24;

/** The number of the tenant's deliveries that are under way in the lane. */
export function underWay(tenantId: SQL, lane: DeliveryLane, nowMs: number): SQL {
  // The first half of the condition must equal the partial index's.
  return sql`(SELECT count(*) FROM ${webhookDeliveries} u
    LEFT JOIN ${webhooks} uw ON uw.id = u.webhook_id AND uw.tenant_id = u.tenant_id
    WHERE u.lease_until_ms > 0 AND u.tenant_id = ${tenantId} AND u.lease_until_ms > ${nowMs}
      AND coalesce(uw.slow, 0) = ${lane === "slow" ? 1 : 0})`;
}

/**
 * Makes the deliveries wait for the tenant's lane limit, and returns them; not those that fit meanwhile. `isTaken`: the
 * condition on `d` that a delivery is due and not leased.
 */
export function waitStatement(db: Db, isTaken: SQL, lane: DeliveryLane, nowMs: number) {
  return db.all<DeliveryRef>(sql`UPDATE ${webhookDeliveries} SET waits_in = ${lane}
    WHERE (tenant_id, id) IN (SELECT d.tenant_id, d.id FROM ${webhookDeliveries} d WHERE ${isTaken})
      AND ${underWay(sql`webhook_deliveries.tenant_id`, lane, nowMs)} >= ${LANE_LIMIT}
    RETURNING tenant_id AS tenantId, id`);
}

/** Ends the wait of the tenant's oldest deliveries, up to the lane limit, and returns them. */
export function admitStatement(db: Db, tenantId: string, nowMs: number) {
  const oldest = (
    lane: DeliveryLane,
  ) => sql`SELECT id FROM (SELECT w.id AS id FROM ${webhookDeliveries} w
    WHERE w.waits_in IS NOT NULL AND w.tenant_id = ${tenantId} AND w.waits_in = ${lane} ORDER BY w.id
    LIMIT max(0, ${LANE_LIMIT} - ${underWay(sql`${tenantId}`, lane, nowMs)}))`;
  return db.all<DueDelivery>(sql`UPDATE ${webhookDeliveries} SET waits_in = NULL
    WHERE tenant_id = ${tenantId} AND id IN (${oldest("fast")} UNION ALL ${oldest("slow")})
    RETURNING tenant_id AS tenantId, id, ${nowMs} AS dueAtMs`);
}

/** Tenants with waiting deliveries, in a random order: tenants with full lanes must not hide the others. */
export function findWaitingTenants(db: Db, count: number) {
  const d = sql`${webhookDeliveries}`;
  // Skips from tenant to tenant in the index of waiting deliveries, without reading every row.
  return db.all<{ tenantId: string }>(sql`WITH RECURSIVE waiting(id) AS (
      SELECT min(tenant_id) FROM ${d} WHERE waits_in IS NOT NULL AND tenant_id IS NOT NULL
      UNION ALL
      SELECT (SELECT min(tenant_id) FROM ${d} WHERE waits_in IS NOT NULL AND tenant_id > waiting.id)
        FROM waiting WHERE waiting.id IS NOT NULL
    )
    SELECT id AS tenantId FROM waiting WHERE id IS NOT NULL ORDER BY random() LIMIT ${count}`);
}
