import { sql } from "drizzle-orm";
import { hasOtherOwner } from "#areas/tenants/store.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { members } from "#schema/tenants.ts";
import { endRights } from "./end-rights.ts";
import { refuseDomain } from "./join-tenant.ts";
import { requireAuthority, membershipOf, tagged } from "./member.ts";
import { getMember } from "./read-members.ts";

/**
 * The user remains, because they may be a member of other tenants. Everyone may remove themselves in person; a key of
 * theirs needs the scope.
 */
export async function removeMember(
  call: Call,
  at: { tenantId: string; userId: string },
): Promise<void> {
  const before = await getMember(call, at);
  const isSelf = call.actor.kind === "member" && call.actor.session.userId === before.userId;
  if (!isSelf) requireAuthority(call.actor, at.tenantId, before.role);
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
    ...endRights(call, at.tenantId, userId),
    refuseDomain(call, at.tenantId, userId),
    audit("member.remove", resource, { before: membershipOf(before) }),
    event("member.removed", { ...resource, sequence: before.version + 1 }, { userId, role }),
  ]);
}
