/** The statements by which a consumer takes deliveries, and by which it says what became of them. */
import { sql } from "drizzle-orm";
import { type Db, runBatch, type Statement } from "#platform/db/client.ts";
import { events, webhookDeliveries, webhooks } from "#platform/db/tables.ts";
import type { DeliveryRing } from "#platform/outbox.ts";
import { type WebhookAttempt, webhookAttempts } from "./tables.ts";
import type { NextState } from "./after-attempt.ts";
import type { Delivery, Webhook } from "./webhook.ts";

/** Longer than any attempt and its record take; a consumer that died is waited for so long. */
export const LEASE_MS = 60_000;
/** Clocks of two machines may differ by so much: a message that comes early is not lost for a minute. */
const EARLY_MS = 1_000;

/** A delivery that this consumer alone may send, until the lease lapses. */
export interface Claimed {
  delivery: Delivery;
  /** Undefined: it was deleted. */
  webhook: Webhook | undefined;
  /** The exact bytes to send. Undefined: the event was pruned. */
  payload: string | undefined;
}

export interface Claims {
  claimed: readonly Claimed[];
  /** Due, but their receivers are slow: they belong into the slow queue. */
  tooSlow: readonly DeliveryRing[];
}

/**
 * Claims those of the deliveries that are due and that nobody holds: one round trip, and of two consumers
 * with the same message one gets it. The rest needs no sender now.
 */
export async function claimDeliveries(
  db: Db,
  rings: readonly DeliveryRing[],
  context: { nowMs: number; lane: "fast" | "slow" },
): Promise<Claims> {
  const d = webhookDeliveries;
  const leaseUntilMs = context.nowMs + LEASE_MS;
  const keys = sql`(SELECT value ->> 'tenantId', value ->> 'id' FROM json_each(${JSON.stringify(rings)}))`;
  const isRung = sql`(${d.tenantId}, ${d.id}) IN ${keys}`;
  // What has ended has no due time.
  const isFree = sql`${d.dueAtMs} <= ${context.nowMs + EARLY_MS}
    AND ${d.leaseUntilMs} <= ${context.nowMs}`;
  const isSlow = sql`EXISTS (SELECT 1 FROM ${webhooks} w WHERE w.id = ${d.webhookId} AND w.slow = 1)`;
  const isHeld = sql`${isRung} AND ${d.leaseUntilMs} = ${leaseUntilMs}`;
  const [deliveries, receivers, payloads, tooSlow] = await runBatch(db, [
    db
      .update(d)
      .set({ leaseUntilMs })
      .where(
        sql`${isRung} AND ${isFree} AND ${context.lane === "slow" ? sql`1` : sql`NOT ${isSlow}`}`,
      )
      .returning(),
    db
      .select()
      .from(webhooks)
      .where(sql`${webhooks.id} IN (SELECT ${d.webhookId} FROM ${d} WHERE ${isHeld})`),
    db.all<{ tenantId: string; id: string; payload: string }>(
      sql`SELECT tenant_id AS tenantId, id, payload FROM ${events}
        WHERE (tenant_id, id) IN (SELECT ${d.eventTenantId}, ${d.eventId} FROM ${d} WHERE ${isHeld})`,
    ),
    db.all<DeliveryRing>(
      sql`SELECT ${d.tenantId} AS tenantId, ${d.id} AS id FROM ${d}
        WHERE ${isRung} AND ${isFree} AND ${context.lane === "slow" ? sql`0` : isSlow}`,
    ),
  ]);
  const claimed = deliveries.map((delivery) => ({
    delivery,
    webhook: receivers.find((webhook) => webhook.id === delivery.webhookId),
    payload: payloads.find(
      (event) => event.id === delivery.eventId && event.tenantId === delivery.eventTenantId,
    )?.payload,
  }));
  return { claimed, tooSlow };
}

/** Writes the attempt and the delivery's next state; nothing, when the lease was lost to another consumer. */
export function attemptStatements(
  db: Db,
  claimed: { delivery: Delivery; webhook: Webhook },
  attempt: WebhookAttempt,
  next: NextState,
): Statement[] {
  const { delivery, webhook } = claimed;
  const a = webhookAttempts;
  const w = webhooks;
  const atMs = attempt.startedAtMs + attempt.durationMs;
  const health =
    attempt.errorClass === null
      ? { failingSinceMs: null, differs: sql`${w.failingSinceMs} IS NOT NULL` }
      : {
          failingSinceMs: sql`coalesce(${w.failingSinceMs}, ${atMs})`,
          differs: sql`${w.failingSinceMs} IS NULL`,
        };
  return [
    db.run(sql`INSERT INTO ${a} (tenant_id, id, webhook_id, delivery_id, number, started_at_ms,
        duration_ms, status, error_class, request_headers, answer, answer_cut, next_try_at_ms)
      SELECT ${attempt.tenantId}, ${attempt.id}, ${attempt.webhookId}, ${attempt.deliveryId}, ${attempt.number},
        ${attempt.startedAtMs}, ${attempt.durationMs}, ${attempt.status}, ${attempt.errorClass},
        ${JSON.stringify(attempt.requestHeaders)}, ${attempt.answer}, ${attempt.answerCut ? 1 : 0},
        ${attempt.nextTryAtMs}
      WHERE EXISTS (SELECT 1 FROM ${webhookDeliveries} WHERE ${holds(delivery)})`),
    db
      .update(webhookDeliveries)
      .set({
        state: next.state,
        attempts: attempt.number,
        dueAtMs: next.dueAtMs,
        leaseUntilMs: 0,
        updatedAtMs: atMs,
      })
      .where(holds(delivery)),
    db
      .update(w)
      .set({ failingSinceMs: health.failingSinceMs, slow: next.slow })
      .where(
        sql`${w.id} = ${webhook.id} AND ${w.tenantId} = ${webhook.tenantId}
          AND (${health.differs} OR ${w.slow} <> ${next.slow ? 1 : 0})`,
      ),
  ];
}

/** Ends a delivery that has nowhere to go. */
export function cancelStatement(db: Db, delivery: Delivery, atMs: number): Statement {
  return db
    .update(webhookDeliveries)
    .set({ state: "CANCELED", dueAtMs: null, leaseUntilMs: 0, updatedAtMs: atMs })
    .where(holds(delivery));
}

/** The lease's end names its holder: a later claim is possible only after it, and so has another. */
function holds(delivery: Delivery) {
  const d = webhookDeliveries;
  return sql`${d.tenantId} = ${delivery.tenantId} AND ${d.id} = ${delivery.id}
    AND ${d.leaseUntilMs} = ${delivery.leaseUntilMs}`;
}
