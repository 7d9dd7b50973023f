import { type Actor, isAtLeast, roleOf } from "#kernel/access/access.ts";
import { ApiError } from "#kernel/errors.ts";
import { versionOf } from "#platform/etag.ts";
import type { TenantRole } from "#schema/roles.ts";
import type { members } from "#schema/tenants.ts";

export interface Member {
  id: string;
  tenantId: string;
  userId: string;
  email: string;
  name: string | null;
  /** Null: nobody has signed in as this user yet. */
  issuer: string | null;
  /** Of the user, whose the address, the name and the issuer are. */
  userVersion: number;
  role: TenantRole;
  via: "domain" | null;
  version: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** A member as it is answered: the version is what the ETag shows. */
export type TaggedMember = Omit<Member, "version"> & { version: string };

/** The member with the version that its ETag shows: what is the user's changes without the membership. */
export function tagged(member: Member): TaggedMember {
  const { id, version, userVersion } = member;
  return { ...member, version: versionOf({ id, version: `${version}.${userVersion}` }) };
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
export function requireAuthority(
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
