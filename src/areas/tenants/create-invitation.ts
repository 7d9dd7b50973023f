import { sql } from "drizzle-orm";
import type * as z from "zod";
import { actorText } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { type Invitation, invitations } from "#schema/tenants.ts";
import type { CreateInvitationBody } from "./contract.ts";
import { invitationCounts } from "./invitation-counts.ts";
import { newInvitationToken } from "./invitation-token.ts";
import { alreadyMember, requireAuthority } from "./members/member.ts";
import { requireSeat } from "./require-seat.ts";
import { findInvitationByEmail, findMemberByEmail, oneTenant } from "./store.ts";

const VALID_MS = 7 * 24 * 60 * 60 * 1000;

/** Only this result has the token; it is not stored. */
export interface NewInvitation extends Invitation {
  token: string;
}

/** An address has at most one open invitation: a new one replaces it. */
export async function createInvitation(
  call: Call,
  tenantId: string,
  { email, role }: z.output<typeof CreateInvitationBody>,
): Promise<NewInvitation> {
  const [, [present], [earlier]] = await call.read(
    oneTenant(call, tenantId),
    findMemberByEmail(call, tenantId, email),
    findInvitationByEmail(call, tenantId, email),
  );
  requireAuthority(call.actor, tenantId, role, ...(earlier === undefined ? [] : [earlier.role]));
  if (present !== undefined) throw alreadyMember();
  const token = newInvitationToken();
  const invitation: Invitation = {
    id: call.newId(),
    tenantId,
    email,
    role,
    digest: await digestHex(token),
    invitedBy: actorText(call.actor),
    version: 1,
    expiresAtMs: call.now + VALID_MS,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = (id: string) => ({ tenantId, type: "invitation", id });
  const t = invitations;
  return call.commit(
    { ...invitation, token },
    [
      // Also removes invitations that are no longer valid: nothing else does.
      call.write(
        tenantId,
        call.db
          .delete(t)
          .where(
            sql`${t.tenantId} = ${tenantId} AND (${t.id} = ${earlier?.id ?? ""} OR NOT (${invitationCounts(call.now)}))`,
          ),
      ),
      ...(await requireSeat(call, tenantId)),
      call.write(invitation.tenantId, call.db.insert(t).values(invitation)),
      ...(earlier === undefined
        ? []
        : [audit("invitation.delete", resource(earlier.id), { before: earlier })]),
      audit("invitation.create", resource(invitation.id), { after: invitation }),
    ],
    {
      "invitations.tenant_id": new ApiError(
        "conflict",
        "The address was invited by another request at the same time. Read the invitations again.",
      ),
    },
  );
}
