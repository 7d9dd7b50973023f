import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Template } from "#schema/templates.ts";
import { findTemplate, findTemplates, type TemplateFilters } from "./store.ts";

export async function getTemplate(call: Call, id: string): Promise<Template> {
  const [template] = await call.read(one(findTemplate(call, id), "template"));
  return template;
}

export async function listTemplates<V>(
  call: Call,
  query: { limit: number; cursor?: string | undefined } & TemplateFilters,
  view: (template: Template) => V,
): Promise<Page<V>> {
  const { tenantId, q } = query;
  const filters = { list: "templates", tenantId, q };
  const page = await openPage(call, query, filters);
  const [rows] = await call.read(findTemplates(call, page, filters));
  return closePage(call, page, filters, rows, view);
}
