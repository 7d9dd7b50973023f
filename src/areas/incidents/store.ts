import { desc, type SQL, sql } from "drizzle-orm";
import { findOwnAndPlatforms } from "#http/lists/find-own-and-platforms.ts";
import { among, type ListFilters } from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import { PLATFORM } from "#platform/ids.ts";
import { type Impact, incidents, type IncidentStatus, incidentUpdates } from "#schema/incidents.ts";

const selectIncidents = selectFrom(incidents);

export interface IncidentFilters extends Pick<
  ListFilters,
  "tenantId" | "createdAfter" | "createdBefore"
> {
  status?: readonly IncidentStatus[] | undefined;
}

/** The incident with this id, if the caller may see it: their own or the platform's. */
export function findIncident(call: Call, id: string) {
  return selectIncidents.where(
    sql`${incidents.id} = ${id} AND ${call.inScopeOrPlatform(incidents.tenantId)}`,
  );
}

/** One more than the page holds, newest first: the caller's own and the platform's. */
export function findIncidents(call: Call, page: PageRequest, filters: IncidentFilters) {
  return findOwnAndPlatforms(
    call,
    { table: incidents, select: selectIncidents },
    page,
    filters,
    among(incidents.status, filters.status),
  );
}

/** The updates of an incident the caller may see, newest first. */
export function findIncidentUpdates(call: Call, incidentId: string, limit: number) {
  const u = incidentUpdates;
  return call.db
    .select()
    .from(u)
    .where(
      sql`${u.tenantId} = (SELECT ${incidents.tenantId} FROM ${incidents}
          WHERE ${incidents.id} = ${incidentId} AND ${call.inScopeOrPlatform(incidents.tenantId)})
        AND ${u.incidentId} = ${incidentId}`,
    )
    .orderBy(desc(u.id))
    .limit(limit);
}

/**
 * The open incidents of the tenant and of the platform, newest first. `tenantId`: a subquery that gives one
 * tenant that the caller may see, or null.
 */
export function findOpenIncidents(tenantId: SQL, limit: number) {
  const t = incidents;
  const openOf = (whose: SQL) => sql`${t.tenantId} = ${whose} AND ${t.resolvedAtMs} IS NULL`;
  return selectIncidents.whereEither([openOf(tenantId), openOf(sql`${PLATFORM}`)], {
    orderBy: [sql`${t.id} DESC`],
    limit,
  });
}

/** An incident's status and impact from a time on. */
export interface IncidentMoment {
  incidentId: string;
  status: IncidentStatus;
  impact: Impact;
  atMs: number;
}

/**
 * All moments of the tenant's and the platform's incidents that were open at or after the time; of many incidents, the
 * newest open ones and the last resolved ones.
 */
export function findIncidentMoments(
  call: Call,
  tenantId: SQL,
  since: { ms: number; incidents: number; moments: number },
) {
  const t = incidents;
  const u = incidentUpdates;
  return call.db.all<IncidentMoment>(sql`
    SELECT u.incident_id AS incidentId, u.status AS status, u.impact AS impact, u.created_at_ms AS atMs
    FROM (SELECT tenant_id, id FROM (${sql.join(
      [tenantId, sql`${PLATFORM}`].flatMap((whose) => [
        sql`SELECT * FROM (SELECT o.tenant_id, o.id FROM ${t} o
          WHERE o.tenant_id = ${whose} AND o.resolved_at_ms IS NULL ORDER BY o.id DESC LIMIT ${since.incidents})`,
        sql`SELECT * FROM (SELECT r.tenant_id, r.id FROM ${t} r
          WHERE r.tenant_id = ${whose} AND r.resolved_at_ms >= ${since.ms}
          ORDER BY r.resolved_at_ms DESC LIMIT ${since.incidents})`,
      ]),
      sql` UNION ALL `,
    )})
      ORDER BY id DESC LIMIT ${since.incidents}) i
    CROSS JOIN ${u} u ON u.tenant_id = i.tenant_id AND u.incident_id = i.id
    LIMIT ${since.moments}`);
}
