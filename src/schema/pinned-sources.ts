import { type SQL, sql } from "drizzle-orm";
import { type PinnedVersion, templateVersions, type TemplateResource } from "./templates.ts";

/** The source of a component that a template version uses, itself or through another one. */
export interface PinnedSource extends PinnedVersion {
  key: string;
  source: string;
  resources: TemplateResource[];
}

export interface PinnedRow {
  key: string;
  /** JSON, as `resources`. */
  pinned: string;
  source: string;
  resources: string;
}

/**
 * The query for the sources of the components of a template version; `pinnedSource` reads its rows. `version`: the
 * condition for the version, the table `p`. A component of a tenant that is neither the version's nor the platform is
 * not there.
 */
export function pinnedSources(version: SQL): SQL {
  return sql`SELECT c.key AS "key", c.value AS "pinned", v.source AS "source", v.resources AS "resources"
    FROM template_versions p CROSS JOIN json_each(p.components, '$.versions') c
    CROSS JOIN template_versions v ON v.template_id = c.value ->> '$.templateId'
      AND v.number = c.value ->> '$.number' AND v.tenant_id IN (p.tenant_id, 'platform')
    WHERE ${version}`;
}

export function pinnedSource({ key, pinned, source, resources }: PinnedRow): PinnedSource {
  return {
    ...(JSON.parse(pinned) as PinnedVersion),
    key,
    source,
    resources: JSON.parse(resources) as TemplateResource[],
  };
}

/** `resources`: JSON. */
export interface TemplateSource {
  source: string;
  resources: string;
}

/**
 * The query for the sources of a template version; its rows are `TemplateSource`. A row for the version and one for each
 * component below it; none: there is no such version. `version`: the condition for it, of which the newest counts.
 */
export function templateSources(version: SQL): SQL {
  const v = templateVersions;
  return sql`WITH used AS (SELECT ${v.tenantId} AS tenant_id, ${v.source} AS source, ${v.resources} AS resources, ${v.components} AS components
      FROM ${v} WHERE ${version} ORDER BY ${v.number} DESC LIMIT 1)
    SELECT source AS "source", resources AS "resources" FROM used
    UNION ALL SELECT ${v.source} AS "source", ${v.resources} AS "resources" FROM used
      CROSS JOIN json_each(used.components, '$.versions') c
      CROSS JOIN ${v} ON ${v.templateId} = c.value ->> '$.templateId'
        AND ${v.number} = c.value ->> '$.number' AND ${v.tenantId} IN (used.tenant_id, 'platform')`;
}
