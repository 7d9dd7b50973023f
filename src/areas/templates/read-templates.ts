import type { ListFilters } from "#http/lists/list-rows.ts";
import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Template } from "#schema/templates.ts";
import { findTemplate, findTemplates } from "./store.ts";

export async function getTemplate(call: Call, id: string): Promise<Template> {
  const [template] = await call.read(one(findTemplate(call, id), "template"));
  return template;
}

export async function listTemplates<V>(
  call: Call,
  query: ListFilters & PageQuery,
  view: (template: Template) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, ...filters } = query;
  const signed = { list: "templates", ...filters };
  const page = await openPage(call, query, signed);
  const [rows] = await call.read(findTemplates(call, page, filters));
  return closePage(call, page, signed, rows, view);
}
