import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { findWebhook, findWebhooks } from "./store.ts";
import type { Webhook } from "./webhook.ts";

export async function getWebhook(call: Call, id: string): Promise<Webhook> {
  const [webhook] = await call.read(one(findWebhook(call, id), "webhook"));
  return webhook;
}

export async function listWebhooks<V>(
  call: Call,
  query: { limit: number; cursor?: string | undefined; tenantId?: string | undefined },
  view: (webhook: Webhook) => V,
): Promise<Page<V>> {
  const filters = { list: "webhooks", tenantId: query.tenantId };
  const page = await openPage(call, query, filters);
  const [rows] = await call.read(findWebhooks(call, page, query.tenantId));
  return closePage(call, page, filters, rows, view);
}
