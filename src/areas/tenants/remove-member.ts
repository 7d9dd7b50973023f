import { sql } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { members, removedMembers } from "#schema/tenants.ts";
import { requireAuthority, membershipOf, tagged } from "./member.ts";
import { getMember } from "./read-members.ts";
import { hasOtherOwner } from "./store.ts";

/**
 * The user remains: it may be a member of other tenants. API keys that the member created are refused from
 * now on.
 */
export async function removeMember(
  call: Call,
  at: { tenantId: string; userId: string },
): Promise<void> {
  const before = await getMember(call, at);
  requireAuthority(call.actor, at.tenantId, before.role);
  call.expectVersion(tagged(before).version);
  const { role, userId } = before;
  const resource = { tenantId: at.tenantId, type: "member", id: before.id };
  await call.commit(undefined, [
    call.requireVersion(members, before),
    ...(role === "CustomerOwner" ? [call.require("last_owner", hasOtherOwner(before))] : []),
    call.write(
      at.tenantId,
      call.db
        .delete(members)
        .where(sql`${members.id} = ${before.id} AND ${members.tenantId} = ${at.tenantId}`),
    ),
    call.write(
      at.tenantId,
      call.db
        .insert(removedMembers)
        .values({ tenantId: at.tenantId, userId, removedAtMs: call.now })
        .onConflictDoNothing(),
    ),
    audit("member.remove", resource, { before: membershipOf(before) }),
    event("member.removed", { ...resource, sequence: before.version + 1 }, { userId, role }),
  ]);
}
