import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import { afterCursor, inOrder, type ListedTable } from "./list-rows.ts";
import { type PageRequest, sortOf } from "./page.ts";

/**
 * The condition of the rows that a page may have: in the caller's scope, with the given conditions, after the cursor.
 * A list is read in the order of an index that begins with the tenant. So where the rows of several tenants may be in
 * scope, a page of each tenant is read and they are merged: in one search SQLite would read and sort all rows of all
 * these tenants. `whose`: the tenant that the query names, if it names one.
 */
export function rowsInScope(
  call: Call,
  table: ListedTable & { tenantId: SQLiteColumn },
  page: PageRequest,
  conditions: readonly SQL[],
  whose?: string,
): SQL {
  const wanted = [...conditions, ...afterCursor(table, page)];
  // In these orders there is an index of all rows.
  const { column } = sortOf(page);
  const butNotAll = column === undefined || column === "sortTitle";
  const tenants = whose === undefined ? call.severalTenants({ butNotAll }) : undefined;
  if (tenants === undefined) return allOf([call.permitted(table.tenantId), ...wanted]);
  return sql`${table.tenantId} IS NOT NULL AND ${table.id} IN (
    SELECT first.value FROM (${tenants}) own CROSS JOIN json_each((
      SELECT json_group_array(id) FROM (SELECT ${table.id} AS id FROM ${table}
        WHERE ${allOf([sql`${table.tenantId} = own.tenant_id`, ...wanted])}
        ORDER BY ${sql.join(inOrder(table, page), sql`, `)} LIMIT ${page.limit + 1}))) first)`;
}

function allOf(conditions: readonly SQL[]): SQL {
  return sql.join([...conditions], sql` AND `);
}
