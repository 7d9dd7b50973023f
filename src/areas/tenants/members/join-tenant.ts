/** The writes that make a person a member of a tenant, or end a membership by domain. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { requireSeat } from "#areas/tenants/require-seat.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { members, removedMembers } from "#schema/tenants.ts";
import { users } from "#schema/users.ts";
import { endRights } from "./end-rights.ts";

type Membership = typeof members.$inferSelect;

/**
 * Makes the user a member, for the caller's commit. It fails with `quota_exceeded` if the tenant has no free
 * seat, and by the UNIQUE of `members` if the user is a member.
 */
export async function joinTenant(call: Call, membership: Membership): Promise<Write[]> {
  const { id, tenantId, userId, role } = membership;
  const resource = { tenantId, type: "member", id };
  const r = removedMembers;
  return [
    ...(await requireSeat(call, tenantId)),
    ...endRights(call, tenantId, userId),
    call.write(tenantId, call.db.insert(members).values(membership)),
    call.write(
      tenantId,
      call.db
        .delete(r)
        .where(
          sql`${r.tenantId} = ${tenantId} AND (${r.userId} = ${userId} OR ${r.email} = ${provedAddress(userId)})`,
        ),
    ),
    audit("member.add", resource, { after: membership }),
    event("member.added", { ...resource, sequence: 1 }, { userId, role }),
  ];
}

/** Ends a membership by domain. */
export function leaveByDomain(call: Call, before: Membership): Write[] {
  const { id, tenantId, userId, role, version } = before;
  const resource = { tenantId, type: "member", id };
  return [
    call.requireVersion(members, before),
    call.write(
      tenantId,
      call.db.delete(members).where(and(eq(members.id, id), eq(members.tenantId, tenantId))),
    ),
    ...endRights(call, tenantId, userId),
    audit("member.remove", resource, { before }),
    event("member.removed", { ...resource, sequence: version + 1 }, { userId, role }),
  ];
}

/** Stops the offer of membership by domain to the user, and to later users with their verified address. */
export function refuseDomain(call: Call, tenantId: string, userId: string): Write {
  return call.write(
    tenantId,
    call.db
      .run(sql`INSERT OR REPLACE INTO ${removedMembers} (tenant_id, user_id, email, removed_at_ms)
      VALUES (${tenantId}, ${userId}, ${provedAddress(userId)}, ${call.now})`),
  );
}

function provedAddress(userId: string): SQL {
  return sql`(SELECT email FROM ${users} WHERE id = ${userId} AND email_trusted = 1)`;
}
