import { type SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

export type Db = DrizzleD1Database & { $client: D1Database };
export type Statement = BatchItem<"sqlite">;

/** What a call spent on D1: for the Server-Timing header and for tests that hold the number down. */
export interface D1Spend {
  statements: number;
  roundTrips: number;
  durationMs: number;
}

const names = { casing: "snake_case" } as const;

/** One for each binding: what drizzle works out of a table, the names of its columns, it works out once. */
const opened = new WeakMap<D1Database, Db>();

export function openDb(d1: D1Database): Db {
  let db = opened.get(d1);
  if (db === undefined) {
    db = drizzle(d1, names);
    opened.set(d1, db);
  }
  return db;
}

/** A database that counts what `runBatch` asks it. One per call: the count is the call's. */
export function openCountedDb(d1: D1Database, spend: D1Spend, nowMs: () => number): Db {
  const timed = async <T>(statements: number, run: () => Promise<T>): Promise<T> => {
    spend.statements += statements;
    spend.roundTrips += 1;
    const startedMs = nowMs();
    try {
      return await run();
    } finally {
      spend.durationMs += nowMs() - startedMs;
    }
  };
  const native = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const counted = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapper = {
      bind: (...values: unknown[]) => counted(statement.bind(...values)),
      first: (...args: [string]) => timed(1, () => statement.first(...args)),
      run: () => timed(1, () => statement.run()),
      all: () => timed(1, () => statement.all()),
      raw: (...args: [{ columnNames?: false }]) => timed(1, () => statement.raw(...args)),
    } as D1PreparedStatement;
    native.set(wrapper, statement);
    return wrapper;
  };
  const database = {
    prepare: (query: string) => counted(d1.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      timed(statements.length, () => d1.batch(statements.map((s) => native.get(s) ?? s))),
  } as D1Database;
  return Object.assign(Object.create(openDb(d1)) as Db, { $client: database });
}

/** What every drizzle statement is beneath its types. */
interface Preparable {
  _prepare: () => {
    getQuery: () => { sql: string; params: unknown[] };
    mapResult: (result: unknown, isFromBatch: boolean) => unknown;
  };
}

/**
 * Runs the statements as one transaction in one round trip; their results, mapped, in order. Drizzle's own
 * `batch` cannot bind the parameters of `sql` statements. Like it, this reads columns by name: a join has to
 * give columns of the same name an alias.
 */
export async function runBatch<const T extends readonly Statement[]>(
  db: Db,
  statements: T,
): Promise<BatchResponse<T>> {
  const prepared = statements.map((statement) => (statement as unknown as Preparable)._prepare());
  const bound = prepared.map((query) => {
    const { sql: text, params } = query.getQuery();
    return db.$client.prepare(text).bind(...params);
  });
  const [only, ...others] = bound;
  // One statement is a transaction by itself: a batch around it would only add work.
  const results =
    only === undefined
      ? []
      : others.length === 0
        ? [await only.all()]
        : await db.$client.batch(bound);
  return prepared.map((query, at) => query.mapResult(results[at], true)) as BatchResponse<T>;
}

/** The prefix by which a failed guard is told from any other SQL error. */
const GUARD = "guard:";

/**
 * A statement that makes its whole batch fail, and so write nothing, unless the condition holds. D1 has no
 * interactive transactions and no conditional abort; SQLite refuses a malformed JSON path, with the path in
 * the message, and that is the one error a plain SELECT can raise by choice. `code`: a text, or SQL that finds it.
 * `about`: a word that says what it is about.
 */
export function guard(db: Db, code: string | SQL, condition: SQL, about?: string): Statement {
  const told = about === undefined ? sql`${code}` : sql`${code} || ${`:${about}`}`;
  return db.all(
    sql`SELECT json_extract('{}', CASE WHEN ${condition} THEN '$' ELSE ${GUARD} || ${told} END)`,
  );
}

/** The guard that failed, if that is what the error means. */
export function failedGuard(error: unknown): { code: string; about?: string } | undefined {
  const message = errorText(error);
  const at = message.indexOf(GUARD);
  const [, code, about] =
    (at < 0 ? null : /^([a-z0-9_]+)(?::([A-Za-z]+))?/.exec(message.slice(at + GUARD.length))) ?? [];
  if (code === undefined) return undefined;
  return about === undefined ? { code } : { code, about };
}

/** The `table.column` (the first, of several) whose UNIQUE constraint was hit, if that is what the error means. */
export function violatedUnique(error: unknown): string | undefined {
  return /UNIQUE constraint failed: ([a-z0-9_]+\.[a-z0-9_]+)/.exec(errorText(error))?.[1];
}

function errorText(error: unknown): string {
  let text = "";
  for (let at = error; at instanceof Error; at = at.cause) text += `${at.message}\n`;
  return text;
}
