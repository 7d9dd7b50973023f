/** No caller grants or takes more rights than they have: with a new key, a changed, rotated or revoked one. */
import { type Actor, hasScope, isAtLeast, roleOf } from "#kernel/access/access.ts";
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
