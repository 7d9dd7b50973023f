import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { type ApiKey, findApiKey, findApiKeys } from "./store.ts";

export async function getApiKey(call: Call, id: string): Promise<ApiKey> {
  const [key] = await call.read(one(findApiKey(call, id), "API key"));
  return key;
}

export async function listApiKeys<V>(
  call: Call,
  query: { limit: number; cursor?: string | undefined; tenantId?: string | undefined },
  view: (key: ApiKey) => V,
): Promise<Page<V>> {
  const filters = { list: "api-keys", tenantId: query.tenantId };
  const page = await openPage(call, query, filters);
  const [rows] = await call.read(findApiKeys(call, page, query.tenantId));
  return closePage(call, page, filters, rows, view);
}
