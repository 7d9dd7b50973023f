/**
 * Limits are guards of the commit that would pass them: the batch counts and writes in one transaction, so of any
 * number of requests at the same time exactly as many hold as there is room for. A limit is the tenant's own
 * (`tenants.limits`) where it has one, else the plan's; null is none. Only as many rows are counted as the limit says.
 */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { guard } from "#platform/db/client.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { LimitName } from "#schema/plans.ts";
import { monthlyUsage } from "#schema/tenants.ts";

export interface LimitPlace {
  tenantId: string;
  name: LimitName;
  /** Where the tenant has none of its own. */
  planLimit: number | null;
}

/** The limit as a scalar: a whole number, or NULL for none. A tenant that does not exist has none. */
export function limitSql({ tenantId, name, planLimit }: LimitPlace): SQL {
  return sql`(SELECT CASE json_type(limits, ${`$.${name}`}) WHEN 'integer' THEN json_extract(limits, ${`$.${name}`})
    WHEN 'null' THEN NULL ELSE ${planLimit} END FROM tenants WHERE id = ${tenantId})`;
}

/** The writes for one row more in `table`, ahead of it. `counted`: which of the rows count. */
export function roomForRow(
  call: Call,
  place: LimitPlace,
  table: SQLiteTable & { tenantId: SQLiteColumn },
  counted: SQL = sql`1`,
): Write[] {
  return roomWhere(
    call,
    place,
    sql`(SELECT count(*) FROM (SELECT 1 FROM ${table}
      WHERE ${table.tenantId} = ${place.tenantId} AND ${counted} LIMIT ${limitSql(place)}))`,
  );
}

/**
 * The guard for one more of what `used` counts, which is asked only where there is a limit: `quota_exceeded` when
 * the tenant has no room, `not_found` when it does not exist any more. What the platform has is not limited. Whoever
 * takes the last room tells of it. Stands in a commit ahead of what it makes room for.
 */
export function roomWhere(call: Call, place: LimitPlace, used: SQL): Write[] {
  const { tenantId, name } = place;
  if (tenantId === PLATFORM) return [];
  const tenant = sql`EXISTS (SELECT 1 FROM tenants WHERE id = ${tenantId})`;
  const limit = limitSql(place);
  return [
    {
      write: "guard",
      statement: guard(
        call.db,
        sql`CASE WHEN ${tenant} THEN 'quota_exceeded' ELSE 'not_found' END`,
        sql`${tenant} AND CASE WHEN ${limit} IS NULL THEN 1 ELSE ${used} < ${limit} END`,
        name,
      ),
    },
    event(
      "license.limit_reached",
      { tenantId, id: tenantId, sequence: call.now },
      { limit: name, usageUrl: `/api/v1/tenants/${tenantId}/usage` },
      { condition: sql`CASE WHEN ${limit} IS NULL THEN 0 ELSE ${used} + 1 >= ${limit} END` },
    ),
  ];
}

/** The calendar month, UTC, as `monthly_usage` names it. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** Uses one of a monthly limit: the guard, and the count that every use raises. */
export function useOfMonth(call: Call, place: LimitPlace): Write[] {
  const { tenantId, name } = place;
  const t = monthlyUsage;
  const month = monthOf(call.now);
  const used = sql`coalesce((SELECT used FROM ${t} WHERE ${t.tenantId} = ${tenantId}
    AND ${t.month} = ${month} AND ${t.limitName} = ${name}), 0)`;
  return [
    ...roomWhere(call, place, used),
    call.write(
      tenantId,
      call.db
        .insert(t)
        .values({ tenantId, month, limitName: name, used: 1 })
        .onConflictDoUpdate({
          target: [t.tenantId, t.month, t.limitName],
          set: { used: sql`used + 1` },
        }),
    ),
  ];
}
