/**
 * Who calls, and how much of that is established. A request begins as nobody, as unverified (a credential was sent
 * and only looks right) or as verified (an operator's own key, a cached key of a read, a part of the service). Each
 * move is a function here; none of them does I/O.
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

/** What is still to be verified. */
export function claimOf(caller: Caller): Claim | undefined {
  return caller.is === "unverified" || caller.is === "cached" ? caller.claim : undefined;
}

/** The caller as one who may use the endpoint. Throws `forbidden`. */
export function verified(actor: Actor, access: Access): Caller {
  authorize(actor, access);
  return { is: "verified", actor };
}

/**
 * An unverified caller as the cache remembers it; undefined: it must be verified. A cached caller who may not use
 * the endpoint is verified too: the right may have been given since.
 */
export function fromCache(caller: Caller, access: Access): Caller | undefined {
  if (caller.is !== "unverified") return undefined;
  const cached = caller.claim.cached?.();
  if (cached === undefined || !mayUse(cached.actor, access)) return undefined;
  return { is: "cached", claim: caller.claim, cached };
}
