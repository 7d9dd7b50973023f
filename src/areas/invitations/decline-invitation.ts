import { refuseDomain } from "#areas/tenants/public.ts";
import { sessionOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { findMyInvitation, removeInvitation } from "./store.ts";

export async function declineInvitation(call: Call, id: string): Promise<void> {
  const [invitation] = await call.read(one(findMyInvitation(call, id, undefined), "invitation"));
  const { tenantId, via } = invitation;
  const userId = sessionOf(call.actor)?.userId ?? "";
  await call.commit(undefined, [
    via === "domain" ? refuseDomain(call, tenantId, userId) : removeInvitation(call, invitation),
    audit("invitation.decline", { tenantId, type: "invitation", id }, { before: invitation }),
  ]);
}
