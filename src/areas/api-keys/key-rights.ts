/** Nobody gives more than they have, be it with a new key, a changed one, or the new secret of an old one. */
import { type Actor, hasScope, isAtLeast, roleOf } from "#kernel/access/access.ts";
import { ApiError } from "#kernel/errors.ts";
import type { TenantRole } from "#schema/roles.ts";
import type { ApiKey } from "./store.ts";

/** Throws `forbidden`, naming them, unless the actor has all of these scopes. */
export function requireScopes(actor: Actor, wanted: readonly string[]): void {
  if (actor.kind === "system") return;
  const missing = wanted.filter((scope) => !hasScope(actor.scopes, scope));
  if (missing.length > 0)
    throw new ApiError("forbidden", `The caller's own key lacks ${missing.join(", ")}.`);
}

/**
 * Throws `forbidden` unless the actor has all that the key has. `creatorRole`: undefined for a creator who is no
 * member: such a key does not work now, but would as soon as they are one again, as whatever they then are.
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
    throw new ApiError("forbidden", `The key may do what takes the role ${role}: so does this.`);
}
