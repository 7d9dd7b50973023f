/**
 * SELECTs of one table. Drizzle takes longer to build the columns of such a statement than SQLite to find its row. So
 * they are built once for each table and list of columns, and only the changing parts are built with each call.
 */
import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { SelectedFields, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type PreparedQuery, prepared, writer } from "./client.ts";

/** A statement for `runBatch`, whose result is the rows; its text is shown as drizzle's are. */
export type Rows<R> = RunnableQuery<R[], "sqlite"> & {
  toSQL: () => { sql: string; params: unknown[] };
};

interface Tail {
  orderBy?: readonly SQL[];
  limit?: number;
}

export class SelectFrom<R> {
  readonly #base: RunnableQuery<R[], "sqlite">;
  #written: { text: string; mapResult: PreparedQuery["mapResult"] } | undefined;

  /** `base`: the statement without conditions and values. */
  constructor(base: RunnableQuery<R[], "sqlite">) {
    this.#base = base;
  }

  /** The rows for which the condition holds. */
  where(condition: SQL, { orderBy = [], limit }: Tail = {}): Rows<R> {
    return this.#rows(() => sql`where ${condition}${inOrder(orderBy)}${atMost(limit)}`);
  }

  /** The rows of one condition, then the rows of the other. A row that meets both comes twice. */
  whereEither([one, other]: readonly [SQL, SQL], { orderBy = [], limit }: Tail): Rows<R> {
    return this.#rows(
      (text) =>
        sql`where ${one} union all ${sql.raw(text)} where ${other}${inOrder(orderBy)}${atMost(limit)}`,
    );
  }

  #rows(rest: (text: string) => SQL): Rows<R> {
    const _prepare = (): PreparedQuery => {
      const { text, mapResult } = this.#write();
      const { sql: more, params } = prepared(writer.run(rest(text))).getQuery();
      return { getQuery: () => ({ sql: `${text} ${more}`, params }), mapResult };
    };
    return { _prepare, toSQL: () => _prepare().getQuery() } as unknown as Rows<R>;
  }

  #write(): { text: string; mapResult: PreparedQuery["mapResult"] } {
    if (this.#written !== undefined) return this.#written;
    const query = prepared(this.#base);
    const { sql: text, params } = query.getQuery();
    if (params.length > 0) throw new Error(`What is selected has to be the same for all: ${text}`);
    this.#written = { text, mapResult: (result, isBatch) => query.mapResult(result, isBatch) };
    return this.#written;
  }
}

/** All columns of the table. */
export function selectFrom<T extends SQLiteTable>(
  table: T,
): SelectFrom<SelectResultFields<T["_"]["columns"]>>;
/** These columns. They must not contain a value that differs between calls. */
export function selectFrom<C extends SelectedFields>(
  table: SQLiteTable,
  columns: C,
): SelectFrom<SelectResultFields<C>>;
export function selectFrom(
  table: SQLiteTable,
  columns: SelectedFields = getTableColumns(table),
): SelectFrom<unknown> {
  return new SelectFrom<unknown>(writer.select(columns).from(table));
}

function inOrder(orderBy: readonly SQL[]): SQL {
  return orderBy.length === 0 ? sql`` : sql` order by ${sql.join([...orderBy], sql`, `)}`;
}

function atMost(limit: number | undefined): SQL {
  return limit === undefined ? sql`` : sql` limit ${limit}`;
}
