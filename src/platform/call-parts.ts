/** What a call is made of: who calls and how that is proved, and how a repeated request is known. */
import type { SQL } from "drizzle-orm";
import type { Access, Actor } from "./access.ts";
import type { Bindings } from "./bindings.ts";
import type { Db, Statement } from "./db/client.ts";
import type { QuotaName } from "./plans.ts";
import type { Trace } from "./trace.ts";

/** A caller who has yet to be proved: what the token claims, and the statement and check that prove it. */
export type Claim = {
  operator: boolean;
  statement: (db: Db) => Statement;
  /** The actor, from what the statement returned. Throws `unauthenticated`. */
  prove: (rows: unknown) => Actor;
  /** Who this was when it was proved here a moment ago; undefined: it was not, or is to be proved anew. */
  recent?: () => Presumption | undefined;
} & (
  | { keyId: string }
  /** SHA-256 of the session's token, hex. */
  | { sessionDigest: string }
);

/** How a repeated request is known and answered. Given by the HTTP layer; absent for messages and alarms. */
export interface Repetition {
  /** Finds the stored answer of an earlier request with the same key. */
  find: (db: Db) => Statement;
  /** Throws the stored answer, or `idempotency_key_reused`, when there is one. */
  replay: (rows: unknown) => Promise<void>;
  /** Stores the answer to `result`, in the change's own batch. */
  store: (db: Db, result: unknown) => Promise<Statement[]>;
}

/** What a caller was a moment ago, and what has to be true of the database for that to be so still. */
export interface Presumption {
  actor: Actor;
  holds: SQL;
  /** It does not: nobody presumes it again. */
  forget: () => void;
}

export interface CallParts {
  env: Bindings;
  db: Db;
  now: number;
  newId: () => string;
  requestId: string;
  /** The proved actor, or the claim to prove with the first read. Neither: nobody. */
  caller: Actor | Claim | undefined;
  access: Access;
  repetition?: Repetition;
  /** The headers of a change that name versions. */
  ifMatch?: string;
  ifNoneMatch?: string;
  /** The caller's trace that this belongs to. */
  trace?: Trace;
  /** The quota the endpoint declares, and how one use of a tenant's is counted: throws `rate_limited`. */
  quota?: { name: QuotaName; spend: (tenantId: string, limit: number) => Promise<void> };
  /** Runs on after the answer (`waitUntil`). */
  after: (work: Promise<unknown>) => void;
  /** Told the actor as soon as it is proved. */
  onProved?: (actor: Actor) => void;
  /** Only asks whether the use case would find what it needs in any of the member's tenants (`Call.probe`). */
  probing?: boolean;
}
