import { type Actor, hasScope, isAtLeast, needsRole, roleOf } from "#kernel/access/access.ts";
import { ApiError } from "#kernel/errors.ts";
import { versionOf } from "#platform/etag.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import type { members } from "#schema/tenants.ts";

export interface Member {
  id: string;
  tenantId: string;
  userId: string;
  email: string;
  name: string | null;
  /** The version of the user's row, which has the address and the name. */
  userVersion: number;
  role: TenantRole;
  via: "domain" | null;
  version: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** A member with the version that its ETag shows. */
export type TaggedMember = Omit<Member, "version"> & { version: string };

/**
 * Includes the user's version in the ETag: the answer shows fields of the user, which change without the
 * membership.
 */
export function tagged(member: Member): TaggedMember {
  const { id, version, userVersion } = member;
  return { ...member, version: versionOf({ id, version: `${version}.${userVersion}` }) };
}

/** The membership's own fields, without those of the user. */
export function membershipOf(member: Member): typeof members.$inferSelect {
  const { id, tenantId, userId, role, via, version, createdAtMs, updatedAtMs } = member;
  return { id, tenantId, userId, role, via, version, createdAtMs, updatedAtMs };
}

export function alreadyMember(): ApiError {
  return new ApiError(
    "invalid_state",
    "The person with this address is already a member. Change the member's role instead.",
  );
}

/**
 * Throws `forbidden` unless the actor may grant, change and remove all of these roles in the tenant: an admin
 * developers and viewers, an owner every role, others none. Admins and owners have the rights of every scope, so a key
 * grants those roles only with every scope.
 */
export function requireAuthority(
  actor: Actor,
  tenantId: string,
  ...roles: readonly TenantRole[]
): void {
  const own = roleOf(actor, tenantId);
  const beyond = roles.find((role) => isAtLeast(role, "CustomerAdmin"));
  if (beyond !== undefined && own !== "CustomerOwner")
    throw new ApiError(
      "forbidden",
      `Only an owner can grant, change or remove the role ${beyond}.`,
    );
  if (beyond !== undefined && actor.kind !== "system" && !hasScope(actor.scopes, "*"))
    throw new ApiError(
      "forbidden",
      `The API key lacks the scope *, which it takes to grant, change or remove the role ${beyond}.`,
    );
  if (own === undefined || !isAtLeast(own, "CustomerAdmin")) throw needsRole("CustomerAdmin");
}
