/**
 * Records lost messages: those that failed six times, and those that a consumer cannot parse. Messages carry ids only;
 * the work itself is in D1 or a Durable Object, and the sweeps notify again. So a lost message is recorded and
 * acknowledged: a log line with the body, an audit entry of the platform (GET /audit-events), and the platform's event
 * `message.dead_lettered`.
 *
 * The audit entry and the event are written once an hour for the same message, because the sweeps repeat work that
 * keeps failing every minute. A message about the delivery of such an event writes none, to avoid a loop. If the Worker
 * dies here, or D1 fails, the queue redelivers the batch, and the event is not duplicated.
 */
import { sql } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { isConflict } from "#kernel/call/retry-on-conflict.ts";
import { serviceCall } from "#kernel/call/service-call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { derivedId, PLATFORM } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import { timestamp } from "#platform/timestamp.ts";
import { events } from "#schema/events.ts";
import { webhookDeliveries } from "#schema/webhooks.ts";

/** The action of the audit entries. */
export const deadLetterAction = "message.dead_letter";
const SHOWN_LENGTH = 500;
const RECORD_EVERY_MS = 60 * 60 * 1000;
/** The ids that messages carry. Other members of an unreadable message are unknown data and are not passed on. */
const idNames = ["tenantId", "id", "deploymentId", "instanceId"] as const;

export async function recordDeadLetters(
  batch: MessageBatch,
  env: Bindings,
  context: ExecutionContext,
): Promise<void> {
  await recordLostMessages(batch.messages, {
    env,
    queue: batch.queue,
    nowMs: Date.now(),
    after: (work) => context.waitUntil(work),
  });
}

/** Records the messages and acknowledges them; leaves a message that cannot be recorded to the queue. */
export async function recordLostMessages(
  messages: readonly Message[],
  parts: {
    env: Bindings;
    queue: string;
    nowMs: number;
    after: (work: Promise<unknown>) => void;
  },
): Promise<void> {
  for (const message of messages) {
    const body = JSON.stringify(message.body) ?? "";
    log("error", "A message was lost", {
      queue: parts.queue,
      id: message.id,
      attempts: message.attempts,
      sentAtMs: message.timestamp.getTime(),
      body: body.slice(0, SHOWN_LENGTH),
    });
    try {
      await record(message, body, parts);
      message.ack();
    } catch (error) {
      log("error", "A lost message could not be recorded", { error: describeError(error) });
      message.retry();
    }
  }
}

async function record(
  message: Message,
  body: string,
  parts: Parameters<typeof recordLostMessages>[1],
): Promise<void> {
  const { nowMs, queue } = parts;
  const work = idsOf(message.body);
  const id = derivedId(nowMs - (nowMs % RECORD_EVERY_MS), await digestHex(`${queue}\n${body}`));
  const call = serviceCall({
    env: parts.env,
    name: "dead-letters",
    nowMs,
    requestId: id,
    after: parts.after,
  });
  const lost = {
    queue,
    attempts: message.attempts,
    sentAt: timestamp(message.timestamp.getTime()),
  };
  try {
    await call.commit(undefined, [
      call.require(
        "conflict",
        sql`NOT EXISTS (SELECT 1 FROM ${events} e WHERE e.tenant_id = ${PLATFORM} AND e.id = ${id})
          AND NOT EXISTS (SELECT 1 FROM ${webhookDeliveries} d WHERE d.tenant_id = ${work["tenantId"] ?? ""}
            AND d.id = ${work["id"] ?? ""} AND d.event_type = 'message.dead_lettered')`,
      ),
      audit(
        deadLetterAction,
        { tenantId: PLATFORM, type: "message", id: message.id },
        { after: { ...lost, body } },
      ),
      event(
        "message.dead_lettered",
        { tenantId: PLATFORM, id: message.id, sequence: message.attempts },
        { ...lost, work },
        { id },
      ),
    ]);
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}

function idsOf(body: unknown): Record<string, string> {
  if (typeof body !== "object" || body === null) return {};
  const named = body as Record<string, unknown>;
  return Object.fromEntries(
    idNames.flatMap((name) => {
      const value = Object.hasOwn(named, name) ? named[name] : undefined;
      return typeof value === "string" && value.length <= 100 ? [[name, value]] : [];
    }),
  );
}
