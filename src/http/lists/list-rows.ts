/** The SQL of a list: its conditions, the start of its page, and its order. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { LabelSelector } from "#http/labels.ts";
import { firstIdAt } from "#platform/ids.ts";
import { folded } from "#platform/text/folded.ts";
import { type PageRequest, sortOf } from "./page.ts";

/** The filters of `listFilters` that a query gave, and the tenant. */
export interface ListFilters {
  tenantId?: string | undefined;
  name?: string | undefined;
  q?: string | undefined;
  label?: readonly LabelSelector[] | undefined;
  createdAfter?: string | undefined;
  createdBefore?: string | undefined;
}

export type ListedTable = SQLiteTable & {
  id: SQLiteColumn;
  tenantId?: SQLiteColumn;
  createdAtMs: SQLiteColumn;
  updatedAtMs?: SQLiteColumn;
  name?: SQLiteColumn;
  sortTitle?: SQLiteColumn;
  searchText?: SQLiteColumn;
  labels?: SQLiteColumn;
};

/** The maximum difference between the time in a row's id and its `created_at_ms`. */
const ID_SLACK_MS = 60 * 60_000;

/** The conditions of the given filters; undefined filters have none. `page`: the page of the list. */
export function filtered(table: ListedTable, filters: ListFilters, page: PageRequest): SQL[] {
  const { tenantId, name, q, label, createdAfter, createdBefore } = filters;
  return [
    tenantId === undefined ? [] : [sql`${required(table, "tenantId")} = ${tenantId}`],
    name === undefined ? [] : isNamed(required(table, "name"), name),
    q === undefined ? [] : [contains(required(table, "searchText"), q)],
    label === undefined ? [] : [hasLabels(required(table, "labels"), label)],
    createdAfter === undefined ? [] : createdFrom(table, Date.parse(createdAfter), page),
    createdBefore === undefined ? [] : createdUntil(table, Date.parse(createdBefore), page),
  ].flat();
}

/** Holds if the column has one of the values; no condition if none is given. */
export function among(column: SQLiteColumn, values: string | readonly string[] | undefined): SQL[] {
  if (values === undefined) return [];
  const list = typeof values === "string" ? [values] : values;
  // A single value must not be a list: the rows of an index are in the order of the ids for one value only.
  return list.length === 1 ? [sql`${column} = ${list[0]}`] : [sql`${column} IN ${list}`];
}

/**
 * Holds if the text contains the other, in upper or lower case; the column has its folded form. Not LIKE: `%` and `_`
 * are ordinary characters here, and SQLite folds ASCII alone.
 */
export function contains(searchText: SQLiteColumn, text: string): SQL {
  return sql`instr(${searchText}, ${folded(text)}) > 0`;
}

/** The first comparison uses the index of names, which ignores case; the second is the exact one. */
function isNamed(column: SQLiteColumn, name: string): SQL[] {
  return [sql`${column} = ${name} COLLATE NOCASE`, sql`${column} = ${name}`];
}

/** Holds if the row has each of these labels. Keys and values are parameters, never part of a JSON path. */
function hasLabels(column: SQLiteColumn, selectors: readonly LabelSelector[]): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(selectors)}) wanted
    WHERE NOT EXISTS (SELECT 1 FROM json_each(${column}) label
      WHERE label.key = json_extract(wanted.value, '$.key')
        AND label.value = coalesce(json_extract(wanted.value, '$.value'), label.value)))`;
}

/**
 * Bounds the ids too, if rows are read in their order. In another order, SQLite would read and sort all rows between
 * the bounds instead of the page's.
 */
function createdFrom({ id, createdAtMs }: ListedTable, fromMs: number, page: PageRequest): SQL[] {
  const bound = sql`${id} >= ${firstIdAt(fromMs - ID_SLACK_MS)}`;
  return [...(isById(page) ? [bound] : []), sql`${createdAtMs} >= ${fromMs}`];
}

function createdUntil({ id, createdAtMs }: ListedTable, untilMs: number, page: PageRequest): SQL[] {
  const bound = sql`${id} < ${firstIdAt(untilMs + ID_SLACK_MS)}`;
  return [...(isById(page) ? [bound] : []), sql`${createdAtMs} < ${untilMs}`];
}

function isById(page: PageRequest): boolean {
  return sortOf(page).column === undefined;
}

/** The condition that a row comes after the cursor's; none on the first page. */
export function afterCursor(table: ListedTable, page: PageRequest): SQL[] {
  const { afterId, afterKey } = page;
  if (afterId === undefined) return [];
  const than = sortOf(page).descends ? sql`<` : sql`>`;
  const key = sortedBy(table, page);
  if (key === undefined) return [sql`${table.id} ${than} ${afterId}`];
  return [
    // SQLite cannot seek by a row comparison with a collation: without this condition it reads all rows before the
    // cursor.
    sql`${key} ${than}= ${afterKey}`,
    sql`(${key}, ${table.id}) ${than} (${afterKey}, ${afterId})`,
  ];
}

export function allOf(conditions: readonly SQL[]): SQL {
  return sql.join([...conditions], sql` AND `);
}

/** The order of a page and its limit: one more row than the page holds, which shows whether another page follows. */
export function onePage(table: ListedTable, page: PageRequest): { orderBy: SQL[]; limit: number } {
  return { orderBy: inOrder(table, page), limit: page.limit + 1 };
}

/** For `orderBy`. */
export function inOrder(table: ListedTable, page: PageRequest): SQL[] {
  const direction = sortOf(page).descends ? sql`DESC` : sql`ASC`;
  const key = sortedBy(table, page);
  return [...(key === undefined ? [] : [sql`${key} ${direction}`]), sql`${table.id} ${direction}`];
}

/** Undefined: the id alone. */
function sortedBy(table: ListedTable, page: PageRequest): SQL | undefined {
  const { column } = sortOf(page);
  if (column === undefined) return undefined;
  const key = required(table, column);
  return column === "name" ? sql`${key} COLLATE NOCASE` : sql`${key}`;
}

function required(
  table: ListedTable,
  name: "tenantId" | "name" | "labels" | "updatedAtMs" | "sortTitle" | "searchText",
): SQLiteColumn {
  const column = table[name];
  if (column === undefined) throw new Error(`A list asks for ${name}, which its table lacks`);
  return column;
}
