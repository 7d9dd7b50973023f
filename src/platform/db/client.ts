import { type SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { outside } from "#platform/outside.ts";

export type Db = DrizzleD1Database & { $client: D1Database };
export type Statement = BatchItem<"sqlite">;

const names = { casing: "snake_case" } as const;

/** One per binding, so that drizzle derives a table's column names only once. */
const opened = new WeakMap<D1Database, Db>();

export function openDb(d1: D1Database): Db {
  let db = opened.get(d1);
  if (db === undefined) {
    db = drizzle(d1, names);
    opened.set(d1, db);
  }
  return db;
}

/** Builds statements and sends none, for texts that are built before any request. */
export const writer = drizzle({ prepare: () => ({}) } as unknown as D1Database, names);

/** A statement as prepared by drizzle: its text with parameters, and the mapping of its result. */
export interface PreparedQuery {
  getQuery: () => { sql: string; params: unknown[] };
  mapResult: (result: unknown, isFromBatch: boolean) => unknown;
}

/** Uses the internal interface of every drizzle statement. */
export function prepared(statement: Statement): PreparedQuery {
  return (statement as unknown as { _prepare: () => PreparedQuery })._prepare();
}

/**
 * Runs the statements as one transaction in one round trip and returns their mapped results in order. Replaces
 * drizzle's `batch`, which cannot bind the parameters of `sql` statements. Like `batch`, it reads columns by name, so a
 * join must alias columns of the same name.
 */
export async function runBatch<const T extends readonly Statement[]>(
  db: Db,
  statements: T,
): Promise<BatchResponse<T>> {
  const queries = statements.map(prepared);
  const bound = queries.map((query) => {
    const { sql: text, params } = query.getQuery();
    return db.$client.prepare(text).bind(...params);
  });
  const [only, ...others] = bound;
  // A single statement is already a transaction.
  const results =
    only === undefined
      ? []
      : await outside(async () =>
          others.length === 0 ? [await only.all()] : db.$client.batch(bound),
        );
  return queries.map((query, at) => query.mapResult(results[at], true)) as BatchResponse<T>;
}

/** The prefix that distinguishes a failed guard from other SQL errors. */
const GUARD = "guard:";

/**
 * A condition that must hold. `code`: of the failure. `about`: its subject, in letters, digits and colons. Both may be
 * SQL.
 */
export interface Condition {
  code: string | SQL;
  holds: SQL;
  about?: string | SQL;
}

/**
 * A statement that fails its whole batch, so that nothing is written, unless the conditions hold. It reports the first
 * that does not. D1 has neither interactive transactions nor a conditional abort. But SQLite rejects a malformed JSON
 * path and quotes it in the message: the only error that a plain SELECT can raise on purpose.
 */
export function guard(db: Db, ...conditions: readonly Condition[]): Statement {
  const failures = conditions.map(({ code, holds, about }) => {
    const text = about === undefined ? sql`${code}` : sql`${code} || ':' || ${about}`;
    return sql`WHEN (${holds}) IS NOT TRUE THEN ${GUARD} || ${text}`;
  });
  return db.all(sql`SELECT json_extract('{}', CASE ${sql.join(failures, sql` `)} ELSE '$' END)`);
}

/** The failed guard, if the error is one. */
export function failedGuard(error: unknown): { code: string; about?: string } | undefined {
  const message = errorText(error);
  const at = message.indexOf(GUARD);
  const [, code, about] =
    (at < 0 ? null : /^([a-z0-9_]+)(?::([A-Za-z0-9:]+))?/.exec(message.slice(at + GUARD.length))) ??
    [];
  if (code === undefined) return undefined;
  return about === undefined ? { code } : { code, about };
}

/** The `table.column` of a violated UNIQUE constraint (the first column of several), if the error is one. */
export function violatedUnique(error: unknown): string | undefined {
  return /UNIQUE constraint failed: ([a-z0-9_]+\.[a-z0-9_]+)/.exec(errorText(error))?.[1];
}

/** True if the statement failed because the database lacks a table or a column: its migrations are not applied. */
export function lacksSchema(error: unknown): boolean {
  return /\bno such (?:table|column): |\bhas no column named /.test(errorText(error));
}

function errorText(error: unknown): string {
  let text = "";
  for (let at = error; at instanceof Error; at = at.cause) text += `${at.message}\n`;
  return text;
}
