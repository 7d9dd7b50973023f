import type { ListFilters } from "#http/lists/list-rows.ts";
import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { findApiKey, findApiKeys, findMyApiKeys, type ShownKey } from "./store.ts";

export async function getApiKey(call: Call, id: string): Promise<ShownKey> {
  const [key] = await call.read(one(findApiKey(call, id), "API key"));
  return key;
}

export async function listApiKeys<V>(
  call: Call,
  query: ListFilters & PageQuery,
  view: (key: ShownKey) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, ...filters } = query;
  const signed = { list: "api-keys", ...filters };
  const page = await openPage(call, query, signed);
  const [rows] = await call.read(findApiKeys(call, page, filters));
  return closePage(call, page, signed, rows, view);
}

export async function listMyApiKeys<V>(
  call: Call,
  query: PageQuery,
  view: (key: ShownKey) => V,
): Promise<Page<V>> {
  const filters = { list: "my-api-keys" };
  const page = await openPage(call, query, filters);
  const [rows] = await call.read(findMyApiKeys(call, page));
  return closePage(call, page, filters, rows, view);
}
