import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import {
  afterCursor,
  allOf,
  among,
  filtered,
  inOrder,
  type ListedTable,
  type ListFilters,
} from "./list-rows.ts";
import { type PageRequest, sortOf } from "./page.ts";

/** A filter by several values of a column that an index has between the tenant and the id. */
export interface AnyOf {
  column: SQLiteColumn;
  values: readonly string[];
}

/**
 * The condition of the rows of a page: in the caller's scope, through the filters and further conditions, after the
 * cursor. A list is read in the order of an index that begins with the tenant. Where rows of several tenants may be in
 * scope, or `anyOf` names several values, one page of each is read and merged: in a single search, SQLite would read
 * all rows of all these tenants.
 */
export function rowsInScope(
  call: Call,
  table: ListedTable & { tenantId: SQLiteColumn },
  page: PageRequest,
  filters: ListFilters,
  { conditions = [], anyOf }: { conditions?: readonly SQL[]; anyOf?: AnyOf | undefined } = {},
): SQL {
  const { column } = sortOf(page);
  // The index of the values is in the order of the ids.
  const merges = anyOf !== undefined && anyOf.values.length > 1 && column === undefined;
  // These orders have an index of all rows.
  const butNotAll = !merges && (column === undefined || column === "sortTitle");
  const tenants = filters.tenantId === undefined ? call.severalTenants({ butNotAll }) : undefined;
  const passes = merges ? [] : among(anyOf?.column ?? table.id, anyOf?.values);
  const wanted = [
    ...filtered(table, filters, page),
    ...conditions,
    ...passes,
    ...afterCursor(table, page),
  ];
  const own = call.permitted(table.tenantId);
  if (tenants === undefined && !merges) return allOf([own, ...wanted]);
  const ofOne = tenants === undefined ? own : sql`${table.tenantId} = own.tenant_id`;
  const ofValue = merges ? [sql`${anyOf.column} = passing.value`] : [];
  return sql`${table.tenantId} IS NOT NULL AND ${table.id} IN (
    SELECT first.value FROM (${tenants ?? sql`SELECT 1`}) own
    ${merges ? sql`CROSS JOIN json_each(${JSON.stringify(anyOf.values)}) passing` : sql``}
    CROSS JOIN json_each((SELECT json_group_array(id) FROM (SELECT ${table.id} AS id FROM ${table}
      WHERE ${allOf([ofOne, ...ofValue, ...wanted])}
      ORDER BY ${sql.join(inOrder(table, page), sql`, `)} LIMIT ${page.limit + 1}))) first)`;
}
