import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { findWebhook, findWebhooks, type WebhookFilters } from "./store.ts";
import type { Webhook } from "./webhook.ts";

export async function getWebhook(call: Call, id: string): Promise<Webhook> {
  const [webhook] = await call.read(one(findWebhook(call, id), "webhook"));
  return webhook;
}

export async function listWebhooks<V>(
  call: Call,
  query: WebhookFilters & PageQuery,
  view: (webhook: Webhook) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, ...filters } = query;
  const signed = { list: "webhooks", ...filters };
  const page = await openPage(call, query, signed);
  const [rows] = await call.read(findWebhooks(call, page, filters));
  return closePage(call, page, signed, rows, view);
}
