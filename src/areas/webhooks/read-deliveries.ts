import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { notFound } from "#kernel/errors.ts";
import type { DeliveryState, WebhookAttempt } from "#schema/webhooks.ts";
import { findAttempts, findDeliveries, findDelivery, findWebhook } from "./store.ts";
import type { Delivery } from "./webhook.ts";

export interface DeliveryDetail extends Delivery {
  made: readonly WebhookAttempt[];
}

export async function getDelivery(
  call: Call,
  webhookId: string,
  id: string,
): Promise<DeliveryDetail> {
  const [[webhook], [delivery], made] = await call.read(
    findWebhook(call, webhookId),
    findDelivery(call, webhookId, id),
    findAttempts(call, webhookId, id),
  );
  if (webhook === undefined) throw notFound("webhook");
  if (delivery === undefined) throw notFound("delivery");
  return { ...delivery, made };
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
  const [[webhook], rows] = await call.read(
    findWebhook(call, webhookId),
    findDeliveries(call, webhookId, page, { state: status, eventType, sinceMs }),
  );
  if (webhook === undefined) throw notFound("webhook");
  return closePage(call, page, filters, rows, view);
}
