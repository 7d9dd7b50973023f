/**
 * The circuit breaker of a webhook. While it is open, deliveries are held: not sent, not due, without using
 * an attempt. One of them is the probe: it alone is due, every thirty seconds, as an ordinary attempt. When a
 * probe succeeds the circuit closes, ten held deliveries are released, and each success releases one more, so
 * that few are under way to a receiver that has just recovered.
 *
 * The state is in the webhook's row. Every change is a conditional statement in the batch that records the
 * attempt, and does nothing if the attempt was not recorded. If a consumer dies, the probe stays due and the
 * sweep sends a message for it; held deliveries without a probe or with a closed circuit are found by
 * sweep-circuits.ts.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Delivery, Webhook } from "#areas/webhooks/webhook.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import type { Db, Statement } from "#platform/db/client.ts";
import { firstIdAt } from "#platform/ids.ts";
import {
  type WebhookAttempt,
  webhookAttempts,
  webhookDeliveries,
  webhooks,
} from "#schema/webhooks.ts";

export const OPENING_FAILURES = 10;
export const PROBE_EVERY_MS = 30_000;
/**
 * The number of held deliveries released when the circuit closes, and each minute if nothing else releases
 * them.
 */
export const BURST = 10;
const WINDOW_MS = 5 * 60_000;
const WINDOW_ATTEMPTS = 10;
const WINDOW_FAILED_TENTHS = 7;
/** The maximum number of the tenant's newest attempts that are read: bounds the cost for busy tenants. */
const WINDOW_READ = 1_000;

/** A delivery that is due again: the queue is notified at this time. */
export interface DueDelivery extends DeliveryRef {
  dueAtMs: number;
}

/** Holds for a delivery `d` of the webhook `w` that must not be sent now. */
export function isHeldBack(deliveryId: SQL): SQL {
  return sql`(w.circuit_open_since_ms IS NOT NULL AND w.state = 'ENABLED'
    AND w.probe_delivery_id IS NOT ${deliveryId})`;
}

/**
 * Holds the deliveries whose circuit is open; if the circuit has no probe, the oldest of them becomes the probe.
 * `isTaken`: the condition on `d` that a delivery is due and not leased. The second statement returns all of them, with
 * the probe's due time or null.
 */
export function holdStatements(db: Db, isTaken: SQL, nowMs: number) {
  const taken = sql`FROM ${webhookDeliveries} d WHERE ${isTaken}`;
  return [
    db.run(sql`UPDATE ${webhooks} SET probe_delivery_id = (SELECT min(d.id) ${taken}
        AND d.webhook_id = webhooks.id AND d.tenant_id = webhooks.tenant_id)
      WHERE (tenant_id, id) IN (SELECT d.tenant_id, d.webhook_id ${taken})
        AND circuit_open_since_ms IS NOT NULL AND state = 'ENABLED' AND NOT ${hasProbe(sql`webhooks`)}`),
    db.all<DeliveryRef & { dueAtMs: number | null }>(sql`UPDATE ${webhookDeliveries}
      SET due_at_ms = CASE WHEN webhook_deliveries.id = w.probe_delivery_id THEN max(${nowMs}, w.next_probe_at_ms) END,
        held_at_ms = CASE WHEN webhook_deliveries.id = w.probe_delivery_id THEN NULL ELSE ${nowMs} END
      FROM ${webhooks} w
      WHERE (webhook_deliveries.tenant_id, webhook_deliveries.id) IN (SELECT d.tenant_id, d.id ${taken})
        AND w.id = webhook_deliveries.webhook_id AND w.tenant_id = webhook_deliveries.tenant_id
        AND w.circuit_open_since_ms IS NOT NULL AND w.state = 'ENABLED'
      RETURNING tenant_id AS tenantId, id, due_at_ms AS dueAtMs`),
  ] as const;
}

/** Holds while the webhook's probe is a delivery that is still due. */
export function hasProbe(webhook: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${webhookDeliveries} p WHERE p.tenant_id = ${webhook}.tenant_id
    AND p.id = ${webhook}.probe_delivery_id AND p.due_at_ms IS NOT NULL)`;
}

/** A statement of the batch that records an attempt. `notifies`: it returns deliveries to notify the queue of. */
export interface Step {
  statement: Statement;
  notifies: boolean;
}

/** The effects of an attempt on the circuit, in this order, after the statements that record the attempt. */
export function circuitSteps(
  db: Db,
  { delivery, webhook }: { delivery: Delivery; webhook: Webhook },
  attempt: WebhookAttempt,
): Step[] {
  const atMs = attempt.startedAtMs + attempt.durationMs;
  const recorded = isRecorded(attempt);
  // While the circuit is open, only the probe can be claimed.
  const isProbe = webhook.circuitOpenSinceMs !== null;
  if (attempt.errorClass !== null) {
    const change = isProbe
      ? probeAgain(db, webhook, delivery, attempt.startedAtMs + PROBE_EVERY_MS, recorded)
      : openStatement(db, webhook, atMs);
    return [
      { statement: change, notifies: false },
      { statement: designateStatement(db, webhook), notifies: true },
    ];
  }
  if (!isProbe && !webhook.draining) return [];
  const count = isProbe ? BURST : 1;
  return [
    ...(isProbe
      ? [{ statement: closeStatement(db, webhook, delivery, atMs, recorded), notifies: false }]
      : []),
    { statement: releaseStatement(db, webhook, count, atMs, recorded), notifies: true },
    { statement: drainedStatement(db, webhook), notifies: false },
  ];
}

/** Holds if this attempt was recorded, that is, the consumer still had the lease. */
export function isRecorded(attempt: WebhookAttempt): SQL {
  return sql`EXISTS (SELECT 1 FROM ${webhookAttempts} a
    WHERE a.tenant_id = ${attempt.tenantId} AND a.id = ${attempt.id})`;
}

/**
 * Opens the circuit if ten attempts in a row failed, or 70 % of the recorded attempts of the last five
 * minutes.
 */
function openStatement(db: Db, webhook: Webhook, atMs: number): Statement {
  const fromMs = atMs - WINDOW_MS;
  const seen = sql`(SELECT webhook_id, error_class FROM ${webhookAttempts} l
    WHERE l.tenant_id = ${webhook.tenantId} AND l.id >= ${firstIdAt(fromMs)} AND l.started_at_ms >= ${fromMs}
      AND l.started_at_ms > coalesce(webhooks.circuit_closed_at_ms, 0)
    ORDER BY l.id DESC LIMIT ${WINDOW_READ})`;
  const tooMany = sql`(SELECT count(*) >= ${WINDOW_ATTEMPTS}
      AND 10 * sum(error_class IS NOT NULL) >= ${WINDOW_FAILED_TENTHS} * count(*)
    FROM ${seen} WHERE webhook_id = ${webhook.id})`;
  return db.run(sql`UPDATE ${webhooks}
    SET circuit_open_since_ms = ${atMs}, next_probe_at_ms = ${atMs + PROBE_EVERY_MS}, draining = 0,
      probe_delivery_id = ${oldestHeld(webhook)}
    WHERE ${isThis(webhook)} AND state = 'ENABLED' AND circuit_open_since_ms IS NULL
      AND (failures_in_row >= ${OPENING_FAILURES} OR ${tooMany})`);
}

function probeAgain(
  db: Db,
  webhook: Webhook,
  probe: Delivery,
  nextProbeAtMs: number,
  recorded: SQL,
): Statement {
  return db.run(sql`UPDATE ${webhooks}
    SET next_probe_at_ms = ${nextProbeAtMs}, probe_delivery_id = ${oldestHeld(webhook)}
    WHERE ${isThis(webhook)} AND probe_delivery_id = ${probe.id} AND ${recorded}`);
}

function closeStatement(
  db: Db,
  webhook: Webhook,
  probe: Delivery,
  atMs: number,
  recorded: SQL,
): Statement {
  return db.run(sql`UPDATE ${webhooks}
    SET circuit_open_since_ms = NULL, next_probe_at_ms = NULL, probe_delivery_id = NULL,
      circuit_closed_at_ms = ${atMs}, draining = 1
    WHERE ${isThis(webhook)} AND probe_delivery_id = ${probe.id} AND ${recorded}`);
}

/** Makes the oldest held delivery the probe of an open circuit without one. */
export function chooseProbeStatement(db: Db, webhook: Pick<Webhook, "tenantId" | "id">): Statement {
  return db.run(sql`UPDATE ${webhooks} SET probe_delivery_id = ${oldestHeld(webhook)}
    WHERE ${isThis(webhook)} AND circuit_open_since_ms IS NOT NULL AND NOT ${hasProbe(sql`webhooks`)}`);
}

/** Makes the chosen probe due at the time of the next probe. */
export function designateStatement(db: Db, webhook: Pick<Webhook, "tenantId" | "id">) {
  return db.all<DueDelivery>(sql`UPDATE ${webhookDeliveries} SET due_at_ms = w.next_probe_at_ms, held_at_ms = NULL
    FROM ${webhooks} w
    WHERE w.tenant_id = ${webhook.tenantId} AND w.id = ${webhook.id} AND w.circuit_open_since_ms IS NOT NULL
      AND webhook_deliveries.tenant_id = ${webhook.tenantId} AND webhook_deliveries.id = w.probe_delivery_id
      AND held_at_ms IS NOT NULL
    RETURNING tenant_id AS tenantId, id, due_at_ms AS dueAtMs`);
}

/** Releases the oldest held deliveries, at most `count`, unless the circuit is open. */
export function releaseStatement(
  db: Db,
  webhook: Pick<Webhook, "tenantId" | "id">,
  count: number,
  atMs: number,
  condition: SQL,
) {
  return db.all<DueDelivery>(sql`UPDATE ${webhookDeliveries} SET due_at_ms = ${atMs}, held_at_ms = NULL
    WHERE (tenant_id, id) IN (SELECT h.tenant_id, h.id FROM ${webhookDeliveries} h
        WHERE +h.tenant_id = ${webhook.tenantId} AND h.webhook_id = ${webhook.id} AND h.held_at_ms IS NOT NULL
        ORDER BY h.id LIMIT ${count})
      AND NOT EXISTS (SELECT 1 FROM ${webhooks} w WHERE w.tenant_id = ${webhook.tenantId} AND w.id = ${webhook.id}
        AND w.circuit_open_since_ms IS NOT NULL AND w.state = 'ENABLED')
      AND ${condition}
    RETURNING tenant_id AS tenantId, id, due_at_ms AS dueAtMs`);
}

/** Records that no delivery is held, so that deliveries need not check. */
function drainedStatement(db: Db, webhook: Pick<Webhook, "tenantId" | "id">): Statement {
  return db.run(sql`UPDATE ${webhooks} SET draining = 0
    WHERE ${isThis(webhook)} AND draining = 1 AND ${oldestHeld(webhook)} IS NULL`);
}

function oldestHeld(webhook: Pick<Webhook, "tenantId" | "id">): SQL {
  return sql`(SELECT min(h.id) FROM ${webhookDeliveries} h
    WHERE +h.tenant_id = ${webhook.tenantId} AND h.webhook_id = ${webhook.id} AND h.held_at_ms IS NOT NULL)`;
}

function isThis(webhook: Pick<Webhook, "tenantId" | "id">): SQL {
  return sql`webhooks.tenant_id = ${webhook.tenantId} AND webhooks.id = ${webhook.id}`;
}
