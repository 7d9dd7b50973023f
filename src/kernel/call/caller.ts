/**
 * The caller, and how far they are verified. A request starts as nobody, as unverified (it has a well-formed
 * credential) or as verified (the bootstrap key, a cached key on a read, a part of the service). Each transition is a
 * function here, without I/O.
 */
import { type Access, type Actor, authorize, mayUse } from "#kernel/access/access.ts";
import type { CachedActor, Claim } from "#kernel/access/claim.ts";

export type Caller =
  | { is: "nobody" }
  /** The claim is in the credential; the next read verifies it. */
  | { is: "unverified"; claim: Claim }
  /** Verified a moment ago: a commit checks in its own batch that it still holds. */
  | { is: "cached"; claim: Claim; cached: CachedActor }
  | { is: "verified"; actor: Actor };

export function callerFrom(given: Actor | Claim | undefined): Caller {
  if (given === undefined) return { is: "nobody" };
  return "kind" in given ? { is: "verified", actor: given } : { is: "unverified", claim: given };
}

/** Undefined while nothing is known. */
export function actorOf(caller: Caller): Actor | undefined {
  if (caller.is === "verified") return caller.actor;
  return caller.is === "cached" ? caller.cached.actor : undefined;
}

/** The claim that is not verified yet. */
export function claimOf(caller: Caller): Claim | undefined {
  return caller.is === "unverified" || caller.is === "cached" ? caller.claim : undefined;
}

/** The caller as one who may use the endpoint. Throws `forbidden`. */
export function verified(actor: Actor, access: Access): Caller {
  authorize(actor, access);
  return { is: "verified", actor };
}

/**
 * An unverified caller, from the cache; undefined: the claim must be verified. A cached caller without the right to
 * use the endpoint is verified too: the right may have been granted since.
 */
export function fromCache(caller: Caller, access: Access): Caller | undefined {
  if (caller.is !== "unverified") return undefined;
  const cached = caller.claim.cached?.();
  if (cached === undefined || !mayUse(cached.actor, access)) return undefined;
  return { is: "cached", claim: caller.claim, cached };
}
