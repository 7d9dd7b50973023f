/**
 * One per request, message or alarm: who acts, when, with what. A use case gets everything it needs through
 * it and so is the same sentence whoever notifications.
 *
 * The first `read` of a call authenticates in the same round trip: the caller's claim is in the token, so the
 * statements can be scoped to the claimed tenant before the claim is proved, and their rows are thrown away
 * when it is not. `commit` writes everything a change means in one batch, or nothing.
 */
import { type SQL, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Actor, allowedIn, authorize, requireRole, isOf, may } from "#kernel/access/access.ts";
import type { Claim, Presumption } from "#kernel/access/claim.ts";
import { isOperator, rowsOf, sessionIdOf, userIdOf, type Who } from "#kernel/access/row-scope.ts";
import { type AuditEntry, auditDigests, auditStatement } from "#kernel/audit/audit.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { ApiError } from "#kernel/errors.ts";
import {
  type DeliveryRef,
  deliveryStatements,
  type EventEntry,
  eventStatement,
  type KnownEvent,
} from "#kernel/outbox/outbox.ts";
import { type Db, guard, runBatch, type Statement, violatedUnique } from "#platform/db/client.ts";
import { matchesIfNoneMatch, allowedByIfMatch } from "#platform/etag.ts";
import { PLATFORM } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import type { Trace } from "#platform/trace.ts";
import type { TenantRole } from "#schema/roles.ts";
import type { CallParts, Repetition } from "./call-parts.ts";
import { guardError } from "./commit-error.ts";

/** Sent after a commit has held: an id on a queue, no more. */
export interface Notification {
  write: "notify";
  send: (env: Bindings) => Promise<unknown>;
}

export type Write = Statement | AuditEntry | EventEntry | Notification;

export class Call {
  readonly db: Db;
  /** Epoch milliseconds: one instant for the whole call. */
  readonly now: number;
  readonly newId: () => string;
  readonly requestId: string;
  readonly #parts: CallParts;
  #actor: Actor | undefined;
  #claim: Claim | undefined;
  #presumed: Presumption | undefined;
  #repetition: Repetition | undefined;
  #hasRead = false;

  constructor(parts: CallParts) {
    this.db = parts.db;
    this.now = parts.now;
    this.newId = parts.newId;
    this.requestId = parts.requestId;
    this.#parts = parts;
    this.#repetition = parts.repetition;
    if (parts.caller === undefined) return;
    if ("kind" in parts.caller) this.#accept(parts.caller);
    else this.#claim = parts.caller;
  }

  /** Of a probe, until it has read anything: nothing is known then that could be acted upon. */
  get env(): Bindings {
    if (this.#hasRead) this.#endProbe();
    return this.#parts.env;
  }

  /** Who acts. Known from the first `read` on. */
  get actor(): Actor {
    if (this.#actor === undefined) throw new Error("The actor was asked for before the first read");
    return this.#actor;
  }

  /** From here on this actor acts: who signs in is nobody when the request arrives. */
  actAs(actor: Actor): void {
    this.#actor = actor;
  }

  /** Whether what belongs to this tenant is the caller's own. All is an operator's and the service's. */
  isOf(tenantId: string): boolean {
    return isOf(this.actor, tenantId);
  }

  /**
   * The condition that keeps a statement inside what the caller may see. Every statement on a tenant's table has
   * it. For a member that is what the endpoint lets them do: of their tenants, those where their role is enough.
   */
  mine(column: SQLiteColumn): SQL {
    return rowsOf(this.#who(), column);
  }

  /** Like `mine`, for what is read one owner at a time: an operator's own is the platform's. */
  own(column: SQLiteColumn): SQL {
    return isOperator(this.#who()) ? sql`${column} = ${PLATFORM}` : this.mine(column);
  }

  /** Like `mine`, and what the platform offers to everyone. */
  mineOrPlatform(column: SQLiteColumn): SQL {
    return sql`(${this.mine(column)} OR ${column} = 'platform')`;
  }

  /** The id of the user who is signed in, as a scalar; NULL for everybody else. */
  me(): SQL {
    return userIdOf(this.#who());
  }

  /** The id of the session that the request came by, as a scalar; NULL for everybody else. */
  mySession(): SQL {
    return sessionIdOf(this.#who());
  }

  #who(): Who {
    return { actor: this.#actor, claim: this.#claim, role: this.#neededRole() };
  }

  /** What a member has to be in a tenant to use this endpoint there; undefined: nothing in particular. */
  #neededRole(): TenantRole | undefined {
    const { access, probing } = this.#parts;
    if (access === "public" || probing === true) return undefined;
    return access.role === "session" || access.role === "operator" ? undefined : access.role;
  }

  /**
   * For a member who is enough in some of their tenants and not in others, `mine` hides what they may only see.
   * This call shows them all of it, and ends (`ProbeEnded`) as soon as anything is to be done with it: so what they
   * see and may not touch is told from what does not exist. Undefined: there is nothing they are not shown.
   */
  probe(): { call: Call; needed: TenantRole } | undefined {
    const actor = this.#actor;
    const role = this.#neededRole();
    if (actor?.kind !== "member" || role === undefined) return undefined;
    if (allowedIn(actor, role).length === actor.memberships.length) return undefined;
    const { repetition: _, ifMatch: __, ifNoneMatch: ___, quota: ____, ...parts } = this.#parts;
    return { call: new Call({ ...parts, caller: actor, probing: true }), needed: role };
  }

  /** Ends a probe, which only asks what could be found. */
  #endProbe(): void {
    if (this.#parts.probing === true) throw new ProbeEnded();
  }

  get trace(): Trace | undefined {
    return this.#parts.trace;
  }

  get quota(): CallParts["quota"] {
    return this.#parts.quota;
  }

  /**
   * The version the caller believes the object to have (`If-Match`), or not to have (`If-None-Match`); throws
   * `precondition_failed` when it is otherwise. Undefined: there is no such object yet.
   */
  expectVersion(version: number | string | undefined): void {
    const { ifMatch, ifNoneMatch } = this.#parts;
    if (version === undefined) {
      if (ifMatch !== undefined)
        throw new ApiError("precondition_failed", "There is no such object yet.");
      return;
    }
    const etag = `"${version}"`;
    if (!allowedByIfMatch(ifMatch, etag) || matchesIfNoneMatch(ifNoneMatch, etag))
      throw new ApiError("precondition_failed", `The object has version ${etag} now.`);
  }

  /** Runs the statements in one round trip. The first read of a call proves the caller as well. */
  async read<const T extends readonly Statement[]>(...statements: T): Promise<BatchResponse<T>> {
    const claim = this.#claim;
    const repetition = this.#repetition;
    this.#claim = undefined;
    this.#presumed = undefined;
    this.#repetition = undefined;
    const first: Statement[] = [];
    if (claim !== undefined) first.push(claim.statement(this.db));
    if (repetition !== undefined) first.push(repetition.find(this.db));
    const batch = [...first, ...statements];
    const results: unknown[] = await runBatch(this.db, batch);
    this.#hasRead = true;
    if (claim !== undefined) this.#accept(claim.prove(results.shift()));
    if (repetition !== undefined) {
      await repetition.replay(results.shift());
      this.#kept = repetition;
    }
    return results as BatchResponse<T>;
  }

  #kept: Repetition | undefined;
  #hasCommitted = false;

  /** Proves the caller, if nothing was read yet. */
  async prove(): Promise<void> {
    if (this.#claim !== undefined || this.#repetition !== undefined) await this.read();
    if (this.#actor === undefined && this.#parts.access !== "public") throw strangerError();
  }

  /**
   * Makes the actor known to a change that reads nothing. Whoever was proved here a moment ago is taken to be so
   * still, and the commit fails unless they are; everybody else is proved. It saves the change a round trip.
   */
  async presume(): Promise<void> {
    const claim = this.#claim;
    if (claim === undefined && this.#actor !== undefined) return;
    const presumed = claim?.recent?.();
    // One who may not by what was known then may have been allowed to since.
    if (presumed === undefined || !may(presumed.actor, this.#parts.access)) return this.prove();
    this.#actor = presumed.actor;
    this.#presumed = presumed;
  }

  /** Proves whoever is only presumed: they are told nothing before, and so not why their change failed. */
  async confirm(): Promise<void> {
    if (this.#presumed !== undefined) await this.prove();
  }

  #accept(actor: Actor): void {
    authorize(actor, this.#parts.access);
    this.#actor = actor;
    this.#parts.onProved?.(actor);
  }

  /** A guard for `commit`: the batch writes nothing, and answers `code`, unless the condition holds when it runs. */
  require(code: Parameters<typeof guardCode>[0], condition: SQL): Statement {
    return guard(this.db, guardCode(code), condition);
  }

  /** The guard of every change to a row that was read: it still has the version that was read. */
  requireVersion(
    table: SQLiteTable & { id: SQLiteColumn; tenantId: SQLiteColumn; version: SQLiteColumn },
    row: { id: string; tenantId: string; version: number },
  ): Statement {
    return this.require(
      "conflict",
      sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${row.id}
        AND ${table.tenantId} = ${row.tenantId} AND ${table.version} = ${row.version})`,
    );
  }

  /**
   * Writes all of it in one batch, with the answer for a repeated request, then notifications the queues. Returns
   * `result`. A guard that fails or a caught UNIQUE (`unique`: column → error) throws and nothing is written.
   */
  async commit<T>(
    result: T,
    writes: readonly Write[],
    unique: Readonly<Record<string, ApiError>> = {},
  ): Promise<T> {
    await this.presume();
    this.#endProbe();
    for (const write of writes)
      if ("write" in write && write.write === "audit") this.#requireIn(write.tenantId);
    this.#kept ??= this.#repetition;
    const presumed = this.#presumed;
    const changes: Statement[] =
      presumed === undefined ? [] : [guard(this.db, "unauthenticated", presumed.holds)];
    // Ahead of the change: of two equal requests at once, the second must fail on the key it shares with the first
    // and not on the object that the first has just made.
    const storedAt = changes.length;
    const notifications: Notification[] = [];
    const events: KnownEvent[] = [];
    for (const write of writes) {
      if (!("write" in write)) changes.push(write);
      else if (write.write === "notify") notifications.push(write);
      else if (write.write === "audit")
        changes.push(auditStatement(this.db, write, await this.#audited(write)));
      else {
        const known = { ...write, id: write.id ?? this.newId() };
        events.push(known);
        changes.push(eventStatement(this.db, known, { atMs: this.now, trace: this.trace }));
      }
    }
    const deliveriesAt = changes.length;
    changes.push(...deliveryStatements(this.db, events, this.now));
    const run = async (): Promise<unknown[]> => {
      const stored = (await this.#kept?.store(this.db, result)) ?? [];
      const results = await runBatch(this.db, changes.toSpliced(storedAt, 0, ...stored));
      return results.toSpliced(storedAt, stored.length);
    };
    const results = await run().catch(async (error: unknown) => {
      await this.#clearWay(error, unique);
      return run().catch(async (cause: unknown) => {
        await this.#clearWay(cause, unique);
        throw cause;
      });
    });
    this.#provePresumed();
    this.#hasCommitted = true;
    const deliveries = results.slice(deliveriesAt).flat() as DeliveryRef[];
    if (deliveries.length > 0) notifications.push(notifyDeliveries(deliveries));
    for (const notification of notifications) this.#notify(notification);
    return result;
  }

  /** Stores the answer of a change that had nothing to do: another one with its Idempotency-Key is refused as well. */
  async keepAnswer(result: unknown): Promise<void> {
    if (this.#kept !== undefined && !this.#hasCommitted) await this.commit(result, []);
  }

  /** The second bar: whatever a use case read, a member changes nothing where their role is not enough. */
  #requireIn(tenantId: string): void {
    const role = this.#neededRole();
    if (this.#actor?.kind === "member" && role !== undefined)
      requireRole(this.#actor, role, tenantId);
  }

  async #audited(entry: AuditEntry) {
    const actor = this.actor;
    return {
      id: this.newId(),
      atMs: this.now,
      actor: `${actor.kind}:${actor.name}`,
      requestId: this.requestId,
      ...(await auditDigests(entry)),
    };
  }

  /** A commit has shown that whoever was presumed is so still. */
  #provePresumed(): void {
    if (this.#presumed !== undefined) this.#parts.onProved?.(this.#presumed.actor);
    this.#claim = undefined;
    this.#presumed = undefined;
    this.#repetition = undefined;
  }

  /**
   * Throws what the failure of a commit means, unless all that was in the way is an answer that has expired: the
   * commit may be tried once more then.
   */
  async #clearWay(error: unknown, unique: Readonly<Record<string, ApiError>>): Promise<void> {
    const refused = guardError(error);
    if (refused?.code === "unauthenticated" && this.#presumed !== undefined) {
      this.#presumed.forget();
      await this.prove();
      // They are not who they were a moment ago, and may do something else: the use case has to look again.
      throw new ApiError("conflict", "What the caller may do was changed at the same time.");
    }
    const column = violatedUnique(error);
    // Whatever else the database refuses, it first found the caller to be who they were.
    if (refused !== undefined || column !== undefined) this.#provePresumed();
    if (refused !== undefined) throw refused;
    if (column?.startsWith("idempotency_keys.") !== true || this.#kept === undefined)
      throw (column !== undefined && Object.hasOwn(unique, column) && unique[column]) || error;
    const [rows] = await runBatch(this.db, [this.#kept.find(this.db)]);
    await this.#kept.replay(rows);
  }

  #notify(notification: Notification): void {
    this.#parts.after(
      notification.send(this.env).catch((error: unknown) => {
        log("warn", "A queue could not be notified; the sweep will repeat it", {
          requestId: this.requestId,
          traceId: this.trace?.traceId,
          error: describeError(error),
        });
      }),
    );
  }
}

function guardCode(
  code: "conflict" | "quota_exceeded" | "not_found" | "in_use" | "invalid_state" | "last_owner",
): string {
  return code;
}

/** A probe found what it was looking for: more is not done. */
class ProbeEnded extends Error {
  constructor() {
    super("The probe found what it was looking for");
  }
}

/** The answer to a caller who sent no credential where one is needed. */
export function strangerError(): ApiError {
  return new ApiError(
    "unauthenticated",
    "Send an API key, `Authorization: Bearer <API_KEY>`, or sign in.",
    { headers: { "www-authenticate": "Bearer" } },
  );
}

/** Wakes the sender of webhooks: ids only, at most 100 a message batch. */
export function notifyDeliveries(deliveries: readonly DeliveryRef[]): Notification {
  return {
    write: "notify",
    send: async (env) => {
      for (let at = 0; at < deliveries.length; at += 100)
        await env.WEBHOOKS_QUEUE.sendBatch(
          deliveries.slice(at, at + 100).map((body) => ({ body })),
        );
    },
  };
}
