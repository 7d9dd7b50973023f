import type { SQL } from "drizzle-orm";
import type { Db, Statement } from "#platform/db/client.ts";
import type { Actor } from "./access.ts";

/** A caller not yet authenticated: the claim of the token, and the statement and check that verify it. */
export type Claim = {
  operator: boolean;
  statement: (db: Db) => Statement;
  /** The actor, from the rows of the statement. Throws `unauthenticated`. */
  verify: (rows: unknown) => Actor;
  /** The result of a recent verification in this isolate; undefined: none that may be reused. */
  cached?: () => CachedActor | undefined;
} & (
  | { keyId: string }
  /** SHA-256 of the session's token, hex. */
  | { sessionDigest: string }
);

/** A recently verified actor, and the condition in the database under which it is still valid. */
export interface CachedActor {
  actor: Actor;
  holds: SQL;
  /** Discards the cached actor; called when `holds` is false. */
  forget: () => void;
}

/**
 * Whether the caller acts for every tenant: an operator, or the service itself. For an unverified claim, whether it
 * says so. A claim alone must not show or change any data.
 */
export function actsAsOperator(caller: Actor | Claim | undefined): boolean {
  if (caller === undefined) return false;
  if (!("kind" in caller)) return caller.operator;
  return caller.kind === "operator" || caller.kind === "system";
}
