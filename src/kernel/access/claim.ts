import type { SQL } from "drizzle-orm";
import type { Db, Statement } from "#platform/db/client.ts";
import type { Actor } from "./access.ts";

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

/** What a caller was a moment ago, and what has to be true of the database for that to be so still. */
export interface Presumption {
  actor: Actor;
  holds: SQL;
  /** It does not: nobody presumes it again. */
  forget: () => void;
}
