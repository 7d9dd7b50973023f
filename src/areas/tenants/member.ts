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
  /** The version of the user's row, which has the address, the name and the issuer. */
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

/**
 * Throws `forbidden` unless the actor may grant, change and remove all of these roles in the tenant: an admin
 * developers and viewers, an owner every role, others none.
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
    throw new ApiError(
      "forbidden",
      `Only an owner can grant, change or remove the role ${beyond}.`,
    );
  if (own !== "CustomerAdmin")
    throw new ApiError("forbidden", "This needs the role CustomerAdmin.");
}
