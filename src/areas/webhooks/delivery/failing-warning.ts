import { sql } from "drizzle-orm";
import type { Webhook } from "#areas/webhooks/webhook.ts";
import type { PageSettings } from "#kernel/identity/page-url.ts";
import { event, eventStatements } from "#kernel/outbox/outbox.ts";
import type { Db } from "#platform/db/client.ts";
import { timestamp } from "#platform/timestamp.ts";
import { type WebhookAttempt, webhooks } from "#schema/webhooks.ts";
import { FAILING_LIMIT_MS } from "./after-attempt.ts";
import { isRecorded, type Step } from "./circuit.ts";

const WARNING_MS = FAILING_LIMIT_MS / 2;

/**
 * Sends `webhook.failing` to the tenant's other webhooks when half of the time until the webhook is disabled has
 * passed, once until the next success. The row remembers the event's id, so one of two simultaneous failures creates
 * the event, with its `eventId`.
 */
export function failingWarning(
  { db, env }: { db: Db; env: PageSettings },
  webhook: Webhook,
  attempt: WebhookAttempt,
  eventId: string,
): Step[] {
  const { tenantId, id, failingSinceMs } = webhook;
  const atMs = attempt.startedAtMs + attempt.durationMs;
  const isLong = failingSinceMs !== null && atMs - failingSinceMs >= WARNING_MS;
  if (attempt.errorClass === null || !isLong || webhook.failingEventId !== null) return [];
  const [insertEvent, insertDeliveries] = eventStatements(
    db,
    event(
      "webhook.failing",
      { tenantId, id, sequence: webhook.version },
      {
        failingSince: timestamp(failingSinceMs),
        disabledAfter: timestamp(failingSinceMs + FAILING_LIMIT_MS),
        webhookUrl: `/api/v1/webhooks/${id}`,
      },
      {
        condition: sql`EXISTS (SELECT 1 FROM ${webhooks} w
          WHERE w.tenant_id = ${tenantId} AND w.id = ${id} AND w.failing_event_id = ${eventId})`,
        exceptWebhookId: id,
      },
    ),
    { id: eventId, env, atMs },
  );
  const claim = db.run(sql`UPDATE ${webhooks} SET failing_event_id = ${eventId}
    WHERE tenant_id = ${tenantId} AND id = ${id} AND state = 'ENABLED' AND failing_event_id IS NULL
      AND failing_since_ms <= ${atMs - WARNING_MS} AND ${isRecorded(attempt)}`);
  return [
    { statement: claim, notifies: false },
    { statement: insertEvent, notifies: false },
    { statement: insertDeliveries, notifies: true },
  ];
}
