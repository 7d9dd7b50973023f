/**
 * The database of one request. Its statements go to D1's primary, or, where the caller says by a bookmark how much they
 * have seen already, to a copy near the Worker that knows at least as much (docs/decisions/0093).
 */
import { type Db, openDb } from "./client.ts";

/** A request's use of D1, for the Server-Timing header and for tests that limit it. */
export interface D1Spend {
  statements: number;
  roundTrips: number;
  durationMs: number;
}

/** Says "this statement and those after it to the primary". Local D1 has no replicas and takes it as well. */
const PRIMARY = "first-primary";

export class RequestDb {
  readonly db: Db;
  readonly spend: D1Spend = { statements: 0, roundTrips: 0, durationMs: 0 };
  readonly #d1: D1Database;
  readonly #nowMs: () => number;
  /** Set while a replica may answer. */
  #near: D1DatabaseSession | undefined;
  #bookmark: string | undefined;

  /** `bookmark`: what the caller has seen; undefined: the primary answers. */
  constructor(d1: D1Database, bookmark: string | undefined, nowMs: () => number) {
    this.#d1 = d1;
    this.#nowMs = nowMs;
    this.#near = bookmark === undefined ? undefined : d1.withSession(bookmark);
    const client = {
      prepare: (query: string) => this.#statement(query, []),
      batch: (statements: D1PreparedStatement[]) =>
        this.#run(statements.length, (d1) =>
          d1.batch(statements.map((one) => bound.get(one)?.(d1) ?? one)),
        ),
    } as unknown as D1Database;
    this.db = Object.assign(Object.create(openDb(d1)) as Db, { $client: client });
  }

  /** How much of the database this request has seen; undefined before its first statement. */
  get bookmark(): string | undefined {
    return this.#bookmark;
  }

  /** From here on the primary answers. Returns whether a replica may have answered until now. */
  leaveReplica(): boolean {
    const wasNear = this.#near !== undefined;
    this.#near = undefined;
    return wasNear;
  }

  /**
   * To the primary each round trip is a session of its own: a session promises the primary for its first statement
   * alone, and what a request reads after a runner has written must not come from a copy that lacks it.
   */
  async #run<T>(statements: number, work: (d1: D1DatabaseSession) => Promise<T>): Promise<T> {
    const session = this.#near ?? this.#d1.withSession(PRIMARY);
    this.spend.statements += statements;
    this.spend.roundTrips += 1;
    const startedMs = this.#nowMs();
    try {
      return await work(session);
    } finally {
      this.spend.durationMs += this.#nowMs() - startedMs;
      const seen = session.getBookmark() ?? undefined;
      // Bookmarks sort as texts.
      if (seen !== undefined && !(this.#bookmark !== undefined && seen < this.#bookmark))
        this.#bookmark = seen;
    }
  }

  #statement(query: string, values: readonly unknown[]): D1PreparedStatement {
    const on = (d1: D1DatabaseSession) => {
      const prepared = d1.prepare(query);
      return values.length === 0 ? prepared : prepared.bind(...values);
    };
    const statement = {
      bind: (...given: unknown[]) => this.#statement(query, given),
      first: (...args: [string]) => this.#run(1, (d1) => on(d1).first(...args)),
      run: () => this.#run(1, (d1) => on(d1).run()),
      all: () => this.#run(1, (d1) => on(d1).all()),
      raw: (...args: [{ columnNames?: false }]) => this.#run(1, (d1) => on(d1).raw(...args)),
    } as D1PreparedStatement;
    bound.set(statement, on);
    return statement;
  }
}

/** How a statement is prepared where it runs. */
const bound = new WeakMap<D1PreparedStatement, (d1: D1DatabaseSession) => D1PreparedStatement>();
