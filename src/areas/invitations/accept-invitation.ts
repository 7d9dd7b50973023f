import { joinTenant, tagged, type TaggedMember } from "#areas/tenants/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { findMe } from "#kernel/call/find-me.ts";
import { one } from "#kernel/call/one.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { ApiError } from "#kernel/errors.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import type { Invitation, members } from "#schema/tenants.ts";
import {
  findMyInvitation,
  findStored,
  isOffered,
  isOpen,
  type MyInvitation,
  removeInvitation,
} from "./store.ts";

/** The only way into another person's tenant: by the invited person's own request. */
export async function acceptInvitation(
  call: Call,
  id: string,
  token: string | undefined,
): Promise<TaggedMember> {
  const digest = token === undefined ? undefined : await digestHex(token);
  const [invitation, [stored], [user]] = await call.read(
    one(findMyInvitation(call, id, digest), "invitation"),
    findStored(call, id),
    findMe(call),
  );
  if (user === undefined) throw new Error("A verified session has no user in the same batch");
  const { tenantId, role, via } = invitation;
  const membership: typeof members.$inferSelect = {
    id: call.newId(),
    tenantId,
    userId: user.id,
    role,
    via: via === "domain" ? "domain" : null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const { email, name, version: userVersion } = user;
  return call.commit(
    tagged({ ...membership, email, name, userVersion }),
    [...accepted(call, invitation, stored), ...(await joinTenant(call, membership))],
    {
      "members.tenant_id": new ApiError(
        "invalid_state",
        `You are already a member of ${invitation.tenantName}. Decline the invitation, or ask an owner to change your role.`,
      ),
    },
  );
}

function accepted(call: Call, invitation: MyInvitation, stored: Invitation | undefined): Write[] {
  const { id, tenantId } = invitation;
  if (stored === undefined) return [call.require("not_found", isOffered(call, tenantId))];
  return [
    call.require("not_found", isOpen(call, invitation)),
    removeInvitation(call, invitation),
    audit("invitation.accept", { tenantId, type: "invitation", id }, { before: stored }),
  ];
}
