/** How a user who signs in becomes a member: by an invitation, or by the domain of their verified address. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import {
  type Invitation,
  invitations,
  members,
  removedMembers,
  tenantEmailDomains,
} from "#schema/tenants.ts";
import { alreadyMember, requireSeat } from "./add-member.ts";
import { invitationCounts } from "./invitation-counts.ts";

type Membership = typeof members.$inferSelect;

/** The open invitation with this token, in any tenant: the token is the authorization. */
export function findInvitationByDigest(call: Call, digest: string) {
  const t = invitations;
  return call.db
    .select()
    .from(t)
    .where(
      sql`${t.digest} = ${digest} AND ${t.tenantId} IS NOT NULL AND ${invitationCounts(call.now)}`,
    );
}

const MOST_TENANTS_OF_A_DOMAIN = 20;

/**
 * The tenants that admit verified addresses of this domain, except those that removed the user. `users`: the
 * ids of all users that the person is.
 */
export function findTenantsByDomain(call: Call, domain: string, users: readonly SQL[]) {
  const them = sql.join([...users], sql`, `);
  return call.db.all<{ tenantId: string }>(sql`
    SELECT d.tenant_id AS tenantId FROM ${tenantEmailDomains} d
    WHERE d.domain = ${domain} AND d.tenant_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${removedMembers} r WHERE r.tenant_id = d.tenant_id AND r.user_id IN (${them}))
      AND NOT EXISTS (SELECT 1 FROM ${members} m WHERE m.tenant_id = d.tenant_id AND m.user_id IN (${them}))
    ORDER BY d.tenant_id LIMIT ${MOST_TENANTS_OF_A_DOMAIN}`);
}

/**
 * The writes that use the invitation and make the user a member, for the caller's commit. It fails with
 * `not_found` if the invitation was used or is no longer valid, and with `quota_exceeded` if the tenant has
 * no free seat. An existing member keeps their role.
 */
export async function acceptInvitation(
  call: Call,
  invitation: Invitation,
  user: { id: string; isMember: boolean },
): Promise<Write[]> {
  const { id, tenantId, role } = invitation;
  const t = invitations;
  const itself = sql`${t.id} = ${id} AND ${t.tenantId} = ${tenantId}`;
  return [
    call.require(
      "not_found",
      sql`EXISTS (SELECT 1 FROM ${t} WHERE ${itself} AND ${invitationCounts(call.now)})`,
    ),
    call.write(tenantId, call.db.delete(t).where(itself)),
    audit("invitation.accept", { tenantId, type: "invitation", id }, { before: invitation }),
    ...(user.isMember ? [] : await newMember(call, { tenantId, userId: user.id, role, via: null })),
  ];
}

/** Makes the user a CustomerViewer because of the domain of their address. */
export async function joinByDomain(
  call: Call,
  at: { tenantId: string; userId: string; domain: string },
): Promise<void> {
  const { tenantId, userId, domain } = at;
  const d = tenantEmailDomains;
  const writes = await newMember(call, { tenantId, userId, role: "CustomerViewer", via: "domain" });
  const isAllowed = sql`EXISTS (SELECT 1 FROM ${d} WHERE ${d.tenantId} = ${tenantId} AND ${d.domain} = ${domain})`;
  await call.commit(undefined, [call.require("conflict", isAllowed), ...writes], {
    "members.tenant_id": alreadyMember(),
  });
}

/** Ends a membership that was given because of the domain. */
export function leaveByDomain(call: Call, before: Membership): Write[] {
  const { id, tenantId, userId, role, version } = before;
  const resource = { tenantId, type: "member", id };
  return [
    call.requireVersion(members, before),
    call.write(
      tenantId,
      call.db.delete(members).where(and(eq(members.id, id), eq(members.tenantId, tenantId))),
    ),
    audit("member.remove", resource, { before }),
    event("member.removed", { ...resource, sequence: version + 1 }, { userId, role }),
  ];
}

/**
 * Copies the removals of one user to another user of the same person, except in tenants where they are a
 * member.
 */
export function takeOverRemovals(call: Call, from: string, to: string): Write[] {
  const t = removedMembers;
  const theirs = sql`${t.tenantId} IS NOT NULL AND ${t.userId} = ${from}`;
  return [
    call.write(
      null,
      call.db.run(sql`INSERT OR IGNORE INTO ${t} (tenant_id, user_id, removed_at_ms)
      SELECT tenant_id, ${to}, removed_at_ms FROM ${t} WHERE ${theirs}
        AND NOT EXISTS (SELECT 1 FROM ${members} m WHERE m.tenant_id = ${t}.tenant_id AND m.user_id = ${to})`),
    ),
    call.write(null, call.db.delete(t).where(theirs)),
  ];
}

/** Deletes the record of a removal, when the user is admitted again. */
export function forgetRemoval(call: Call, tenantId: string, userId: string) {
  const t = removedMembers;
  return call.write(
    tenantId,
    call.db.delete(t).where(and(eq(t.tenantId, tenantId), eq(t.userId, userId))),
  );
}

async function newMember(
  call: Call,
  of: Pick<Membership, "tenantId" | "userId" | "role" | "via">,
): Promise<Write[]> {
  const { tenantId, userId, role } = of;
  const times = { createdAtMs: call.now, updatedAtMs: call.now };
  const membership: Membership = { ...of, id: call.newId(), version: 1, ...times };
  const resource = { tenantId, type: "member", id: membership.id };
  return [
    ...(await requireSeat(call, tenantId)),
    call.write(membership.tenantId, call.db.insert(members).values(membership)),
    forgetRemoval(call, tenantId, userId),
    audit("member.add", resource, { after: membership }),
    event("member.added", { ...resource, sequence: 1 }, { userId, role }),
  ];
}
