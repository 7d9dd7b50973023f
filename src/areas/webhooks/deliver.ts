/**
 * The consumer that sends webhooks. A message is the id of a delivery, and no more than a doorbell: what is to
 * be done stands in D1. For each batch it claims what is due (one round trip), sends all of it at the same
 * time, and records each attempt with the delivery's next state as it ends; attempts that end at about the same
 * time share a round trip.
 *
 * Guarantee: every delivery is sent at least once, with the same id and the same bytes each time, and while
 * one consumer holds its lease no other sends it; so a message that comes twice sends once.
 *
 * If it dies here: before the claim, nothing happened. Between claim and record, the lease lapses after a
 * minute, the sweep rings again and the receiver may see the event twice, under one `webhook-id`. After the
 * record and before the next ring, the sweep rings when the delivery is due.
 */
import * as z from "zod";
import { audit } from "#platform/audit.ts";
import type { Bindings } from "#platform/bindings.ts";
import { Call } from "#platform/call.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { recordLostMessages } from "#platform/dead-letters.ts";
import { openDb, runBatch, type Statement } from "#platform/db/client.ts";
import { webhooks } from "#platform/db/tables.ts";
import { ApiError } from "#platform/errors.ts";
import { newId } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import { type DeliveryRing, event } from "#platform/outbox.ts";
import { type Trace, traceparentOf } from "#platform/trace.ts";
import { afterAttempt } from "./after-attempt.ts";
import {
  type Attempted,
  attemptStatements,
  cancelStatement,
  type Claimed,
  claimDeliveries,
  type Claims,
  healthStatements,
  LEASE_MS,
} from "./claim.ts";
import { circuitSteps, type Step } from "./circuit.ts";
import { failingWarning } from "./failing-warning.ts";
import { send, SEND_TIMEOUT_MS, type SendParts, type Sent, USER_AGENT } from "./send.ts";
import { signatureHeader } from "./sign.ts";
import { setWebhook } from "./store.ts";
import { guardSettings, guardUrl } from "./url-guard.ts";
import {
  closedCircuit,
  type Delivery,
  secretPlace,
  signingSecrets,
  type Webhook,
} from "./webhook.ts";

export interface DeliverParts extends SendParts {
  env: Bindings;
  /** The queue the messages came from: the slow one serves the receivers that keep others waiting. */
  lane: "fast" | "slow";
  newId: () => string;
  /** In [0, 1). */
  random: () => number;
  /** Runs on after the batch (`waitUntil`). */
  after: (work: Promise<unknown>) => void;
}

/** An invocation may wait for so many answers at once (https://developers.cloudflare.com/workers/platform/limits/). */
const MAX_CONNECTIONS = 6;
/** An attempt that ended waits so long for the others, to be recorded with them: a round trip and a write to disk less. */
const TOGETHER_MS = 20;
/** The longest delay a queue takes; the sweep rings for what is due later. */
const LONGEST_DELAY_SECONDS = 43_200;

const DeliveryMessage = z.object({ tenantId: z.string().min(1), id: z.string().min(1) });

/** Whom to ring for, in which queue, and when. */
type Rung = Claims["elsewhere"][number];

/** What became of one claimed delivery. */
type Result =
  | ({ kind: "attempted" } & Attempted)
  | { kind: "canceled"; delivery: Delivery }
  /** A fault of our own: nothing was sent. */
  | { kind: "fault"; delivery: Delivery; error: unknown };

/** The consumer of a queue, with the clock, the ids and the network of the real world. */
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
  const db = openDb(parts.env.DB);
  let claims: Claims;
  try {
    const rings = [...messages.values()].map(([ring]) => ring);
    claims = await claimDeliveries(db, rings, { nowMs: parts.now(), lane: parts.lane });
  } catch (error) {
    log("error", "Deliveries could not be claimed", { error: describeError(error) });
    for (const [, ...same] of messages.values()) for (const message of same) message.retry();
    return;
  }
  const repeat = (delivery: Delivery, error: unknown): void => {
    log("error", "A delivery failed here, not at its receiver", {
      tenantId: delivery.tenantId,
      deliveryId: delivery.id,
      error: describeError(error),
    });
    const [, ...same] = messages.get(keyOf(delivery)) ?? [];
    // Not before the lease has lapsed: until then nobody can claim it, this consumer included.
    for (const message of same) message.retry({ delaySeconds: LEASE_MS / 1000 + 1 });
  };
  await ring(parts, claims.elsewhere);

  const finished: Result[] = [];
  const waiting = [...claims.claimed];
  const running = new Map<Claimed, Promise<void>>();
  const run = async (claimed: Claimed): Promise<void> => {
    finished.push(await attempt(claimed, parts));
    running.delete(claimed);
  };
  while (waiting.length + running.size + finished.length > 0) {
    for (const claimed of waiting.splice(0, MAX_CONNECTIONS - running.size))
      running.set(claimed, run(claimed));
    // Some may have ended while others were recorded.
    if (finished.length === 0) await Promise.race(running.values());
    if (waiting.length === 0) await within(TOGETHER_MS, Promise.all(running.values()));
    await record(finished.splice(0), parts, repeat);
  }
}

/** Waits for the work, and no longer than so many milliseconds. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}

type Messages = Map<string, [ring: DeliveryRing, ...messages: Message[]]>;

/** The well-formed messages by delivery, each with its repetitions. The others never will be. */
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

function keyOf({ tenantId, id }: DeliveryRing): string {
  return `${tenantId} ${id}`;
}

/** Sends once, if there is anywhere to send to. Never throws. */
async function attempt(claimed: Claimed, parts: DeliverParts): Promise<Result> {
  const { delivery, webhook, payload, trace } = claimed;
  if (webhook === undefined || webhook.state === "DISABLED" || payload === undefined)
    return { kind: "canceled", delivery };
  try {
    const startedAtMs = parts.now();
    const guarded = guardUrl(webhook.url, guardSettings(parts.env));
    const headers = guarded.ok
      ? await signedHeaders(
          webhook,
          { id: delivery.eventId, payload, trace },
          startedAtMs,
          parts.env,
        )
      : {};
    const sent: Sent = guarded.ok
      ? await send({ url: guarded.url, headers, body: payload }, parts)
      : {
          status: null,
          errorClass: "url_not_allowed",
          durationMs: 0,
          answer: guarded.reason,
          answerCut: false,
        };
    const number = delivery.attempts + 1;
    const nowMs = parts.now();
    const next = afterAttempt({ attempts: number, manual: delivery.manual }, sent, {
      nowMs,
      failingSinceMs: webhook.failingSinceMs ?? nowMs,
      random: parts.random(),
    });
    const { status, errorClass, durationMs, answer, answerCut } = sent;
    return {
      kind: "attempted",
      delivery,
      webhook,
      next,
      attempt: {
        tenantId: delivery.tenantId,
        id: parts.newId(),
        webhookId: webhook.id,
        deliveryId: delivery.id,
        number,
        startedAtMs,
        durationMs,
        status,
        errorClass,
        requestHeaders: headers,
        answer,
        answerCut,
        nextTryAtMs: next.dueAtMs,
      },
    };
  } catch (error) {
    return { kind: "fault", delivery, error };
  }
}

async function signedHeaders(
  webhook: Webhook,
  message: { id: string; payload: string; trace: Trace | undefined },
  nowMs: number,
  env: Bindings,
): Promise<Record<string, string>> {
  const sealer = sealerFrom(env.SEALING_KEYS);
  const secrets = await Promise.all(
    signingSecrets(webhook, nowMs).map((sealed) => sealer.open(sealed, secretPlace(webhook))),
  );
  const timestampSeconds = Math.floor(nowMs / 1000);
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    ...(message.trace === undefined ? {} : { traceparent: traceparentOf(message.trace) }),
    "webhook-id": message.id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": await signatureHeader(secrets, {
      id: message.id,
      timestampSeconds,
      body: message.payload,
    }),
  };
}

/** Writes what became of the deliveries, in one batch, then rings for their next tries. */
async function record(
  finished: readonly Result[],
  parts: DeliverParts,
  repeat: (delivery: Delivery, error: unknown) => void,
): Promise<void> {
  const db = openDb(parts.env.DB);
  const together: Exclude<Result, { kind: "fault" }>[] = [];
  for (const result of finished) {
    if (result.kind === "fault") repeat(result.delivery, result.error);
    else if (result.kind === "canceled" || result.next.disable === undefined) together.push(result);
    else if (!(await recordAndDisable(result, result.next.disable, parts))) together.push(result);
  }
  if (together.length === 0) return;
  const attempted = together.filter((result) => result.kind === "attempted");
  const steps: Step[] = [
    ...together
      .filter((result) => result.kind === "canceled")
      .map(({ delivery }) => quiet(cancelStatement(db, delivery, parts.now()))),
    ...attemptStatements(db, attempted).map(quiet),
    ...attempted.flatMap((result): Step[] => [
      ...healthStatements(db, result).map(quiet),
      ...circuitSteps(db, result, result.attempt),
      ...failingWarning(db, result.webhook, result.attempt, parts.newId()),
    ]),
  ];
  let results: unknown[];
  try {
    results = await runBatch(
      db,
      steps.map(({ statement }) => statement),
    );
  } catch (error) {
    for (const { delivery } of together) repeat(delivery, error);
    return;
  }
  const nowMs = parts.now();
  const again = attempted.flatMap(({ delivery, next }): Rung[] =>
    next.dueAtMs === null ? [] : [{ to: delivery, slow: next.slow, dueAtMs: next.dueAtMs }],
  );
  // Whoever of these is slow, the consumer of the fast queue hands on.
  const freed = steps.flatMap(({ rings }, at): Rung[] =>
    rings
      ? (results[at] as (DeliveryRing & { dueAtMs?: number })[]).map((to) => ({
          to,
          slow: false,
          dueAtMs: to.dueAtMs ?? nowMs,
        }))
      : [],
  );
  await ring(parts, [...again, ...freed]);
}

function quiet(statement: Statement): Step {
  return { statement, rings: false };
}

/**
 * Records the attempt and disables the webhook in one commit. False, and nothing written, when the webhook was
 * changed since it was loaded: whoever changed it may have mended it, so its next delivery decides anew.
 */
async function recordAndDisable(
  result: Extract<Result, { kind: "attempted" }>,
  reason: "gone" | "failing",
  parts: DeliverParts,
): Promise<boolean> {
  const { webhook: before } = result;
  const nowMs = parts.now();
  const db = openDb(parts.env.DB);
  const call = new Call({
    env: parts.env,
    db,
    now: nowMs,
    newId: parts.newId,
    requestId: result.attempt.id,
    caller: { kind: "system", name: "webhooks" },
    access: "public",
    after: parts.after,
  });
  const changes = {
    state: "DISABLED",
    disabledReason: reason,
    ...closedCircuit,
    version: before.version + 1,
    updatedAtMs: nowMs,
  } as const;
  const resource = { tenantId: before.tenantId, type: "webhook", id: before.id };
  try {
    await call.commit(undefined, [
      call.requireVersion(webhooks, before),
      ...attemptStatements(db, [result]),
      ...healthStatements(db, result),
      setWebhook(call, before, changes),
      audit("webhook.disable", resource, { before, after: { ...before, ...changes } }),
      event("webhook.disabled", { ...resource, sequence: changes.version }, { reason }),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "conflict"))
      log("error", "A webhook could not be disabled", {
        webhookId: before.id,
        error: describeError(error),
      });
    return false;
  }
}

/** A ring that is lost costs a minute: the sweep rings for all that is due. */
async function ring(parts: DeliverParts, rings: readonly Rung[]): Promise<void> {
  const nowMs = parts.now();
  for (const slow of [false, true]) {
    const messages = rings
      .filter((one) => one.slow === slow)
      .map(({ to, dueAtMs }) => ({
        body: { tenantId: to.tenantId, id: to.id },
        delaySeconds: Math.max(0, Math.ceil((dueAtMs - nowMs) / 1000)),
      }))
      .filter(({ delaySeconds }) => delaySeconds <= LONGEST_DELAY_SECONDS);
    if (messages.length === 0) continue;
    const queue = slow ? parts.env.WEBHOOKS_SLOW_QUEUE : parts.env.WEBHOOKS_QUEUE;
    try {
      await queue.sendBatch(messages);
    } catch (error) {
      log("warn", "A queue could not be rung; the sweep will", { error: describeError(error) });
    }
  }
}
