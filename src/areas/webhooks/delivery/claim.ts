/** The statements with which a consumer claims deliveries and records their results. */
import { sql } from "drizzle-orm";
import { type EventFacts, factsOf, findFacts } from "#areas/webhooks/chat/event-facts.ts";
import type { Delivery, Webhook } from "#areas/webhooks/webhook.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { type Db, runBatch, type Statement } from "#platform/db/client.ts";
import type { Trace } from "#platform/trace.ts";
import { events } from "#schema/events.ts";
import type { Limits } from "#schema/lists/plans.ts";
import {
  type DeliveryLane,
  type WebhookAttempt,
  webhookAttempts,
  webhookDeliveries,
  webhooks,
} from "#schema/webhooks.ts";
import type { NextState } from "./after-attempt.ts";
import { answerSizes, countAnswers, belowAnswerLimit } from "./answer-limit.ts";
import { holdStatements, isHeldBack, isRecorded } from "./circuit.ts";
import { LANE_LIMIT, underWay, waitStatement } from "./lane-limit.ts";

/** Longer than an attempt with its recording. After a crash, a delivery waits this long. */
export const LEASE_MS = 60_000;
/** Tolerates clock differences: otherwise a message that arrives early would be lost until the next sweep. */
const EARLY_MS = 1_000;

/** A delivery that only this consumer may send until its lease lapses. */
export interface Claimed {
  delivery: Delivery;
  /** Undefined: the webhook was deleted. */
  webhook: Webhook | undefined;
  /** The event as it is stored. Undefined: it was pruned. */
  payload: string | undefined;
  /** The facts for chat messages. Undefined: the webhook's format is `standard`. */
  facts: EventFacts | undefined;
  /** The trace of the request that caused the event. */
  trace: Trace | undefined;
  /** The length of the chain of triggers that caused the event; 0: none did. */
  hops: number;
}

export interface Claims {
  claimed: readonly Claimed[];
  /** Deliveries for the other queue or a later time: for slow receivers, probes of open circuits, or due again. */
  elsewhere: readonly { to: DeliveryRef; slow: boolean; dueAtMs: number }[];
}

/**
 * Claims the deliveries that are due and not leased, in one round trip; of two consumers with the same message, one
 * gets the delivery. In a second round trip, deliveries with an open circuit are held, and deliveries beyond the lane
 * limit wait. The others need no action.
 */
export async function claimDeliveries(
  db: Db,
  refs: readonly DeliveryRef[],
  context: { nowMs: number; lane: DeliveryLane },
): Promise<Claims> {
  const { nowMs, lane } = context;
  const d = webhookDeliveries;
  const leaseUntilMs = nowMs + LEASE_MS;
  const isNamed = sql`(${d.tenantId}, ${d.id}) IN ${keysOf(refs)}`;
  // Ended and held deliveries have no due time.
  const isFree = sql`${d.dueAtMs} <= ${nowMs + EARLY_MS} AND ${d.leaseUntilMs} <= ${nowMs}`;
  const isOfOtherLane = lane === "fast" ? sql`w.slow = 1` : sql`0`;
  // Others of the batch are claimed at the same time, in the order of their ids.
  const before = sql`(SELECT count(*) FROM json_each(${JSON.stringify(refs)})
    WHERE value ->> 'tenantId' = ${d.tenantId} AND value ->> 'id' < ${d.id})`;
  const isBelowLimit = sql`${underWay(sql`${d.tenantId}`, lane, nowMs)} + ${before} < ${LANE_LIMIT}`;
  const isHeld = sql`${isNamed} AND ${d.leaseUntilMs} = ${leaseUntilMs}`;
  const [deliveries, receivers, payloads, facts, waiting] = await runBatch(db, [
    db
      .update(d)
      .set({ leaseUntilMs, waitsIn: null })
      .where(
        sql`${isNamed} AND ${isFree} AND ${isBelowLimit} AND NOT EXISTS (SELECT 1 FROM ${webhooks} w WHERE w.id = ${d.webhookId}
          AND (${isOfOtherLane} OR ${isHeldBack(sql`${d.id}`)}))`,
      )
      .returning(),
    db
      .select()
      .from(webhooks)
      .where(sql`${webhooks.id} IN (SELECT ${d.webhookId} FROM ${d} WHERE ${isHeld})`),
    db.all<{
      tenantId: string;
      id: string;
      payload: string;
      trace: string | null;
      hops: number | null;
    }>(
      sql`SELECT tenant_id AS tenantId, id, payload, trace, hops FROM ${events}
        WHERE (tenant_id, id) IN (SELECT ${d.eventTenantId}, ${d.eventId} FROM ${d} WHERE ${isHeld})`,
    ),
    findFacts(db, isHeld),
    // Deliveries that are still free after the claim.
    db.all<DeliveryRef & { why: "slow" | "held" | "over" }>(
      sql`SELECT d.tenant_id AS tenantId, d.id AS id,
          CASE WHEN ${isOfOtherLane} THEN 'slow' WHEN ${isHeldBack(sql`d.id`)} THEN 'held' ELSE 'over' END AS why
        FROM ${d} d LEFT JOIN ${webhooks} w ON w.id = d.webhook_id AND w.tenant_id = d.tenant_id
        WHERE ${isTaken(refs, nowMs)}`,
    ),
  ]);
  const claimed = deliveries.map((delivery) => {
    const event = payloads.find(
      ({ id, tenantId }) => id === delivery.eventId && tenantId === delivery.eventTenantId,
    );
    const trace = event?.trace ?? undefined;
    const told = facts.find(
      ({ id, tenantId }) => id === delivery.id && tenantId === delivery.tenantId,
    );
    return {
      delivery,
      webhook: receivers.find((webhook) => webhook.id === delivery.webhookId),
      payload: event?.payload,
      facts: told && factsOf(told),
      trace: trace === undefined ? undefined : (JSON.parse(trace) as Trace),
      hops: event?.hops ?? 0,
    };
  });
  const because = (why: (typeof waiting)[number]["why"]) =>
    waiting.filter((one) => one.why === why).map(({ tenantId, id }) => ({ tenantId, id }));
  return {
    claimed,
    elsewhere: [
      ...because("slow").map((to) => ({ to, slow: true, dueAtMs: nowMs })),
      ...(await putAside(db, { held: because("held"), over: because("over") }, context)).map(
        (one) => ({ ...one, slow: lane === "slow" }),
      ),
    ],
  };
}

/**
 * Holds the deliveries with an open circuit, and makes those beyond the lane limit wait. Returns deliveries to notify
 * the queue of: probes, and those that became free meanwhile.
 */
async function putAside(
  db: Db,
  { held, over }: { held: readonly DeliveryRef[]; over: readonly DeliveryRef[] },
  { nowMs, lane }: { nowMs: number; lane: DeliveryLane },
): Promise<{ to: DeliveryRef; dueAtMs: number }[]> {
  if (held.length + over.length === 0) return [];
  const [setProbes, hold] = holdStatements(db, isTaken(held, nowMs), nowMs);
  const wait = waitStatement(db, isTaken(over, nowMs), lane, nowMs);
  const [, isHeld, waits] = await runBatch(db, [setProbes, hold, wait]);
  const isOf = (to: DeliveryRef) => (one: DeliveryRef) =>
    one.id === to.id && one.tenantId === to.tenantId;
  return [
    ...held.flatMap((to) => {
      const found = isHeld.find(isOf(to));
      if (found === undefined) return [{ to, dueAtMs: nowMs }];
      return found.dueAtMs === null ? [] : [{ to, dueAtMs: found.dueAtMs }];
    }),
    ...over.filter((to) => !waits.some(isOf(to))).map((to) => ({ to, dueAtMs: nowMs })),
  ];
}

function keysOf(refs: readonly DeliveryRef[]) {
  return sql`(SELECT value ->> 'tenantId', value ->> 'id' FROM json_each(${JSON.stringify(refs)}))`;
}

/** Holds for a delivery `d` of these that is due and not leased. */
function isTaken(refs: readonly DeliveryRef[], nowMs: number) {
  return sql`(d.tenant_id, d.id) IN ${keysOf(refs)}
    AND d.due_at_ms <= ${nowMs + EARLY_MS} AND d.lease_until_ms <= ${nowMs}`;
}

/** The result of one attempt. */
export interface Attempted {
  delivery: Delivery;
  /** The webhook as it was when the delivery was claimed. */
  webhook: Webhook;
  attempt: WebhookAttempt;
  next: NextState;
}

/**
 * Writes the attempts, the deliveries' next states and the size of the answers; writes nothing for a delivery
 * whose lease another consumer has taken.
 */
export function attemptStatements(
  db: Db,
  all: readonly Attempted[],
  context: { limits: Limits; nowMs: number },
): Statement[] {
  if (all.length === 0) return [];
  const attempts = all.map(({ attempt }) => attempt);
  const sizes = answerSizes(attempts);
  const rows = all.map(({ delivery, attempt, next }, at) => ({
    ...attempt,
    answerBytes: 0,
    bytesBefore: 0,
    ...sizes[at],
    requestHeaders: JSON.stringify(attempt.requestHeaders),
    state: next.state,
    dueAtMs: next.dueAtMs,
    endedAtMs: endedAtMs(attempt),
    leaseUntilMs: delivery.leaseUntilMs,
  }));
  const list = sql`json_each(${JSON.stringify(rows)}) j`;
  const of = (name: keyof (typeof rows)[number]) => sql`j.value ->> ${sql.raw(`'${name}'`)}`;
  const isStillHeld = sql`webhook_deliveries.tenant_id = ${of("tenantId")} AND webhook_deliveries.id = ${of("deliveryId")}
    AND webhook_deliveries.lease_until_ms = ${of("leaseUntilMs")}`;
  const size = { answerBytes: of("answerBytes"), bytesBefore: of("bytesBefore") };
  const keepsAnswer = belowAnswerLimit(of("tenantId"), size, context);
  return [
    db.run(sql`INSERT INTO ${webhookAttempts} (tenant_id, id, webhook_id, delivery_id, number, started_at_ms,
        duration_ms, status, error_class, request_headers, answer, answer_cut, next_try_at_ms)
      SELECT ${of("tenantId")}, ${of("id")}, ${of("webhookId")}, ${of("deliveryId")}, ${of("number")},
        ${of("startedAtMs")}, ${of("durationMs")}, ${of("status")}, ${of("errorClass")}, ${of("requestHeaders")},
        CASE WHEN ${keepsAnswer} THEN ${of("answer")} ELSE '' END,
        CASE WHEN ${keepsAnswer} THEN ${of("answerCut")} ELSE 1 END, ${of("nextTryAtMs")}
      FROM ${list} JOIN ${webhookDeliveries} ON ${isStillHeld}`),
    db.run(sql`UPDATE ${webhookDeliveries} SET state = ${of("state")}, attempts = ${of("number")},
        due_at_ms = ${of("dueAtMs")}, lease_until_ms = 0, updated_at_ms = ${of("endedAtMs")}
      FROM ${list} WHERE ${isStillHeld}`),
    ...countAnswers(db, attempts, context.nowMs),
  ];
}

/**
 * Updates the webhook's health after an attempt. A success writes nothing if the webhook was healthy when the
 * delivery was claimed: a failure recorded since then was simultaneous, so neither cancels the other.
 */
export function healthStatements(db: Db, { webhook, attempt, next }: Attempted): Statement[] {
  const w = webhooks;
  const isSuccess = attempt.errorClass === null;
  const wasWell = webhook.failuresInRow === 0 && webhook.failingSinceMs === null;
  if (isSuccess && wasWell && webhook.slow === next.slow) return [];
  const health = isSuccess
    ? { failingSinceMs: null, failingEventId: null, failuresInRow: 0 }
    : {
        failingSinceMs: sql`coalesce(${w.failingSinceMs}, ${endedAtMs(attempt)})`,
        failuresInRow: sql`${w.failuresInRow} + 1`,
      };
  return [
    db
      .update(w)
      .set({ ...health, slow: next.slow })
      .where(
        sql`${w.id} = ${webhook.id} AND ${w.tenantId} = ${webhook.tenantId} AND ${isRecorded(attempt)}`,
      ),
  ];
}

function endedAtMs(attempt: WebhookAttempt): number {
  return attempt.startedAtMs + attempt.durationMs;
}

/** Cancels a delivery that cannot be sent. */
export function cancelStatement(db: Db, delivery: Delivery, atMs: number): Statement {
  return db
    .update(webhookDeliveries)
    .set({ state: "CANCELED", dueAtMs: null, leaseUntilMs: 0, updatedAtMs: atMs })
    .where(holds(delivery));
}

/** The end of the lease identifies its holder: a later claim has a later end. */
function holds(delivery: Delivery) {
  const d = webhookDeliveries;
  return sql`${d.tenantId} = ${delivery.tenantId} AND ${d.id} = ${delivery.id}
    AND ${d.leaseUntilMs} = ${delivery.leaseUntilMs}`;
}
