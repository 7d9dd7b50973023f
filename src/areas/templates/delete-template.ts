import { sql } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { requireNoDependents } from "#kernel/call/dependents.ts";
import { one } from "#kernel/call/one.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { instances } from "#schema/instances.ts";
import { listings } from "#schema/listings.ts";
import { componentUses, templates } from "#schema/templates.ts";
import { requireOwnTemplate } from "./own-template.ts";
import {
  findTemplate,
  findTemplateDependents,
  removeComponentUses,
  removeTemplate,
  removeTemplateVersions,
} from "./store.ts";

/** The commit checks that nothing uses the template, including instances created at the same time. */
export async function deleteTemplate(call: Call, id: string): Promise<void> {
  const [before, dependents] = await call.read(
    one(findTemplate(call, id), "template"),
    findTemplateDependents(call, id),
  );
  requireOwnTemplate(call, before);
  call.expectVersion(before.version);
  requireNoDependents("template", dependents, "Delete these first, then repeat the request.");
  const { tenantId } = before;
  const resource = { tenantId, type: "template", id };
  await call.commit(undefined, [
    call.requireVersion(templates, before),
    call.require(
      "in_use",
      sql`NOT EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.templateId} = ${id} AND ${instances.tenantId} IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM ${componentUses} WHERE ${componentUses.componentId} = ${id} AND ${componentUses.tenantId} IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM ${listings} WHERE ${listings.tenantId} = ${tenantId} AND ${listings.templateId} = ${id})`,
    ),
    removeComponentUses(call, before),
    removeTemplateVersions(call, before),
    removeTemplate(call, before),
    audit("template.delete", resource, { before }),
    event(
      "template.deleted",
      { ...resource, sequence: before.version + 1 },
      {},
      { name: before.name },
    ),
  ]);
}
