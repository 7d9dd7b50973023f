import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import type { Rows, SelectFrom } from "#platform/db/select-from.ts";
import { PLATFORM } from "#platform/ids.ts";
import {
  afterCursor,
  allOf,
  filtered,
  type ListedTable,
  type ListFilters,
  onePage,
} from "./list-rows.ts";
import type { PageRequest } from "./page.ts";
import { rowsInScope } from "./rows-in-scope.ts";

/**
 * The rows of a page of the caller's own objects and the platform's, one more than the page holds. The two are merged
 * in index order (tenant, id), so without conditions only the rows of the page are read. For an operator, all rows are
 * in scope. `conditions`: further conditions on each row.
 */
export function findOwnAndPlatforms<R>(
  call: Call,
  { table, select }: { table: ListedTable & { tenantId: SQLiteColumn }; select: SelectFrom<R> },
  page: PageRequest,
  filters: ListFilters,
  conditions: readonly SQL[] = [],
): Rows<R> {
  const platforms = [
    sql`${table.tenantId} = ${PLATFORM} AND NOT (${call.permitted(table.tenantId)})`,
    ...filtered(table, filters, page),
    ...conditions,
    ...afterCursor(table, page),
  ];
  return select.whereEither(
    [rowsInScope(call, table, page, filters, { conditions }), allOf(platforms)],
    onePage(table, page),
  );
}
