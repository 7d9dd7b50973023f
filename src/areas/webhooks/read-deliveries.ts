import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { DeliveryState, WebhookAttempt } from "#schema/webhooks.ts";
import { findAttempts, findDeliveries, findDelivery, findSentEvent, findWebhook } from "./store.ts";
import type { Delivery } from "./webhook.ts";

export interface DeliveryDetail extends Delivery {
  made: readonly WebhookAttempt[];
  /** The event, as it is sent. Undefined: it is not kept any more. */
  payload: string | undefined;
}

export async function getDelivery(
  call: Call,
  webhookId: string,
  id: string,
): Promise<DeliveryDetail> {
  const [, delivery, made, [event]] = await call.read(
    one(findWebhook(call, webhookId), "webhook"),
    one(findDelivery(call, webhookId, id), "delivery"),
    findAttempts(call, webhookId, id),
    findSentEvent(call, webhookId, id),
  );
  return { ...delivery, made, payload: event?.payload };
}

export async function listDeliveries<V>(
  call: Call,
  webhookId: string,
  query: {
    limit: number;
    cursor?: string | undefined;
    status?: DeliveryState | undefined;
    eventType?: string | undefined;
    since?: string | undefined;
  },
  view: (delivery: Delivery) => V,
): Promise<Page<V>> {
  const { status, eventType } = query;
  const sinceMs = query.since === undefined ? undefined : Date.parse(query.since);
  const filters = { list: "deliveries", webhookId, status, eventType, sinceMs };
  const page = await openPage(call, query, filters);
  const [, rows] = await call.read(
    one(findWebhook(call, webhookId), "webhook"),
    findDeliveries(call, webhookId, page, { state: status, eventType, sinceMs }),
  );
  return closePage(call, page, filters, rows, view);
}
