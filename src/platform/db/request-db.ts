/**
 * The database of one request. Its statements go to D1's primary. If the caller sends a bookmark of the data that they
 * have seen, the statements go to a copy near the Worker that is at least as new (docs/decisions/0093).
 */
import { type Db, openDb } from "./client.ts";

/** A request's use of D1, for the Server-Timing header and for tests that limit it. */
export interface D1Spend {
  statements: number;
  roundTrips: number;
  durationMs: number;
}

/** Sends this statement and all later ones to the primary. Local D1 has no replicas, but accepts it. */
const PRIMARY = "first-primary";

export class RequestDb {
  readonly db: Db;
  readonly spend: D1Spend = { statements: 0, roundTrips: 0, durationMs: 0 };
  readonly #d1: D1Database;
  readonly #nowMs: () => number;
  /** Set while a replica may answer. */
  #near: D1DatabaseSession | undefined;
  #bookmark: string | undefined;

  /** `bookmark`: the state that the caller has seen; undefined: the primary answers. */
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

  /** The newest state of the database that this request has seen; undefined before its first statement. */
  get bookmark(): string | undefined {
    return this.#bookmark;
  }

  /** Makes the primary answer from here on. Returns whether a replica may have answered until now. */
  leaveReplica(): boolean {
    const wasNear = this.#near !== undefined;
    this.#near = undefined;
    return wasNear;
  }

  /**
   * To the primary, each round trip is a separate session. A session promises the primary only for its first statement,
   * and a read after a runner's write must not come from a copy that lacks the write.
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

/** The preparation of a statement in the session that runs it. */
const bound = new WeakMap<D1PreparedStatement, (d1: D1DatabaseSession) => D1PreparedStatement>();
