import { tooMany } from "#http/rate-limit.ts";
import { audit } from "#kernel/audit/audit.ts";
import { type Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { deliveriesNotification } from "#kernel/outbox/notify-deliveries.ts";
import { event, eventStatements } from "#kernel/outbox/outbox.ts";
import { newDelivery } from "./new-delivery.ts";
import {
  countTests,
  findWebhook,
  insertDelivery,
  MAX_TESTS_A_MINUTE,
  belowTestLimit,
} from "./store.ts";
import { type Delivery, requireEnabled } from "./webhook.ts";

/**
 * Sends `webhook.test` to this webhook only. The limit is checked twice: before the commit, for a clear
 * error, and in the commit, so that two simultaneous requests cannot exceed it. A request that fails there
 * gets `conflict`, runs again and then gets that error.
 */
export async function testWebhook(call: Call, id: string): Promise<Delivery> {
  const [webhook, [counted]] = await call.read(
    one(findWebhook(call, id), "webhook"),
    countTests(call, id),
  );
  requireEnabled(webhook);
  if ((counted?.tests ?? 0) >= MAX_TESTS_A_MINUTE)
    throw tooMany(
      `The tenant has sent ${MAX_TESTS_A_MINUTE} test deliveries within a minute, the maximum. Wait and try again.`,
      60,
      { name: "webhook_tests", quota: MAX_TESTS_A_MINUTE, windowSeconds: 60 },
    );
  const { tenantId } = webhook;
  const eventId = call.newId();
  const delivery = newDelivery(call, webhook, {
    eventTenantId: tenantId,
    eventId,
    eventType: "webhook.test",
    manual: false,
    repeatsId: null,
  });
  const [insertEvent] = eventStatements(
    call.db,
    event("webhook.test", { tenantId, id, sequence: webhook.version }),
    { id: eventId, env: call.env, atMs: call.now, trace: call.traceFor(tenantId) },
  );
  return call.commit(delivery, [
    call.require("conflict", belowTestLimit(tenantId, call.now)),
    call.write(tenantId, insertEvent),
    insertDelivery(call, delivery),
    audit("webhook.test", { tenantId, type: "webhook", id }, { after: delivery }),
    deliveriesNotification([delivery]),
  ]);
}
