/**
 * One call per request, message or alarm: the caller, the time, the database. A use case gets all its dependencies from
 * it, so the same use case serves requests, queues and the clock.
 *
 * The first `read` authenticates the caller in the same round trip: the credential contains the claim, so the
 * statements are scoped to the claimed tenants before the claim is verified, and their rows are discarded if the claim
 * is false. `commit` writes the whole change in one batch, or nothing.
 */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Actor, belongsTo, soleTenant } from "#kernel/access/access.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { ApiError } from "#kernel/errors.ts";
import { notifyDeliveries } from "#kernel/outbox/notify-deliveries.ts";
import { type Db, runBatch, type Statement } from "#platform/db/client.ts";
import { isAnyVersion } from "#platform/etag.ts";
import { describeError, log } from "#platform/log.ts";
import { type Trace, withoutState } from "#platform/trace.ts";
import type { CallParts, Repetition } from "./call-parts.ts";
import { CallScope } from "./call-scope.ts";
import { actorOf, callerFrom, claimOf, fromCache, verified } from "./caller.ts";
import { CallerChanged, type GuardCode } from "./commit-error.ts";
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

/** The results of `read` by statement: all rows, or the one row. */
type Results<T extends readonly (Statement | One<unknown>)[]> = {
  [K in keyof T]: T[K] extends One<infer R>
    ? R
    : T[K] extends Statement
      ? T[K]["_"]["result"]
      : never;
};

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
  /** Of a request with an `Idempotency-Key`. `asked`: an earlier answer was looked for. */
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
   * Throws `precondition_failed` unless the object's version matches `If-Match` and does not match `If-None-Match`.
   * Undefined: the object does not exist yet.
   */
  expectVersion(version: number | string | undefined): void {
    requireVersionMatch(this.#parts, version);
  }

  /** Whether the request names the version to change with `If-Match`, other than `*`, which means any. */
  get namesVersion(): boolean {
    const { ifMatch } = this.#parts;
    return ifMatch !== undefined && !isAnyVersion(ifMatch);
  }

  /**
   * The trace as stored in the tenant's rows: only the caller's own tenants get the `tracestate` of the caller's
   * tracing.
   */
  traceFor(tenantId: string): Trace | undefined {
    const { trace } = this;
    if (trace === undefined) return undefined;
    const actor = actorOf(this.caller);
    return actor !== undefined && belongsTo(actor, tenantId) ? trace : withoutState(trace);
  }

  /**
   * Runs the statements in one round trip. The result of a `one` is its row; the first that is missing or not permitted
   * throws. The first read of a call authenticates the caller and answers a repeated request.
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

  /** Authenticates the caller, unless a read already did. */
  async authenticate(): Promise<void> {
    const isToAsk = this.#repetition !== undefined && !this.#asked;
    if (claimOf(this.caller) !== undefined || isToAsk) await this.read();
    if (this.caller.is === "nobody" && this.#parts.access !== "public") throw strangerError();
  }

  /**
   * Makes the actor known to a change that reads nothing, without a round trip. A recently verified caller is taken
   * from the cache, and the commit fails unless the caller's rights are unchanged. Other callers are authenticated
   * (decision 0004).
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

  /** A guard for `commit`. If the condition fails, nothing is written and the answer is `code`. */
  require(code: GuardCode, condition: SQL): Guard {
    return { write: "guard", code, holds: condition };
  }

  /** The guard for a change of a row that was read: the row still has this version. */
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

  /** A statement that writes rows of the tenant; null: of no tenant. The commit checks the caller's role there. */
  write(tenantId: string | null, statement: Statement): RowWrite {
    return { write: "row", tenantId, statement };
  }

  /** A row that the service keeps for another tenant, such as a count of installs: no role is required. */
  writeAsService(tenantId: string, statement: Statement): RowWrite {
    return { ...this.write(tenantId, statement), asService: true };
  }

  /**
   * Writes everything in one batch, with the answer for a repeated request, then sends the notifications. Returns
   * `result`. If a guard fails, or a UNIQUE in `unique` (column → error) is violated, it throws and nothing is written.
   */
  async commit<T, const W extends readonly Write[]>(
    result: T,
    writes: W & Audited<W>,
    unique: UniqueErrors = {},
  ): Promise<T> {
    requireAudit(writes);
    return this.#commit(result, writes, { unique, repetition: this.#repetition });
  }

  /** Commits the writes of a failing request, then throws. No answer is stored, so a repetition tries again. */
  async commitAndThrow<const W extends readonly Write[]>(
    error: ApiError,
    writes: W & Audited<W>,
  ): Promise<never> {
    requireAudit(writes);
    await this.#commit(undefined, writes, { unique: {}, repetition: undefined });
    throw error;
  }

  /** As `commit`, without an audit entry: for the service's own records. */
  async commitUnaudited<T>(
    result: T,
    writes: readonly Write[],
    unique: UniqueErrors = {},
  ): Promise<T> {
    return this.#commit(result, writes, { unique, repetition: this.#repetition });
  }

  async #commit<T>(
    result: T,
    writes: readonly Write[],
    { unique, repetition }: { unique: UniqueErrors; repetition: Repetition | undefined },
  ): Promise<T> {
    await this.authenticateFromCache();
    requireRoleForEach(writes, actorOf(this.caller), this.role);
    await this.#countChange(writes);
    const limits = await this.#changeLimits(writes);
    const unit = await unitOfWork(writes, {
      db: this.db,
      env: this.env,
      atMs: this.now,
      newId: this.newId,
      requestId: this.requestId,
      traceFor: (tenantId) => this.traceFor(tenantId),
      hops: this.#parts.hops,
      actor: () => this.actor,
      callerHolds: this.caller.is === "cached" ? this.caller.cached.holds : undefined,
      limits,
    });
    const { db } = this;
    const isChange = isAudited(writes);
    const commit = await runCommit({ db, unit, result, unique, repetition, isChange });
    if (commit.kind === "caller_changed" && this.caller.is === "cached") {
      this.caller.cached.forget();
      await this.authenticate();
      throw new CallerChanged();
    }
    // Any other failure comes after the guard on a cached caller, so that guard held.
    if (commit.kind !== "unknown") this.#acceptCached();
    if (commit.kind !== "done") throw commit.error;
    const { deliveries } = commit;
    this.#hasCommitted = true;
    for (const { send } of unit.notifications) this.#after(async () => send(this.env));
    if (deliveries.length > 0) this.#after(async () => notifyDeliveries(this.env, deliveries));
    return result;
  }

  /** Stores the answer of a change that wrote nothing, so that its Idempotency-Key counts as used. */
  async keepAnswer(result: unknown): Promise<void> {
    if (this.#repetition === undefined || this.#hasCommitted) return;
    const actor = actorOf(this.caller);
    // A stored answer fills the database as a change does.
    if (actor !== undefined && actor.kind !== "operator")
      await this.#parts.countChange?.(soleTenant(actor) ?? actor.name);
    await this.commitUnaudited(result, []);
  }

  /** Operators are not counted: they change the installation. */
  async #countChange(writes: readonly Write[]): Promise<void> {
    const { countChange } = this.#parts;
    if (countChange === undefined || actorOf(this.caller)?.kind === "operator") return;
    const owners = writes.map((each) =>
      each.write === "row" && each.asService !== true ? each.tenantId : null,
    );
    for (const owner of new Set(owners)) if (owner !== null) await countChange(owner);
  }

  async #changeLimits(writes: readonly Write[]): Promise<Guard[]> {
    const { limitChange } = this.#parts;
    if (limitChange === undefined || actorOf(this.caller)?.kind === "operator") return [];
    const entries = writes.filter((each) => each.write === "audit");
    return (await Promise.all(entries.map(limitChange))).flat();
  }

  #accept(actor: Actor): void {
    this.caller = verified(actor, this.#parts.access);
    this.#parts.onAuthenticated?.(actor);
  }

  /** The commit has verified a cached caller. */
  #acceptCached(): void {
    if (this.caller.is === "cached") this.#accept(this.caller.cached.actor);
    this.#asked = true;
  }

  /** The change is committed. A failed notification, even one that throws at once, does not change the answer. */
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

/** Checked at run time, because the type cannot see into lists that the use case builds. */
function requireAudit(writes: readonly Write[]): void {
  if (!isAudited(writes)) throw new Error("A change needs an audit entry");
}

function isAudited(writes: readonly Write[]): boolean {
  return writes.some(({ write }) => write === "audit");
}
