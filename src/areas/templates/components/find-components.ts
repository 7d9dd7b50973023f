/**
 * The statements that find the components of a source: for each, the highest release in its range, and the sources of
 * it and of everything below it. One round trip, because the database compares releases itself (decision 0093).
 */
import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import type { Statement } from "#platform/db/client.ts";
import { PLATFORM } from "#platform/ids.ts";
import { componentUses, templates, templateVersions } from "#schema/templates.ts";
import type { WantedComponent } from "./wanted-components.ts";

/** The limits of a template version with all components below it; the sources with its own. */
export const MAX_COMPONENTS = 50;
export const MAX_CHARACTERS = 200_000;

/** A template that a wanted component can mean. */
export interface Candidate {
  use: string;
  templateId: string;
  name: string;
  /** The kept pin, or the highest release in the range. Null: none is in the range. */
  number: number | null;
  newest: number | null;
  newestRelease: string | null;
  /** JSON: some of its releases, highest first. */
  releases: string;
}

/** A component's version. The texts are null beyond the limit of characters. */
export interface FoundVersion {
  templateId: string;
  number: number;
  name: string;
  tenantId: string;
  release: string;
  source: string | null;
  /** JSON, as the two below. */
  resources: string | null;
  components: string | null;
  authors: string | null;
}

/** Where components are looked for. */
export interface ComponentScope {
  /** The condition for the tenants whose templates can be components. */
  readable: (column: SQLiteColumn) => SQL;
  /** The template whose next version the source is, if there is one. */
  templateId?: string;
  /** The version of the template whose pins are kept. `raised`: except those with a higher release in the range. */
  pins?: { of: number | "last"; raised?: boolean };
}

/** The templates of the template's tenant, and the platform's. */
export function ofTemplate(call: Call, id: string): ComponentScope {
  const o = alias(templates, "o");
  return {
    templateId: id,
    readable: (column) =>
      sql`${column} IN (SELECT ${o.tenantId} FROM ${templates} o WHERE ${o.id} = ${id}
        AND ${call.inScopeOrPlatform(o.tenantId)} UNION SELECT ${PLATFORM})`,
  };
}

/** The templates of the tenant that a body names, or of the caller's own, and the platform's. */
export function ofTenant(call: Call, named: string | undefined): ComponentScope {
  return {
    readable: (column) =>
      named === undefined
        ? sql`(${call.own(column)} OR ${column} = ${PLATFORM})`
        : sql`(${column} IN (${named}, ${PLATFORM}) AND ${call.inScopeOrPlatform(column)})`,
  };
}

/** The results of the statements of `findComponents`. */
export type ComponentRows = readonly [
  candidates: Candidate[],
  versions: FoundVersion[],
  cyclic: { use: string }[],
  names: { name: string }[],
];

/** No statement for a source without components. */
export function findComponents(
  call: Call,
  wanted: readonly WantedComponent[],
  scope: ComponentScope,
): Statement[] {
  if (wanted.length === 0) return [];
  const { readable, templateId } = scope;
  const base = baseOf(wanted.slice(0, MAX_COMPONENTS), scope);
  const t = alias(templates, "t");
  const v = alias(templateVersions, "v");
  const u = alias(componentUses, "u");
  const isOnly = sql`chosen.candidates = 1`;
  const within = sql`sum(length(v.source)) OVER (ORDER BY v.template_id, v.number) <= ${MAX_CHARACTERS}`;
  const short = (column: string) =>
    sql`CASE WHEN ${within} THEN v.${sql.raw(column)} END AS ${sql.raw(column)}`;
  return [
    call.db.all<Candidate>(sql`${base}
      SELECT chosen.use AS "use", chosen.id AS "templateId", chosen.name AS "name", chosen.number AS "number", chosen.newest AS "newest",
        chosen.newest_release AS "newestRelease",
        (SELECT json_group_array(release) FROM (SELECT r.release AS release FROM ${templateVersions} r
          WHERE r.template_id = chosen.id AND r.tenant_id = chosen.tenant_id AND r.release_order >= '' AND r.deprecated_at_ms IS NULL
          ORDER BY r.release_order DESC LIMIT 5)) AS "releases"
      FROM chosen`),
    call.db.all<FoundVersion>(sql`${base}, below AS MATERIALIZED (
        SELECT chosen.id AS template_id, chosen.number AS number FROM chosen WHERE chosen.number IS NOT NULL AND ${isOnly}
        UNION
        SELECT p.value ->> '$.templateId', p.value ->> '$.number' FROM chosen
          CROSS JOIN ${templateVersions} v ON v.template_id = chosen.id AND v.number = chosen.number AND v.tenant_id = chosen.tenant_id
          CROSS JOIN json_each(v.components, '$.versions') p
          WHERE v.tenant_id IS NOT NULL AND ${isOnly})
      SELECT below.template_id AS "templateId", below.number AS "number", t.name AS "name", v.tenant_id AS "tenantId",
        v.release AS "release", ${short("source")}, ${short("resources")}, ${short("components")}, ${short("authors")}
      FROM below
        CROSS JOIN ${templateVersions} v ON v.template_id = below.template_id AND v.number = below.number AND ${readable(v.tenantId)}
        CROSS JOIN ${templates} t ON t.id = below.template_id AND ${readable(t.tenantId)}
      LIMIT ${MAX_COMPONENTS + 1}`),
    call.db.all<{ use: string }>(
      templateId === undefined
        ? sql`SELECT NULL AS "use" WHERE 0`
        : sql`${base}, reach(use, id) AS (SELECT chosen.use, chosen.id FROM chosen
            UNION SELECT reach.use, u.component_id FROM reach
              CROSS JOIN ${componentUses} u ON u.template_id = reach.id AND ${readable(u.tenantId)} LIMIT 10000)
          SELECT DISTINCT use AS "use" FROM reach WHERE id = ${templateId}`,
    ),
    call.db.all<{ name: string }>(sql`${base}
      SELECT t.name AS "name" FROM ${templates} t WHERE ${readable(t.tenantId)} AND t.id <> ${templateId ?? ""}
        AND EXISTS (SELECT 1 FROM w WHERE w.use NOT IN (SELECT use FROM found)) LIMIT 200`),
  ];
}

/**
 * `found`: each template that a wanted component can mean, with the pin that is kept; `chosen`: with the highest release
 * in the range. `+`: SQLite would build an index for some rows.
 */
function baseOf(
  wanted: readonly WantedComponent[],
  { readable, templateId, pins }: ComponentScope,
): SQL {
  const list = wanted.map(({ use, component, spans, by }) => ({ use, [by]: component, spans }));
  const p = alias(templateVersions, "p");
  const x = alias(templateVersions, "x");
  const k = alias(templateVersions, "k");
  const t = alias(templates, "t");
  const kept =
    templateId === undefined || pins === undefined
      ? sql`SELECT NULL AS use, NULL AS id, NULL AS number, NULL AS release_order WHERE 0`
      : sql`SELECT u.key AS use, k.template_id AS id, k.number AS number, k.release_order AS release_order
          FROM ${templateVersions} p CROSS JOIN json_each(p.components, '$.uses') u
          CROSS JOIN ${templateVersions} k ON k.template_id = u.value ->> '$.templateId'
            AND k.number = u.value ->> '$.number' AND ${readable(k.tenantId)}
          WHERE p.template_id = ${templateId} AND ${readable(p.tenantId)}
            AND p.number = ${
              pins.of === "last"
                ? sql`(SELECT max(x.number) FROM ${templateVersions} x
                    WHERE x.template_id = ${templateId} AND ${readable(x.tenantId)})`
                : sql`${pins.of}`
            }`;
  const isKept =
    pins?.raised === true
      ? sql`best.kept IS NOT NULL AND (NOT coalesce(n.release_order > best.kept_order, 0)
          OR ${wasDeprecated(sql`${templateId}`, sql`n`, readable)})`
      : sql`best.kept IS NOT NULL`;
  const isNew = sql`w.use NOT IN (SELECT use FROM kept)`;
  return sql`WITH RECURSIVE w AS MATERIALIZED (SELECT value ->> '$.use' AS use, value ->> '$.id' AS id,
      value ->> '$.name' AS name, value -> '$.spans' AS spans FROM json_each(${JSON.stringify(list)})),
    kept AS MATERIALIZED (${kept}),
    found AS MATERIALIZED (
      SELECT w.use AS use, w.spans AS spans, t.id AS id, t.name AS name, t.tenant_id AS tenant_id, kept.number AS kept,
          kept.release_order AS kept_order
        FROM w CROSS JOIN kept ON +kept.use = w.use CROSS JOIN ${templates} t ON t.id = kept.id AND ${readable(t.tenantId)}
      UNION ALL
      SELECT w.use, w.spans, t.id, t.name, t.tenant_id, NULL, NULL
        FROM w CROSS JOIN ${templates} t ON t.id = w.id AND ${readable(t.tenantId)} WHERE ${isNew}
      UNION ALL
      SELECT w.use, w.spans, t.id, t.name, t.tenant_id, NULL, NULL
        FROM w CROSS JOIN ${templates} t ON t.name COLLATE NOCASE = w.name AND t.name = w.name AND ${readable(t.tenantId)}
        WHERE ${isNew}
      LIMIT 1000),
    best AS MATERIALIZED (SELECT found.use AS use, found.id AS id, found.name AS name,
      found.tenant_id AS tenant_id, found.kept AS kept, found.kept_order AS kept_order,
      ${highestIn(sql`found.spans`, sql`found.id`, sql`found.tenant_id`)} AS release_order
      FROM found),
    chosen AS MATERIALIZED (SELECT best.use AS use, best.id AS id, best.name AS name, best.tenant_id AS tenant_id,
        n.number AS newest, n.release AS newest_release, iif(${isKept}, best.kept, n.number) AS number,
        count(*) OVER (PARTITION BY best.use) AS candidates
      FROM best LEFT JOIN ${templateVersions} n
        ON n.template_id = best.id AND n.tenant_id = best.tenant_id AND n.release_order = best.release_order)`;
}

/** Whether a version of the template that had the release `of` was deprecated: it is not taken again. */
export function wasDeprecated(
  templateId: SQL,
  of: SQL,
  readable: (column: SQLiteColumn) => SQL,
): SQL {
  const d = alias(componentUses, "d");
  const v = alias(templateVersions, "v");
  return sql`EXISTS (SELECT 1 FROM ${componentUses} d CROSS JOIN ${templateVersions} v
    ON v.template_id = d.template_id AND v.number = d.number AND ${readable(v.tenantId)}
    WHERE d.template_id = ${templateId} AND d.component_id = ${of}.template_id AND d.component_number = ${of}.number
      AND ${readable(d.tenantId)} AND v.deprecated_at_ms IS NOT NULL)`;
}

/** The highest release of a template in spans, as a text of `releaseOrder`, as a SQL scalar. */
export function highestIn(spans: SQL, templateId: SQL, tenantId: SQL): SQL {
  return sql`(SELECT max(y.release_order) FROM json_each(${spans}) s CROSS JOIN ${templateVersions} y
    WHERE y.template_id = ${templateId} AND y.tenant_id = ${tenantId}
      AND y.release_order >= s.value ->> '$[0]' AND y.release_order < s.value ->> '$[1]'
      AND (substr(y.release_order, -1) <> '~') = (s.value ->> '$[2]') AND y.deprecated_at_ms IS NULL)`;
}
