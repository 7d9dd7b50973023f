import type { SQL } from "drizzle-orm";
import type { Db, Statement } from "#platform/db/client.ts";
import type { Actor } from "./access.ts";

/** A caller who is still to be verified: what the credential claims, and the statement and check that verify it. */
export type Claim = {
  operator: boolean;
  statement: (db: Db) => Statement;
  /** The actor, from what the statement returned. Throws `unauthenticated`. */
  verify: (rows: unknown) => Actor;
  /** Who this was when it was verified here a moment ago; undefined: it was not, or must be verified again. */
  cached?: () => CachedActor | undefined;
} & (
  | { keyId: string }
  /** SHA-256 of the session's token, hex. */
  | { sessionDigest: string }
);

/** Who a caller was a moment ago, and the condition on the database under which that still holds. */
export interface CachedActor {
  actor: Actor;
  holds: SQL;
  /** It does not hold: the cache forgets it. */
  forget: () => void;
}
