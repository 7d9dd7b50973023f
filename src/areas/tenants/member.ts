import { type Actor, isAtLeast, roleOf, type TenantRole } from "#platform/access.ts";
import { ApiError } from "#platform/errors.ts";
import type { members } from "#platform/db/tables.ts";

export interface Member {
  id: string;
  tenantId: string;
  userId: string;
  email: string;
  name: string | null;
  /** Null: nobody has signed in as this user yet. */
  issuer: string | null;
  role: TenantRole;
  via: "domain" | null;
  version: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The part of a member that is the tenant's; the rest is the user's. */
export function membershipOf(member: Member): typeof members.$inferSelect {
  const { id, tenantId, userId, role, via, version, createdAtMs, updatedAtMs } = member;
  return { id, tenantId, userId, role, via, version, createdAtMs, updatedAtMs };
}

/**
 * Throws `forbidden` unless the actor may give, change or take every one of these roles in the tenant: an admin those
 * of developers and viewers, an owner all. Anybody else none.
 */
export function demandAuthority(
  actor: Actor,
  tenantId: string,
  ...roles: readonly TenantRole[]
): void {
  const own = roleOf(actor, tenantId);
  if (own === "CustomerOwner") return;
  const beyond = roles.find((role) => isAtLeast(role, "CustomerAdmin"));
  if (beyond !== undefined)
    throw new ApiError("forbidden", `Only an owner may give, change or take the role ${beyond}.`);
  if (own !== "CustomerAdmin")
    throw new ApiError("forbidden", "This needs the role CustomerAdmin.");
}
