/**
 * Limits are guards of the commit that would pass them: the batch counts and writes in one transaction, so of any
 * number of requests at the same time exactly as many hold as there is room for. A limit is the tenant's own
 * (`tenants.limits`) where it has one, else the plan's; null is none. Only as many rows are counted as the limit says.
 */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Call } from "./call.ts";
import { guard, type Statement } from "./db/client.ts";
import { monthlyUsage } from "./db/tables.ts";
import { PLATFORM } from "./ids.ts";
import type { LimitName } from "./plans.ts";

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

/**
 * The guards for one row more in `table`: `quota_exceeded` when the tenant has no room, `not_found` when it does
 * not exist any more. What the platform has is not limited. `counted`: which of the rows count.
 */
export function roomForRow(
  call: Call,
  place: LimitPlace,
  table: SQLiteTable & { tenantId: SQLiteColumn },
  counted: SQL = sql`1`,
): Statement[] {
  const limit = limitSql(place);
  return roomWhere(
    call,
    place,
    sql`(SELECT count(*) FROM (SELECT 1 FROM ${table}
      WHERE ${table.tenantId} = ${place.tenantId} AND ${counted} LIMIT ${limit})) < ${limit}`,
  );
}

/** Like `roomForRow` for whatever a condition counts: it is asked only where there is a limit. */
export function roomWhere(call: Call, place: LimitPlace, hasRoom: SQL): Statement[] {
  if (place.tenantId === PLATFORM) return [];
  const tenant = sql`EXISTS (SELECT 1 FROM tenants WHERE id = ${place.tenantId})`;
  return [
    guard(
      call.db,
      sql`CASE WHEN ${tenant} THEN 'quota_exceeded' ELSE 'not_found' END`,
      sql`${tenant} AND CASE WHEN ${limitSql(place)} IS NULL THEN 1 ELSE ${hasRoom} END`,
    ),
  ];
}

/** The calendar month, UTC, as `monthly_usage` names it. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** Uses one of a monthly limit: the guard, and the count that every use raises. */
export function useOfMonth(call: Call, place: LimitPlace): Statement[] {
  const { tenantId, name } = place;
  const t = monthlyUsage;
  const month = monthOf(call.now);
  const used = sql`coalesce((SELECT used FROM ${t} WHERE ${t.tenantId} = ${tenantId}
    AND ${t.month} = ${month} AND ${t.limitName} = ${name}), 0)`;
  return [
    ...roomWhere(call, place, sql`${used} < ${limitSql(place)}`),
    call.db
      .insert(t)
      .values({ tenantId, month, limitName: name, used: 1 })
      .onConflictDoUpdate({
        target: [t.tenantId, t.month, t.limitName],
        set: { used: sql`used + 1` },
      }),
  ];
}
