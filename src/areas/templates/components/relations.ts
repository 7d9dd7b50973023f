/** A template version beside others: newer releases of its components, and the templates that use it. */
import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import {
  componentUses,
  templates,
  type TemplateVersion,
  templateVersions,
} from "#schema/templates.ts";
import { highestIn, wasDeprecated } from "./find-components.ts";
import type { NewerReleases } from "./resolve-components.ts";

/** A template version that uses another version as a component. */
export interface ComponentUser {
  templateId: string;
  name: string;
  version: number;
}

export interface Relations {
  newer: NewerReleases;
  /** At most `MAX_USERS`. */
  usedBy: readonly ComponentUser[];
}

/** A version as shown. `version`: for its ETag, which changes with its relations too. */
export interface RelatedVersion {
  row: TemplateVersion;
  relations: Relations;
  version: string;
}

export async function withRelations(
  row: TemplateVersion,
  relations: Relations,
): Promise<RelatedVersion> {
  const { newer, usedBy } = relations;
  const isAlone = usedBy.length === 0 && Object.keys(newer).length === 0;
  const more = isAlone ? "" : `-${(await digestHex(JSON.stringify(relations))).slice(0, 32)}`;
  return { row, relations, version: `${row.version}${more}` };
}

const MAX_USERS = 50;

/** The highest releases in the ranges of a version's components, where they are not the pinned ones. */
export function findNewer(call: Call, templateId: string, version: number | "latest") {
  return call.db.all<{ use: string; number: number; release: string }>(sql`
    WITH ${newest(call, sql`${templateId}`, version)}
    SELECT best.use AS "use", n.number AS "number", n.release AS "release" FROM best
      CROSS JOIN ${templateVersions} n ON ${isNewest}
      WHERE n.number <> best.number AND n.tenant_id IS NOT NULL`);
}

/**
 * The number that the version would get in which the components of the latest version take higher releases. No row:
 * the tenant has no such template, no release is higher, or the version that took it is deprecated.
 */
export function findUpgrade(call: Call, templateId: SQL, tenantId: string) {
  const t = alias(templates, "t");
  return call.db.all<{ number: number }>(sql`
    WITH ${newest(call, templateId, "latest")}
    SELECT t.latest_version + 1 AS "number" FROM ${templates} t
      WHERE t.id = ${templateId} AND ${t.tenantId} = ${tenantId} AND EXISTS (SELECT 1 FROM best
        CROSS JOIN ${templateVersions} n ON ${isNewest}
        WHERE n.release_order > best.pinned_order AND n.tenant_id IS NOT NULL
          AND NOT ${wasDeprecated(templateId, sql`n`, (column) => sql`${column} = ${tenantId}`)})`);
}

/** `best`: the uses of components in a version, each with the highest release in its range. */
function newest(call: Call, templateId: SQL, version: number | "latest"): SQL {
  const p = alias(templateVersions, "p");
  return sql`mine AS MATERIALIZED (SELECT u.key AS use, u.value ->> '$.templateId' AS template_id,
        u.value ->> '$.number' AS number, u.value -> '$.spans' AS spans, p.tenant_id AS tenant_id
      FROM ${templateVersions} p CROSS JOIN json_each(p.components, '$.uses') u
      WHERE p.template_id = ${templateId} AND ${call.inScopeOrPlatform(p.tenantId)}
        AND p.number = ${numberOf(call, templateId, version)}),
    best AS MATERIALIZED (SELECT mine.use AS use, mine.template_id AS template_id,
        mine.number AS number, k.tenant_id AS tenant_id, k.release_order AS pinned_order,
        ${highestIn(sql`mine.spans`, sql`mine.template_id`, sql`k.tenant_id`)} AS release_order
      FROM mine CROSS JOIN ${templateVersions} k ON k.template_id = mine.template_id AND k.number = mine.number
        AND k.tenant_id IN (mine.tenant_id, 'platform'))`;
}

const isNewest = sql`n.template_id = best.template_id AND n.tenant_id = best.tenant_id
        AND n.release_order = best.release_order`;

/** Some templates in scope that use the version as a component. No order: it would read all that use it. */
export function findUsers(call: Call, templateId: string, version: number | "latest") {
  const u = alias(componentUses, "u");
  return call.db.all<ComponentUser>(sql`
    SELECT u.template_id AS "templateId", t.name AS "name", u.number AS "version"
      FROM ${componentUses} u CROSS JOIN ${templates} t ON t.id = u.template_id AND t.tenant_id = u.tenant_id
      WHERE u.component_id = ${templateId} AND ${call.inScope(u.tenantId)}
        AND u.component_number = ${numberOf(call, templateId, version)}
      LIMIT ${MAX_USERS}`);
}

export function relationsOf(
  newer: readonly { use: string; number: number; release: string }[],
  usedBy: readonly ComponentUser[],
): Relations {
  return {
    newer: Object.fromEntries(newer.map(({ use, number, release }) => [use, { number, release }])),
    usedBy,
  };
}

/** The number that a request means with `latest`: as `findTemplateVersion`. A scalar. */
export function numberOf(call: Call, templateId: string | SQL, version: number | "latest"): SQL {
  if (version !== "latest") return sql`${version}`;
  const x = alias(templateVersions, "x");
  return sql`(SELECT max(x.number) FROM ${templateVersions} x WHERE x.template_id = ${templateId}
    AND ${call.inScopeOrPlatform(x.tenantId)} AND x.deprecated_at_ms IS NULL)`;
}
