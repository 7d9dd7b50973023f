/** SQLite as in D1 and in a Durable Object's storage, on Node's `node:sqlite`. Statements are prepared once. */
import { readdirSync, readFileSync } from "node:fs";
import { type Cell, DatabaseSync, type StatementSync } from "node:sqlite";
import type { Random } from "./random.ts";

export class Sqlite {
  readonly #db = new DatabaseSync(":memory:");
  readonly #prepared = new Map<string, StatementSync>();

  /** The source of SQL's random functions. */
  constructor(random: () => Random) {
    this.#db.function("random", () => Math.floor((random().next() - 0.5) * 2 ** 52));
    this.#db.function("randomblob", (length) =>
      Uint8Array.from({ length: Number(length) }, () => random().below(256)),
    );
  }

  rows(query: string, values: readonly unknown[] = []): Record<string, Cell>[] {
    let statement = this.#prepared.get(query);
    if (statement === undefined) {
      statement = this.#db.prepare(query);
      this.#prepared.set(query, statement);
    }
    return statement.all(...values.map(cell));
  }

  columns(query: string): string[] {
    return (
      this.#prepared
        .get(query)
        ?.columns()
        .map(({ name }) => name) ?? []
    );
  }

  script(text: string): void {
    this.#db.exec(text);
  }

  /** Runs `work` in a transaction. */
  atomically<T>(work: () => T): T {
    this.#db.exec("SAVEPOINT one");
    try {
      const result = work();
      this.#db.exec("RELEASE one");
      return result;
    } catch (error) {
      this.#db.exec("ROLLBACK TO one; RELEASE one");
      throw error;
    }
  }

  close(): void {
    this.#prepared.clear();
    this.#db.close();
  }
}

function cell(value: unknown): Cell {
  if (value === undefined) throw new TypeError("Type 'undefined' not supported for value");
  if (typeof value === "boolean") return Number(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return value as Cell;
}

/** A database with every migration applied. */
export function migratedSqlite(random: () => Random): Sqlite {
  const folder = new URL("../../migrations/", import.meta.url);
  const database = new Sqlite(random);
  for (const name of readdirSync(folder).sort())
    if (name.endsWith(".sql")) database.script(readFileSync(new URL(name, folder), "utf8"));
  return database;
}

/** How an operation reaches its database: with a delay, or not at all. */
export type Route = <T>(work: () => T) => Promise<T>;

interface Bound {
  query: string;
  values: unknown[];
}

const bound = new WeakMap<D1PreparedStatement, Bound>();

/** The D1 API over the database, as far as the service uses it. */
export function d1Over(database: Sqlite, route: Route): D1Database {
  const ran = ({ query, values }: Bound) => {
    try {
      return { success: true, results: database.rows(query, values), meta: {} };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : "no reason given";
      throw new Error(`D1_ERROR: ${reason}: SQLITE_ERROR`, { cause });
    }
  };
  const statement = (query: string, values: unknown[] = []): D1PreparedStatement => {
    const made = {
      bind: (...given: unknown[]) => statement(query, given),
      all: () => route(() => ran({ query, values })),
      run: () => route(() => ran({ query, values })),
      first: (column?: string) =>
        route(() => {
          const [row] = ran({ query, values }).results;
          return row === undefined ? null : column === undefined ? row : row[column];
        }),
      raw: () => route(() => ran({ query, values }).results.map((row) => Object.values(row))),
    } as unknown as D1PreparedStatement;
    bound.set(made, { query, values });
    return made;
  };
  const d1 = {
    prepare: (query: string) => statement(query),
    batch: (statements: D1PreparedStatement[]) =>
      route(() => database.atomically(() => statements.map((one) => ran(bound.get(one) as Bound)))),
    // There are no replicas.
    withSession: () => ({ ...d1, getBookmark: () => null }),
  };
  return d1 as unknown as D1Database;
}

/** `SqlStorage` over the database. `requireAlive` throws if the object is dead. */
export function sqlStorageOver(database: Sqlite, requireAlive: () => void): SqlStorage {
  return {
    exec: (query: string, ...values: unknown[]) => {
      requireAlive();
      const several = values.length === 0 && /;\s*\S/.test(query);
      if (several) database.script(query);
      const rows = several ? [] : database.rows(query, values);
      return {
        toArray: () => rows,
        one: () => {
          if (rows.length !== 1)
            throw new Error(`Expected exactly one result from SQL query, but got ${rows.length}`);
          return rows[0];
        },
        get columnNames() {
          return several ? [] : database.columns(query);
        },
        [Symbol.iterator]: () => rows[Symbol.iterator](),
      };
    },
  } as unknown as SqlStorage;
}
