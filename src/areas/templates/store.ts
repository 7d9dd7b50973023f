import { desc, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { findOwnAndPlatforms } from "#http/lists/find-own-and-platforms.ts";
import type { ListFilters } from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { type Dependent, dependentsOf } from "#kernel/call/dependents.ts";
import { changedColumns } from "#platform/db/changed-columns.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import { PLATFORM } from "#platform/ids.ts";
import { instances } from "#schema/instances.ts";
import { listings } from "#schema/listings.ts";
import {
  componentUses,
  type Template,
  templates,
  type TemplateVersion,
  templateVersions,
} from "#schema/templates.ts";
import { triggers } from "#schema/triggers.ts";

const selectTemplates = selectFrom(templates);

/** The template with this id, if the caller can read it: the caller's own or a platform template. */
export function findTemplate(call: Call, id: string) {
  return findTemplatesIn(call, sql`(${id})`);
}

/** The templates that `findTemplate` finds for these ids. `ids`: a list or a subquery, in parentheses. */
export function findTemplatesIn(call: Call, ids: SQL) {
  return selectTemplates.where(
    sql`${templates.id} IN ${ids} AND ${call.inScopeOrPlatform(templates.tenantId)}`,
  );
}

export function findTemplateDependents(call: Call, id: string) {
  const u = alias(componentUses, "u");
  return call.db.all<Dependent>(
    dependentsOf(
      sql`SELECT 'instance' AS kind, name FROM ${instances} WHERE ${instances.templateId} = ${id} AND ${call.inScope(instances.tenantId)}`,
      sql`SELECT 'template' AS kind, t.name || ' v' || u.number AS name FROM ${componentUses} u CROSS JOIN ${templates} t
        ON t.id = u.template_id AND t.tenant_id = u.tenant_id WHERE u.component_id = ${id} AND ${call.inScope(u.tenantId)}`,
      sql`SELECT 'listing' AS kind, title AS name FROM ${listings} WHERE ${listings.templateId} = ${id} AND ${call.inScope(listings.tenantId)}`,
    ),
  );
}

/** One more than the page holds: the caller's own and the platform's. */
export function findTemplates(call: Call, page: PageRequest, filters: ListFilters) {
  return findOwnAndPlatforms(call, { table: templates, select: selectTemplates }, page, filters);
}

/** This version of the template, if the caller may read it. `latest`: the highest that is not deprecated. */
export function findTemplateVersion(call: Call, templateId: string, version: number | "latest") {
  const v = templateVersions;
  return call.db
    .select()
    .from(v)
    .where(
      sql`${v.templateId} = ${templateId} AND ${call.inScopeOrPlatform(v.tenantId)}
        AND ${version === "latest" ? sql`${v.deprecatedAtMs} IS NULL` : sql`${v.number} = ${version}`}`,
    )
    .orderBy(desc(v.number))
    .limit(1);
}

/** One more than the page holds, newest first, without the long columns. */
export function findTemplateVersions(call: Call, templateId: string, page: PageRequest) {
  const v = templateVersions;
  return call.db
    .select({
      id: v.id,
      tenantId: v.tenantId,
      templateId: v.templateId,
      number: v.number,
      deprecatedAtMs: v.deprecatedAtMs,
      release: v.release,
      createdAtMs: v.createdAtMs,
    })
    .from(v)
    .where(
      sql`${v.templateId} = ${templateId} AND ${call.inScopeOrPlatform(v.tenantId)}
        AND ${page.afterId === undefined ? sql`1` : sql`${v.id} < ${page.afterId}`}`,
    )
    .orderBy(desc(v.id))
    .limit(page.limit + 1);
}

export function setTemplate(call: Call, before: Template, after: Template) {
  return call.write(
    before.tenantId,
    call.db
      .update(templates)
      .set(changedColumns(before, after))
      .where(sql`${templates.id} = ${before.id} AND ${templates.tenantId} = ${before.tenantId}`),
  );
}

export function removeTemplate(call: Call, template: Template) {
  return call.write(
    template.tenantId,
    call.db
      .delete(templates)
      .where(
        sql`${templates.id} = ${template.id} AND ${templates.tenantId} = ${template.tenantId}`,
      ),
  );
}

export function setTemplateVersion(
  call: Call,
  before: TemplateVersion,
  changes: Partial<TemplateVersion>,
) {
  const v = templateVersions;
  return call.write(
    before.tenantId,
    call.db
      .update(v)
      .set(changes)
      .where(sql`${v.id} = ${before.id} AND ${v.tenantId} = ${before.tenantId}`),
  );
}

export function removeTemplateVersions(call: Call, template: Template) {
  const v = templateVersions;
  return call.write(
    template.tenantId,
    call.db
      .delete(v)
      .where(sql`${v.templateId} = ${template.id} AND ${v.tenantId} = ${template.tenantId}`),
  );
}

export function removeComponentUses(call: Call, template: Template) {
  const u = componentUses;
  return call.write(
    template.tenantId,
    call.db
      .delete(u)
      .where(sql`${u.templateId} = ${template.id} AND ${u.tenantId} = ${template.tenantId}`),
  );
}

/** Wakes every trigger that follows the template's versions, of all tenants: platform templates are used by all. */
export function wakeVersionTriggers(
  call: Call,
  { templateId, tenantId }: Pick<TemplateVersion, "templateId" | "tenantId">,
) {
  return wakeTriggers(
    call,
    tenantId,
    sql`template_id IS NOT NULL AND ${triggers.templateId} = ${templateId} AND ${triggers.enabled} = 1
      AND ${triggers.tenantId} IS NOT NULL`,
  );
}

/** Wakes every trigger that takes releases of this template where it is a component: the platform's are all tenants'. */
export function wakeComponentTriggers(
  call: Call,
  { templateId, tenantId }: Pick<TemplateVersion, "templateId" | "tenantId">,
) {
  const u = alias(componentUses, "u");
  return wakeTriggers(
    call,
    tenantId,
    sql`condition ->> '$.components' = 1 AND ${triggers.enabled} = 1
      AND ${tenantId === PLATFORM ? sql`${triggers.tenantId} IS NOT NULL` : sql`${triggers.tenantId} = ${tenantId}`}
      AND EXISTS (SELECT 1 FROM ${componentUses} u WHERE u.template_id = ${triggers.templateId}
        AND u.component_id = ${templateId} AND ${u.tenantId} = ${triggers.tenantId})`,
  );
}

function wakeTriggers(call: Call, tenantId: string, where: SQL) {
  return call.writeAsService(
    tenantId,
    call.db
      .update(triggers)
      .set({ nextFireAtMs: call.now, version: sql`${triggers.version} + 1` })
      .where(where),
  );
}
