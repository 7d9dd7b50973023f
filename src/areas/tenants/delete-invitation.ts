import { sql } from "drizzle-orm";
import { audit } from "#platform/audit.ts";
import type { Call } from "#platform/call.ts";
import { demandAuthority } from "./member.ts";
import { getInvitation } from "./read-invitations.ts";
import { invitations } from "./tables.ts";

export async function deleteInvitation(
  call: Call,
  at: { tenantId: string; id: string },
): Promise<void> {
  const before = await getInvitation(call, at);
  demandAuthority(call.actor, at.tenantId, before.role);
  call.expectVersion(before.version);
  await call.commit(undefined, [
    call.requireVersion(invitations, before),
    call.db
      .delete(invitations)
      .where(sql`${invitations.id} = ${at.id} AND ${invitations.tenantId} = ${at.tenantId}`),
    audit(
      "invitation.delete",
      { tenantId: at.tenantId, type: "invitation", id: at.id },
      { before },
    ),
  ]);
}
