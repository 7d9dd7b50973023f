import { desc, type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { PageRequest } from "./page.ts";

type Rows<T extends SQLiteTable> = RunnableQuery<T["$inferSelect"][], "sqlite"> & {
  toSQL: () => { sql: string; params: unknown[] };
};

/** A column and the value to filter by; undefined: any value. */
type Filter = readonly [column: SQLiteColumn, value: string | undefined];

/**
 * The rows of a page of the caller's own objects and the platform's, newest first, one more than the page
 * holds. The two are merged in index order (tenant, id), so that without filters no further rows are read.
 * For an operator, all rows are in scope. `and`: a further condition on each row.
 */
export function findOwnAndPlatforms<
  T extends SQLiteTable & { id: SQLiteColumn; tenantId: SQLiteColumn },
>(call: Call, table: T, page: PageRequest, filters: readonly Filter[], and = sql`1`): Rows<T> {
  const mine = call.permitted(table.tenantId);
  const named = filters.flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${column} = ${value}`],
  );
  const after = page.afterId === undefined ? [] : [sql`${table.id} < ${page.afterId}`];
  const among = (whose: SQL) =>
    call.db
      .select()
      // Drizzle cannot infer the rows of a table that is a parameter.
      .from(table as SQLiteTable)
      .where(sql.join([whose, ...named, ...after, and], sql` AND `));
  return among(mine)
    .unionAll(among(sql`${table.tenantId} = ${PLATFORM} AND NOT (${mine})`))
    .orderBy(desc(table.id))
    .limit(page.limit + 1);
}
