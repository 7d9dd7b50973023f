import { audit } from "#kernel/audit/audit.ts";
import { type Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { deliveriesNotification } from "#kernel/outbox/notify-deliveries.ts";
import { newDelivery } from "./new-delivery.ts";
import { eventIsKept, findDelivery, findWebhook, insertDelivery, setRepeatedBy } from "./store.ts";
import { type Delivery, requireEnabled } from "./webhook.ts";

/** Creates a delivery of the same event, with the same `webhook-id` and bytes: one attempt, no retries. */
export async function redeliver(
  call: Call,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  const [webhook, earlier] = await call.read(
    one(findWebhook(call, webhookId), "webhook"),
    one(findDelivery(call, webhookId, deliveryId), "delivery"),
  );
  requireEnabled(webhook);
  const { eventTenantId, eventId, eventType } = earlier;
  const repeatsId = earlier.repeatsId ?? earlier.id;
  const delivery = newDelivery(call, webhook, {
    eventTenantId,
    eventId,
    eventType,
    manual: true,
    repeatsId,
  });
  const resource = { tenantId: webhook.tenantId, type: "webhook", id: webhookId };
  return call.commit(delivery, [
    call.require("not_found", eventIsKept(earlier)),
    insertDelivery(call, delivery),
    setRepeatedBy(call, delivery, repeatsId),
    audit("webhook.redeliver", resource, { after: delivery }),
    deliveriesNotification([delivery]),
  ]);
}
