/**
 * The caller, and the degree of verification. A request starts as nobody, as unverified (with a well-formed credential)
 * or as verified (the bootstrap key, a cached key on a read, a part of the service). Each transition is a function
 * here, without I/O.
 */
import { type Access, type Actor, authorize, mayUse } from "#kernel/access/access.ts";
import type { CachedActor, Claim } from "#kernel/access/claim.ts";

export type Caller =
  | { is: "nobody" }
  /** The claim is in the credential; the next read verifies it. */
  | { is: "unverified"; claim: Claim }
  /** Verified recently. The commit's own batch checks that the result still holds. */
  | { is: "cached"; claim: Claim; cached: CachedActor }
  | { is: "verified"; actor: Actor };

export function callerFrom(given: Actor | Claim | undefined): Caller {
  if (given === undefined) return { is: "nobody" };
  return "kind" in given ? { is: "verified", actor: given } : { is: "unverified", claim: given };
}

/** The known actor; undefined: none yet. */
export function actorOf(caller: Caller): Actor | undefined {
  if (caller.is === "verified") return caller.actor;
  return caller.is === "cached" ? caller.cached.actor : undefined;
}

/** The claim of an unverified caller. */
export function claimOf(caller: Caller): Claim | undefined {
  return caller.is === "unverified" || caller.is === "cached" ? caller.claim : undefined;
}

/** The verified caller with the right to use the endpoint. Throws `forbidden`. */
export function verified(actor: Actor, access: Access): Caller {
  authorize(actor, access);
  return { is: "verified", actor };
}

/**
 * An unverified caller, from the cache; undefined: the claim must be verified. A cached caller without the right to use
 * the endpoint is verified too, since the right may have been granted since.
 */
export function fromCache(caller: Caller, access: Access): Caller | undefined {
  if (caller.is !== "unverified") return undefined;
  const cached = caller.claim.cached?.();
  if (cached === undefined || !mayUse(cached.actor, access)) return undefined;
  return { is: "cached", claim: caller.claim, cached };
}
