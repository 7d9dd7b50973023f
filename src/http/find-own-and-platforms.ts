import { desc, type SQL, sql } from "drizzle-orm";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { PageRequest } from "./page.ts";

type Rows<T extends SQLiteTable> = RunnableQuery<T["$inferSelect"][], "sqlite"> & {
  toSQL: () => { sql: string; params: unknown[] };
};

/** A column and the value that the caller asks for; undefined: any. */
type Filter = readonly [column: SQLiteColumn, value: string | undefined];

/**
 * The rows of a page of what is the caller's own and what the platform offers to everyone: one more than the page
 * holds, newest first. The two are merged as they come out of their index by tenant and id, so without a filter no
 * more rows are read than that. An operator's own are all there are. `and`: what else has to hold for a row.
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
