/**
 * The consumer that sends webhooks. A message carries only the id of a delivery; the work itself is in D1. For each
 * batch it claims the due deliveries (one round trip), sends all in parallel, and records each attempt with the
 * delivery's next state as it ends.
 *
 * Only the claim and the sending hold up the queue, which hands out its batches one after the other. The record, and
 * receivers that do not answer soon, go on in the background (`waitUntil`, with the compatibility flag
 * `queue_consumer_no_wait_for_wait_until`). The lane limit bounds each tenant's deliveries under way (lane-limit.ts,
 * decision 0028).
 *
 * Guarantee: every delivery is sent at least once, each time with the same id and bytes. While one consumer holds its
 * lease no other sends it, so a repeated message sends once.
 *
 * If it dies before the claim, nothing has happened. Between claim and record, the lease lapses after a minute, the
 * sweep sends the message again and the receiver may get the event twice, with the same `webhook-id`. After the record,
 * the sweep sends the next message when the delivery is due. The same sweep serves an attempt that cannot be recorded:
 * its message has been acknowledged.
 */
import * as z from "zod";
import type { Delivery } from "#areas/webhooks/webhook.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { recordLostMessages } from "#kernel/dead-letters/dead-letters.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import { SLOW_MS } from "./after-attempt.ts";
import { attemptAll } from "./attempt-all.ts";
import { type Claims, LEASE_MS, claimDeliveries } from "./claim.ts";
import type { DeliverParts } from "./deliver-parts.ts";
import { notifyConsumers } from "./notify-consumers.ts";
import { SEND_TIMEOUT_MS } from "./send.ts";
import { within } from "./within.ts";

/** Most receivers answer within this time. A slower one in a batch delays the queue by it. */
const PATIENCE_MS = 50;
const DeliveryMessage = z.object({ tenantId: z.string().min(1), id: z.string().min(1) });

/** The consumer of a queue with the real clock, ids and network. */
export function deliverFrom(lane: DeliverParts["lane"]) {
  return (batch: MessageBatch, env: Bindings, context: ExecutionContext): Promise<void> =>
    deliver(batch, {
      env,
      lane,
      newId,
      now: Date.now,
      random: Math.random,
      fetch: (request) => fetch(request),
      timeoutMs: SEND_TIMEOUT_MS,
      patienceMs: PATIENCE_MS,
      slowAfterMs: SLOW_MS,
      after: (work) => context.waitUntil(work),
    });
}

export async function deliver(batch: MessageBatch, parts: DeliverParts): Promise<void> {
  const { messages, unreadable } = readMessages(batch);
  if (unreadable.length > 0) {
    const { env, after } = parts;
    await recordLostMessages(unreadable, { env, queue: batch.queue, nowMs: parts.now(), after });
  }
  if (messages.size === 0) return;
  // Seam for several databases (docs/operations.md, "Past one database"): here each tenant's database is chosen.
  const db = openDb(parts.env.DB);
  let claims: Claims;
  try {
    const refs = [...messages.values()].map(([ref]) => ref);
    claims = await claimDeliveries(db, refs, { nowMs: parts.now(), lane: parts.lane });
  } catch (error) {
    log("error", "Deliveries could not be claimed", { error: describeError(error) });
    for (const [, ...same] of messages.values()) for (const message of same) message.retry();
    return;
  }
  const repeat = (delivery: Delivery, error: unknown): void => {
    log("error", "A delivery failed in the service, not at its receiver", {
      tenantId: delivery.tenantId,
      deliveryId: delivery.id,
      traceId: claims.claimed.find((one) => one.delivery === delivery)?.trace?.traceId,
      error: describeError(error),
    });
    const [, ...same] = messages.get(keyOf(delivery)) ?? [];
    // After the lease has lapsed: until then no consumer can claim the delivery, including this one.
    for (const message of same) message.retry({ delaySeconds: LEASE_MS / 1000 + 1 });
  };
  await notifyConsumers(parts, claims.elsewhere);

  const { promise: allSent, resolve: sent } = Promise.withResolvers<void>();
  parts.after(attemptAll(claims.claimed, parts, { repeat, sent }));
  if (claims.claimed.length > 0) await within(parts.patienceMs, allSent);
}

type Messages = Map<string, [ref: DeliveryRef, ...messages: Message[]]>;

/** The well-formed messages, grouped by delivery, and the malformed ones. */
function readMessages(batch: MessageBatch): { messages: Messages; unreadable: Message[] } {
  const messages: Messages = new Map();
  const unreadable: Message[] = [];
  for (const message of batch.messages) {
    const parsed = DeliveryMessage.safeParse(message.body);
    if (!parsed.success) {
      unreadable.push(message);
      continue;
    }
    const key = keyOf(parsed.data);
    const known = messages.get(key);
    if (known === undefined) messages.set(key, [parsed.data, message]);
    else known.push(message);
  }
  return { messages, unreadable };
}

function keyOf({ tenantId, id }: DeliveryRef): string {
  return `${tenantId} ${id}`;
}
