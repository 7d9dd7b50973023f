import { sql } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { invitations } from "#schema/tenants.ts";
import { requireAuthority } from "./members/member.ts";
import { getInvitation } from "./read-invitations.ts";

export async function deleteInvitation(
  call: Call,
  at: { tenantId: string; id: string },
): Promise<void> {
  const before = await getInvitation(call, at);
  requireAuthority(call.actor, at.tenantId, before.role);
  call.expectVersion(before.version);
  await call.commit(undefined, [
    call.requireVersion(invitations, before),
    call.write(
      at.tenantId,
      call.db
        .delete(invitations)
        .where(sql`${invitations.id} = ${at.id} AND ${invitations.tenantId} = ${at.tenantId}`),
    ),
    audit(
      "invitation.delete",
      { tenantId: at.tenantId, type: "invitation", id: at.id },
      { before },
    ),
  ]);
}
