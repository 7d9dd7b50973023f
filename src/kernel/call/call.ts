/**
 * One per request, message or alarm: who acts, when, with what. A use case gets everything it needs through it, so
 * it is the same sentence for a person, a queue and the clock.
 *
 * The first `read` authenticates in the same round trip: the claim is in the credential, so the statements are
 * scoped to the claimed tenants before the claim is verified, and their rows are discarded when it does not hold.
 * `commit` writes everything a change means in one batch, or nothing.
 */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Actor } from "#kernel/access/access.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { ApiError } from "#kernel/errors.ts";
import { notifyDeliveries } from "#kernel/outbox/notify-deliveries.ts";
import { type Db, guard, runBatch, type Statement } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import type { Trace } from "#platform/trace.ts";
import type { CallParts, Repetition } from "./call-parts.ts";
import { CallScope } from "./call-scope.ts";
import { actorOf, callerFrom, claimOf, fromCache, verified } from "./caller.ts";
import { CallerChanged } from "./commit-error.ts";
import { isOne, type One } from "./one.ts";
import { requireVersionMatch } from "./preconditions.ts";
import { runCommit } from "./run-commit.ts";
import { strangerError } from "./stranger-error.ts";
import {
  type Audited,
  type Guard,
  requireRoleForEach,
  type RowWrite,
  unitOfWork,
  type Write,
} from "./unit-of-work.ts";

/** What `read` returns for each of its statements: all rows, or the one row. */
type Results<T extends readonly (Statement | One<unknown>)[]> = {
  [K in keyof T]: T[K] extends One<infer R>
    ? R
    : T[K] extends Statement
      ? T[K]["_"]["result"]
      : never;
};

type GuardCode =
  | "conflict"
  | "quota_exceeded"
  | "not_found"
  | "in_use"
  | "invalid_state"
  | "last_owner";

type UniqueErrors = Readonly<Record<string, ApiError>>;

export class Call extends CallScope {
  readonly env: Bindings;
  readonly db: Db;
  /** Epoch milliseconds: one instant for the whole call. */
  readonly now: number;
  readonly newId: () => string;
  readonly requestId: string;
  readonly trace: Trace | undefined;
  readonly quota: CallParts["quota"];
  readonly #parts: CallParts;
  /** Of a request with an `Idempotency-Key`: `asked` once an earlier answer was looked for. */
  readonly #repetition: Repetition | undefined;
  #asked = false;
  #hasCommitted = false;

  constructor(parts: CallParts) {
    super(callerFrom(parts.caller), parts.access);
    this.env = parts.env;
    this.db = parts.db;
    this.now = parts.now;
    this.newId = parts.newId;
    this.requestId = parts.requestId;
    this.trace = parts.trace;
    this.quota = parts.quota;
    this.#parts = parts;
    this.#repetition = parts.repetition;
    if (this.caller.is === "verified") this.#accept(this.caller.actor);
  }

  /**
   * Throws `precondition_failed` unless the object has the version that `If-Match` names, or has not the one that
   * `If-None-Match` names. Undefined: there is no such object yet.
   */
  expectVersion(version: number | string | undefined): void {
    requireVersionMatch(this.#parts, version);
  }

  /**
   * Runs the statements in one round trip. Of a `one`, the result is its row: the first that is not there, or not
   * for this caller, throws. The first read of a call authenticates the caller, and answers a repeated request.
   */
  async read<const T extends readonly (Statement | One<unknown>)[]>(
    ...reads: T
  ): Promise<Results<T>> {
    const claim = claimOf(this.caller);
    const repetition = this.#asked ? undefined : this.#repetition;
    const statements = reads.map((read) => (isOne(read) ? read.one : read));
    if (repetition !== undefined) statements.unshift(repetition.find(this.db));
    if (claim !== undefined) statements.unshift(claim.statement(this.db));
    const results: unknown[] = await runBatch(this.db, statements);
    this.#asked = true;
    if (claim !== undefined) this.#accept(claim.verify(results.shift()));
    await repetition?.replay(results.shift());
    const caller = { actor: actorOf(this.caller), role: this.role };
    return reads.map((read, at) =>
      isOne(read) ? read.decode(results[at], caller) : results[at],
    ) as Results<T>;
  }

  /** Authenticates the caller, if no read has. */
  async authenticate(): Promise<void> {
    const isToAsk = this.#repetition !== undefined && !this.#asked;
    if (claimOf(this.caller) !== undefined || isToAsk) await this.read();
    if (this.caller.is === "nobody" && this.#parts.access !== "public") throw strangerError();
  }

  /**
   * Makes the actor known to a change that reads nothing, which saves a round trip: a caller who was verified here
   * a moment ago is taken from the cache, and the commit fails unless that still holds; others are authenticated.
   */
  async authenticateFromCache(): Promise<void> {
    if (this.caller.is === "verified" || this.caller.is === "cached") return;
    const cached = fromCache(this.caller, this.#parts.access);
    if (cached === undefined) await this.authenticate();
    else this.caller = cached;
  }

  /** Authenticates a cached caller before any error is returned. */
  async authenticateCached(): Promise<void> {
    if (this.caller.is === "cached") await this.authenticate();
  }

  /** A guard for `commit`: the batch writes nothing, and the answer is `code`, unless the condition holds. */
  require(code: GuardCode, condition: SQL): Guard {
    return { write: "guard", statement: guard(this.db, code, condition) };
  }

  /** The guard of every change to a row that was read: it still has the version that was read. */
  requireVersion(
    table: SQLiteTable & { id: SQLiteColumn; tenantId: SQLiteColumn; version: SQLiteColumn },
    row: { id: string; tenantId: string; version: number },
  ): Guard {
    return this.require(
      "conflict",
      sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${row.id}
        AND ${table.tenantId} = ${row.tenantId} AND ${table.version} = ${row.version})`,
    );
  }

  /** A statement that writes rows of the tenant; null: of none. The caller's role there is checked at commit. */
  write(tenantId: string | null, statement: Statement): RowWrite {
    return { write: "row", tenantId, statement };
  }

  /** A row that the service keeps for another tenant, a count of installs for example: the role is not checked. */
  writeAsService(tenantId: string, statement: Statement): RowWrite {
    return { ...this.write(tenantId, statement), asService: true };
  }

  /**
   * Writes all of it in one batch, with the answer for a repeated request, then sends the notifications. Returns
   * `result`. A guard that fails, or a UNIQUE that `unique` names (column → error), throws, and nothing is written.
   */
  async commit<T, const W extends readonly Write[]>(
    result: T,
    writes: W & Audited<W>,
    unique: UniqueErrors = {},
  ): Promise<T> {
    return this.commitUnaudited(result, writes, unique);
  }

  /** As `commit`, for what is no change of a caller's: the service's own bookkeeping. */
  async commitUnaudited<T>(
    result: T,
    writes: readonly Write[],
    unique: UniqueErrors = {},
  ): Promise<T> {
    await this.authenticateFromCache();
    requireRoleForEach(writes, actorOf(this.caller), this.role);
    const unit = await unitOfWork(writes, {
      db: this.db,
      atMs: this.now,
      newId: this.newId,
      requestId: this.requestId,
      trace: this.trace,
      actor: () => this.actor,
      callerHolds: this.caller.is === "cached" ? this.caller.cached.holds : undefined,
    });
    const { db } = this;
    const commit = await runCommit({ db, unit, result, unique, repetition: this.#repetition });
    if (commit.kind === "caller_changed" && this.caller.is === "cached") {
      this.caller.cached.forget();
      await this.authenticate();
      throw new CallerChanged();
    }
    // Whatever else the database refuses, it first found a cached caller unchanged.
    if (commit.kind !== "unknown") this.#acceptCached();
    if (commit.kind !== "done") throw commit.error;
    const { deliveries } = commit;
    this.#hasCommitted = true;
    for (const { send } of unit.notifications) this.#after(async () => send(this.env));
    if (deliveries.length > 0) this.#after(async () => notifyDeliveries(this.env, deliveries));
    return result;
  }

  /** Stores the answer of a change that had nothing to do: another one with its Idempotency-Key is refused too. */
  async keepAnswer(result: unknown): Promise<void> {
    if (this.#repetition !== undefined && !this.#hasCommitted)
      await this.commitUnaudited(result, []);
  }

  #accept(actor: Actor): void {
    this.caller = verified(actor, this.#parts.access);
    this.#parts.onAuthenticated?.(actor);
  }

  /** A commit has shown that a cached caller is still who they were. */
  #acceptCached(): void {
    if (this.caller.is === "cached") this.#accept(this.caller.cached.actor);
    this.#asked = true;
  }

  /** The change is made: whatever notifying does, a throw included, does not change its answer. */
  #after(work: () => Promise<unknown>): void {
    const failed = (error: unknown): void =>
      log("warn", "A queue could not be notified; the sweep will repeat it", {
        requestId: this.requestId,
        traceId: this.trace?.traceId,
        error: describeError(error),
      });
    this.#parts.after(work().catch(failed));
  }
}
