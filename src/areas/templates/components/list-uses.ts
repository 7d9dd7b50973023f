import { sql } from "drizzle-orm";
import type * as z from "zod";
import type { TemplateUseView } from "#areas/templates/contract.ts";
import { findTemplate } from "#areas/templates/store.ts";
import { onePage } from "#http/lists/list-rows.ts";
import { closePage, openPage, type Page, type PageRequest } from "#http/lists/page.ts";
import { rowsInScope } from "#http/lists/rows-in-scope.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import { timestamp } from "#platform/timestamp.ts";
import { componentUses } from "#schema/templates.ts";

const u = componentUses;
const selectUses = selectFrom(u, {
  id: u.id,
  templateId: u.templateId,
  number: u.number,
  componentNumber: u.componentNumber,
  createdAtMs: u.createdAtMs,
  // Drizzle drops table names in selected columns.
  name: sql<string>`(SELECT t.name FROM templates t WHERE t.id = component_uses.template_id
    AND t.tenant_id = component_uses.tenant_id)`.as("name"),
});

/** The template versions in scope that use a version of the template as a component, newest first. */
export async function listTemplateUses(
  call: Call,
  templateId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Page<z.input<typeof TemplateUseView>>> {
  const filters = { list: "template-uses", templateId };
  const page = await openPage(call, query, filters);
  const [, rows] = await call.read(
    one(findTemplate(call, templateId), "template"),
    findUses(call, templateId, page),
  );
  return closePage(call, page, filters, rows, (use) => ({
    templateId: use.templateId,
    name: use.name,
    version: use.number,
    usedVersion: use.componentNumber,
    createdAt: timestamp(use.createdAtMs),
  }));
}

/** One more than the page holds. */
function findUses(call: Call, templateId: string, page: PageRequest) {
  const ofTemplate = sql`${u.componentId} = ${templateId}`;
  return selectUses.where(
    rowsInScope(call, u, page, {}, { conditions: [ofTemplate] }),
    onePage(u, page),
  );
}
