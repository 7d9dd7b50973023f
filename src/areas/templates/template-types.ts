/** The resource types that a template version uses, itself and through its components. */
import { sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import { templateVersions, type TemplateResource } from "#schema/templates.ts";

/** A row for the version and one for each component below it; none: the caller sees no such version. */
export function findTemplateTypes(call: Call, templateId: string, version: number | "latest") {
  const v = templateVersions;
  const wanted =
    version === "latest" ? sql`${v.deprecatedAtMs} IS NULL` : sql`${v.number} = ${version}`;
  return call.db.all<{ resources: string }>(sql`
    WITH used AS (SELECT ${v.tenantId} AS tenant_id, ${v.resources} AS resources, ${v.components} AS components
      FROM ${v} WHERE ${v.templateId} = ${templateId} AND ${call.inScopeOrPlatform(v.tenantId)} AND ${wanted}
      ORDER BY ${v.number} DESC LIMIT 1)
    SELECT resources AS "resources" FROM used
    UNION ALL SELECT ${v.resources} AS "resources" FROM used
      CROSS JOIN json_each(used.components, '$.versions') c
      CROSS JOIN ${v} ON ${v.templateId} = c.value ->> '$.templateId'
        AND ${v.number} = c.value ->> '$.number' AND ${v.tenantId} IN (used.tenant_id, 'platform')`);
}

export function typesIn(rows: readonly { resources: string }[]): string[] {
  const resources = rows.flatMap((row) => JSON.parse(row.resources) as TemplateResource[]);
  return [...new Set(resources.flatMap(({ type }) => type ?? []))];
}
