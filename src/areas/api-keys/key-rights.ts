/** No caller grants or takes more rights than they have, with a new, changed, rotated or revoked key. */
import {
  type Actor,
  hasScope,
  isAtLeast,
  keyOf,
  type KeyRef,
  personOf,
  roleOf,
  sessionOf,
} from "#kernel/access/access.ts";
import { MAX_ANCESTORS } from "#kernel/authn/key-lineage.ts";
import { ApiError } from "#kernel/errors.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import type { ApiKey } from "./store.ts";

/** Throws `forbidden`, with the missing scopes, unless the actor has all of these scopes. */
export function requireScopes(actor: Actor, wanted: readonly string[]): void {
  if (actor.kind === "system") return;
  const missing = wanted.filter((scope) => !hasScope(actor.scopes, scope));
  if (missing.length > 0)
    throw new ApiError(
      "forbidden",
      `The caller lacks the scopes ${missing.join(", ")}, which the key has or would get.`,
    );
}

/**
 * Throws `forbidden` unless the actor has all rights of the key. `creatorRole`: undefined if the creator is
 * no longer a member: the key counts as an owner's.
 */
export function requireRightsOf(
  actor: Actor,
  key: Pick<ApiKey, "tenantId" | "scopes" | "creatorUserId">,
  creatorRole: TenantRole | undefined,
): void {
  requireScopes(actor, key.scopes);
  const role = (key.creatorUserId === null ? undefined : creatorRole) ?? "CustomerOwner";
  const own = roleOf(actor, key.tenantId);
  if (own === undefined || !isAtLeast(own, role))
    throw new ApiError(
      "forbidden",
      `The key has the rights of the role ${role}: only callers with that role can do this.`,
    );
}

/**
 * Throws `forbidden` unless the caller may see the key's secret: the person who owns the key, in a session; the key
 * itself; or an ancestor, with which the key ends. Any other caller could act as another person from then on.
 */
export function requireOwn(actor: Actor, key: Pick<ApiKey, "id" | "person" | "ancestors">): void {
  const isTheirs = personOf(actor) === key.person;
  if (isTheirs && (keyOf(actor) === undefined || isOfLineage(actor, key))) return;
  throw new ApiError(
    "forbidden",
    sessionOf(actor) === undefined && isTheirs
      ? "A key gets the secret of no key but itself and those that it created: this one would go on when the key of the request ends. Sign in to rotate it, or use the key itself."
      : "The secret of a key is only for the person who created the key. Revoke it, and create a key of your own.",
  );
}

/** Throws `forbidden` if the caller is a key that would give more to a key that does not end with the caller. */
export function requireMayWiden(actor: Actor, key: Pick<ApiKey, "id" | "ancestors">): void {
  if (keyOf(actor) !== undefined && !isOfLineage(actor, key))
    throw new ApiError(
      "forbidden",
      "A key gives more scopes or time to no key but those that it created: this one would go on when the key of the request ends. Sign in to change it.",
    );
}

/** Throws `forbidden` if a key created with this one would have too many ancestors. */
export function enforceKeyDepth({ ancestors }: KeyRef): void {
  if (ancestors.length >= MAX_ANCESTORS)
    throw new ApiError(
      "forbidden",
      `The key of the request has ${MAX_ANCESTORS} keys above it, each created with the one before: no key can be created with it. Use a key further up, or sign in.`,
    );
}

/** True: the caller is the key itself or one of its ancestors. */
function isOfLineage(actor: Actor, { id, ancestors }: Pick<ApiKey, "id" | "ancestors">): boolean {
  const own = keyOf(actor)?.id;
  return own !== undefined && (own === id || ancestors.some(([above]) => above === own));
}
