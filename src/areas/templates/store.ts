import { desc, type SQL, sql } from "drizzle-orm";
import type { Call } from "#platform/call.ts";
import type { PageRequest } from "#platform/http/page.ts";
import { PLATFORM } from "#platform/ids.ts";
import { templates, templateVersions } from "./tables.ts";

export interface TemplateFilters {
  tenantId?: string | undefined;
  q?: string | undefined;
}

/** The template with this id, if the caller may read it: its own, or the catalogue's. */
export function findTemplate(call: Call, id: string) {
  return call.db
    .select()
    .from(templates)
    .where(sql`${templates.id} = ${id} AND ${call.mineOrPlatform(templates.tenantId)}`);
}

/**
 * One more than the page holds, newest first. The caller's own and the catalogue's are merged as they come out
 * of their index, so no more rows are read than the page holds. An operator's own are all there are.
 */
export function findTemplates(call: Call, page: PageRequest, filters: TemplateFilters) {
  const t = templates;
  const { tenantId, q } = filters;
  const mine = call.mine(t.tenantId);
  const among = (whose: SQL) =>
    call.db
      .select()
      .from(t)
      .where(
        sql`${whose}
          AND ${tenantId === undefined ? sql`1` : sql`${t.tenantId} = ${tenantId}`}
          AND ${q === undefined ? sql`1` : sql`instr(lower(${t.name}), lower(${q})) > 0`}
          AND ${page.afterId === undefined ? sql`1` : sql`${t.id} < ${page.afterId}`}`,
      );
  return among(mine)
    .unionAll(among(sql`${t.tenantId} = ${PLATFORM} AND NOT (${mine})`))
    .orderBy(desc(t.id))
    .limit(page.limit + 1);
}

/** This version of the template, if the caller may read it. `latest`: the highest that is not deprecated. */
export function findTemplateVersion(call: Call, templateId: string, version: number | "latest") {
  const v = templateVersions;
  return call.db
    .select()
    .from(v)
    .where(
      sql`${v.templateId} = ${templateId} AND ${call.mineOrPlatform(v.tenantId)}
        AND ${version === "latest" ? sql`${v.deprecatedAtMs} IS NULL` : sql`${v.number} = ${version}`}`,
    )
    .orderBy(desc(v.number))
    .limit(1);
}

/** One more than the page holds, newest first, without what is long. */
export function findTemplateVersions(call: Call, templateId: string, page: PageRequest) {
  const v = templateVersions;
  return call.db
    .select({
      id: v.id,
      tenantId: v.tenantId,
      templateId: v.templateId,
      number: v.number,
      deprecatedAtMs: v.deprecatedAtMs,
      createdAtMs: v.createdAtMs,
    })
    .from(v)
    .where(
      sql`${v.templateId} = ${templateId} AND ${call.mineOrPlatform(v.tenantId)}
        AND ${page.afterId === undefined ? sql`1` : sql`${v.id} < ${page.afterId}`}`,
    )
    .orderBy(desc(v.id))
    .limit(page.limit + 1);
}
