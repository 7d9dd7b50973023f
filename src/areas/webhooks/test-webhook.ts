import { type Call, ringDeliveries } from "#platform/call.ts";
import { ApiError, notFound } from "#platform/errors.ts";
import { audit } from "#platform/audit.ts";
import { event, eventStatements } from "#platform/outbox.ts";
import {
  countTests,
  findWebhook,
  insertDelivery,
  MAX_TESTS_A_MINUTE,
  roomForTest,
} from "./store.ts";
import { newDelivery } from "./new-delivery.ts";
import { type Delivery, requireEnabled } from "./webhook.ts";

/**
 * Sends `webhook.test` to this webhook alone. The limit is counted twice: before, for the answer that names
 * it, and in the commit, where two at the same time cannot both be the tenth. The one that is too late there
 * meets a `conflict`, is run again, and then gets that answer.
 */
export async function testWebhook(call: Call, id: string): Promise<Delivery> {
  const [[webhook], [counted]] = await call.read(findWebhook(call, id), countTests(call, id));
  if (webhook === undefined) throw notFound("webhook");
  requireEnabled(webhook);
  if ((counted?.tests ?? 0) >= MAX_TESTS_A_MINUTE)
    throw new ApiError(
      "rate_limited",
      `At most ${MAX_TESTS_A_MINUTE} test deliveries a minute. Wait and try again.`,
      { headers: { "retry-after": "60" } },
    );
  const { tenantId } = webhook;
  const eventId = call.newId();
  const delivery = newDelivery(call, webhook, {
    eventTenantId: tenantId,
    eventId,
    eventType: "webhook.test",
    manual: false,
  });
  const [insertEvent] = eventStatements(
    call.db,
    event("webhook.test", { tenantId, id, sequence: webhook.version }),
    { id: eventId, atMs: call.now },
  );
  return call.commit(delivery, [
    call.require("conflict", roomForTest(tenantId, call.now)),
    insertEvent,
    insertDelivery(call, delivery),
    audit("webhook.test", { tenantId, type: "webhook", id }, { after: delivery }),
    ringDeliveries([delivery]),
  ]);
}
