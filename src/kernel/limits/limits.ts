/**
 * Limits are enforced by guards in the commit itself: the batch counts and writes in one transaction, so concurrent
 * requests can never exceed a limit together. A tenant's own limit (`tenants.limits`) overrides the plan's; null means
 * no limit. Counting stops at the limit.
 */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import type { Guard, Write } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { ByteBudget } from "#schema/lists/byte-budgets.ts";
import type { LimitName, Limits } from "#schema/lists/plans.ts";
import { monthlyUsage, tenantBytes } from "#schema/tenants.ts";

export interface LimitPlace {
  tenantId: string;
  name: LimitName;
  /** Applies unless the tenant has its own. */
  planLimit: number | null;
}

/** The limit as a SQL scalar: an integer, or NULL for no limit or no such tenant. */
export function limitSql({
  tenantId,
  name,
  planLimit,
}: {
  tenantId: string | SQL;
  name: keyof Limits;
  planLimit: number | null;
}): SQL {
  const path = sql.raw(`'$.${name}'`);
  return sql`(SELECT CASE json_type(limits, ${path}) WHEN 'integer' THEN json_extract(limits, ${path})
    WHEN 'null' THEN NULL ELSE ${planLimit} END FROM tenants WHERE id = ${tenantId})`;
}

/**
 * The writes that enforce the limit for one more row in `table`; they precede its insert. `counted`: the condition of
 * rows that count.
 */
export function enforceRowLimit(
  call: Call,
  place: LimitPlace,
  table: SQLiteTable & { tenantId: SQLiteColumn },
  counted: SQL = sql`1`,
): Write[] {
  return enforceLimit(
    call,
    place,
    sql`(SELECT count(*) FROM (SELECT 1 FROM ${table}
      WHERE ${table.tenantId} = ${place.tenantId} AND ${counted} LIMIT ${limitSql(place)}))`,
  );
}

/**
 * The writes that enforce the limit for one more unit of `used`; they precede the change in the commit. `used` is
 * evaluated only if there is a limit. The guard fails with `quota_exceeded` at the limit, and with `not_found` if the
 * tenant no longer exists. The use of the last unit writes an event. The platform has no limits.
 */
export function enforceLimit(call: Call, place: LimitPlace, used: SQL): Write[] {
  const { tenantId, name } = place;
  if (tenantId === PLATFORM) return [];
  const tenant = sql`EXISTS (SELECT 1 FROM tenants WHERE id = ${tenantId})`;
  const limit = limitSql(place);
  return [
    {
      write: "guard",
      code: sql`CASE WHEN ${tenant} THEN 'quota_exceeded' ELSE 'not_found' END`,
      holds: sql`${tenant} AND CASE WHEN ${limit} IS NULL THEN 1 ELSE ${used} < ${limit} END`,
      // Without a tenant there is no limit.
      about: sql`${name} || ':' || coalesce(${limit}, 0)`,
    },
    event(
      "license.limit_reached",
      { tenantId, id: tenantId, sequence: call.now },
      { limit: name, usageUrl: `/api/v1/tenants/${tenantId}/usage` },
      { condition: sql`CASE WHEN ${limit} IS NULL THEN 0 ELSE ${used} + 1 >= ${limit} END` },
    ),
  ];
}

/** The tenant's stored bytes of a byte budget, as a SQL scalar. */
export function storedBytes(tenantId: string, budget: ByteBudget): SQL {
  return sql`coalesce((SELECT bytes FROM ${tenantBytes}
    WHERE ${tenantBytes.tenantId} = ${tenantId} AND ${tenantBytes.budget} = ${budget}), 0)`;
}

/**
 * The guard for a change that adds to a byte budget: it fails once the budget is used up. So a tenant stores at most
 * its budget and the additions of concurrent changes. Two index entries are read.
 */
export function enforceBytes(place: LimitPlace & { name: ByteBudget }): Guard[] {
  const { tenantId, name } = place;
  if (tenantId === PLATFORM) return [];
  const limit = limitSql(place);
  const used = storedBytes(tenantId, name);
  return [
    {
      write: "guard",
      code: "quota_exceeded",
      holds: sql`${limit} IS NULL OR ${used} < ${limit}`,
      about: sql`${name} || ':' || ${limit} || ':' || ${used}`,
    },
  ];
}

/** The calendar month in UTC, as stored in `monthly_usage`. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** The writes that enforce a monthly limit and count one use. */
export function enforceMonthlyLimit(call: Call, place: LimitPlace): Write[] {
  const { tenantId, name } = place;
  const t = monthlyUsage;
  const month = monthOf(call.now);
  const used = sql`coalesce((SELECT used FROM ${t} WHERE ${t.tenantId} = ${tenantId}
    AND ${t.month} = ${month} AND ${t.limitName} = ${name}), 0)`;
  return [
    ...enforceLimit(call, place, used),
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
