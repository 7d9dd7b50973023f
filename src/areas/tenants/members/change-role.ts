import { sql } from "drizzle-orm";
import { hasOtherOwner } from "#areas/tenants/store.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import { members } from "#schema/tenants.ts";
import {
  requireAuthority,
  type Member,
  membershipOf,
  tagged,
  type TaggedMember,
} from "./member.ts";
import { getMember } from "./read-members.ts";

/** If two owners demote each other at the same time, one remains: the guard is checked when the batch runs. */
export async function changeRole(
  call: Call,
  at: { tenantId: string; userId: string },
  role: TenantRole,
): Promise<TaggedMember> {
  const before = await getMember(call, at);
  requireAuthority(call.actor, at.tenantId, before.role, role);
  call.expectVersion(tagged(before).version);
  if (before.role === role) return tagged(before);
  const changes = { role, version: before.version + 1, updatedAtMs: call.now };
  const after: Member = { ...before, ...changes };
  const resource = { tenantId: at.tenantId, type: "member", id: before.id };
  return call.commit(tagged(after), [
    call.requireVersion(members, before),
    ...(before.role === "CustomerOwner" ? [call.require("last_owner", hasOtherOwner(before))] : []),
    call.write(
      at.tenantId,
      call.db
        .update(members)
        .set(changes)
        .where(sql`${members.id} = ${before.id} AND ${members.tenantId} = ${at.tenantId}`),
    ),
    audit("member.change_role", resource, {
      before: membershipOf(before),
      after: membershipOf(after),
    }),
    event(
      "member.role_changed",
      { ...resource, sequence: after.version },
      { userId: before.userId, role, previousRole: before.role },
    ),
  ]);
}
