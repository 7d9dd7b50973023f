import { type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import { PLATFORM } from "#platform/ids.ts";
import { afterCursor, inOrder, type ListedTable } from "./list-rows.ts";
import type { PageRequest } from "./page.ts";
import { rowsInScope } from "./rows-in-scope.ts";

type Rows<T extends SQLiteTable> = RunnableQuery<T["$inferSelect"][], "sqlite"> & {
  toSQL: () => { sql: string; params: unknown[] };
};

/**
 * The rows of a page of the caller's own objects and the platform's, one more than the page holds. The two are merged
 * in index order (tenant, id), so that without conditions no further rows are read. For an operator, all rows are in
 * scope. `conditions`: what must hold of each row. `whose`: as for `rowsInScope`.
 */
export function findOwnAndPlatforms<T extends ListedTable & { tenantId: SQLiteColumn }>(
  call: Call,
  table: T,
  page: PageRequest,
  conditions: readonly SQL[],
  whose?: string,
): Rows<T> {
  const platforms = [
    sql`${table.tenantId} = ${PLATFORM} AND NOT (${call.permitted(table.tenantId)})`,
    ...conditions,
    ...afterCursor(table, page),
  ];
  const among = (rows: SQL) =>
    call.db
      .select()
      // Drizzle cannot infer the rows of a table that is a parameter.
      .from(table as SQLiteTable)
      .where(rows);
  return among(rowsInScope(call, table, page, conditions, { whose }))
    .unionAll(among(sql.join(platforms, sql` AND `)))
    .orderBy(...inOrder(table, page))
    .limit(page.limit + 1);
}
