import { desc, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { PageRequest } from "#http/lists/page.ts";
import type { AuditRecord } from "#kernel/audit/audit-chain.ts";
import type { Call } from "#kernel/call/call.ts";
import { firstIdAt, tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import { auditEvents, auditSeals } from "#schema/audit.ts";

export type AuditEvent = typeof auditEvents.$inferSelect;

export interface AuditFilters {
  /** Absent: the caller's tenant; for operators, the platform. */
  tenantId?: string | undefined;
  action?: string | undefined;
  resourceType?: string | undefined;
  resourceId?: string | undefined;
  actor?: string | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
}

/** A row's id can be created slightly later than its `atMs`. */
const ID_LATE_MS = 60_000;

const seal = (column: "prev_hash" | "hash") =>
  sql<string | null>`(SELECT ${sql.raw(`s.${column}`)} FROM ${auditSeals} s
    WHERE s.tenant_id = audit_events.tenant_id AND s.sequence = audit_events.sequence)`;

const columns = {
  ...getTableColumns(auditEvents),
  prevHash: seal("prev_hash").as("prevHash"),
  hash: seal("hash").as("hash"),
};

/** One more than the page holds, newest first, of one tenant that the caller may see. */
export function findAuditEvents(call: Call, page: PageRequest, filters: AuditFilters) {
  const e = auditEvents;
  const { fromMs, toMs } = filters;
  const whose =
    filters.tenantId === undefined
      ? theOnes(call)
      : sql`${call.permitted(e.tenantId)} AND ${e.tenantId} = ${filters.tenantId}`;
  const equals = (column: SQLiteColumn, value: string | undefined): SQL =>
    value === undefined ? sql`1` : sql`${column} = ${value}`;
  return call.db
    .select(columns)
    .from(e)
    .where(
      sql`${whose}
        AND ${equals(e.action, filters.action)}
        AND ${equals(e.resourceType, filters.resourceType)}
        AND ${equals(e.resourceId, filters.resourceId)}
        AND ${equals(e.actor, filters.actor)}
        AND ${fromMs === undefined ? sql`1` : sql`${e.id} >= ${firstIdAt(fromMs)} AND ${e.atMs} >= ${fromMs}`}
        AND ${toMs === undefined ? sql`1` : sql`${e.id} < ${firstIdAt(toMs + ID_LATE_MS)} AND ${e.atMs} < ${toMs}`}
        AND ${page.afterId === undefined ? sql`1` : sql`${e.id} < ${page.afterId}`}`,
    )
    .orderBy(desc(e.id))
    .limit(page.limit + 1);
}

/** The entries of the caller's only tenant. A caller with several must name one, and gets no entries otherwise. */
function theOnes(call: Call): SQL {
  const tenants = call.severalTenants({ butNotAll: true });
  return tenants === undefined
    ? call.own(auditEvents.tenantId)
    : sql`${auditEvents.tenantId} = (SELECT tenant_id FROM (${tenants}) LIMIT 1)`;
}

/** The entry as it is shown and hashed. */
export function auditRecord(row: AuditEvent): AuditRecord {
  return {
    tenantId: tenantIdView(row.tenantId),
    sequence: row.sequence ?? 0,
    id: row.id,
    at: timestamp(row.atMs),
    actor: row.actor,
    action: row.action,
    resourceType: row.resourceType,
    resourceId: row.resourceId,
    requestId: row.requestId,
    beforeDigest: row.beforeDigest,
    afterDigest: row.afterDigest,
  };
}
