/** The parts of a call. */
import type { Access, Actor } from "#kernel/access/access.ts";
import type { Claim } from "#kernel/access/claim.ts";
import type { AuditEntry } from "#kernel/audit/audit.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { Db, Statement } from "#platform/db/client.ts";
import type { Trace } from "#platform/trace.ts";
import type { QuotaName } from "#schema/lists/plans.ts";
import type { Preconditions } from "./preconditions.ts";
import type { Guard } from "./unit-of-work.ts";

/** The identity and stored answer of a repeated request. Given by the HTTP layer; absent for messages and alarms. */
export interface Repetition {
  /** Finds the stored answer of an earlier request with the same key. */
  find: (db: Db) => Statement;
  /** Throws the stored answer, or `idempotency_key_reused`, when there is one. */
  replay: (rows: unknown) => Promise<void>;
  /** Stores the answer to `result`, in the change's own batch. `isChange`: false if nothing was changed. */
  store: (db: Db, result: unknown, isChange: boolean) => Promise<Statement[]>;
}

export interface CallParts extends Preconditions {
  env: Bindings;
  db: Db;
  now: number;
  newId: () => string;
  requestId: string;
  /** The verified actor, or the claim that the first read verifies. Undefined: nobody. */
  caller: Actor | Claim | undefined;
  access: Access;
  repetition?: Repetition;
  /** The trace of the call. */
  trace?: Trace;
  /** The length of the chain of triggers that caused the call. */
  hops?: number;
  /** The endpoint's quota, and the function that counts one use by a tenant; it throws `rate_limited`. */
  quota?: { name: QuotaName; spend: (tenantId: string, limit: number) => Promise<void> };
  /** Counts a change of a tenant's rows: throws `rate_limited`. Absent for messages and alarms. */
  countChange?: (tenantId: string) => Promise<void>;
  /** The guards on the number of a tenant's changes. Absent for messages and alarms, which have no such limit. */
  limitChange?: (entry: AuditEntry) => Promise<Guard[]>;
  /** Continues after the answer (`waitUntil`). */
  after: (work: Promise<unknown>) => void;
  /** Called with the actor as soon as it is verified. */
  onAuthenticated?: (actor: Actor) => void;
}
