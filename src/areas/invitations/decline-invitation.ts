import { refuseDomain } from "#areas/tenants/public.ts";
import { sessionOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { findMyInvitation, findStored, removeInvitation } from "./store.ts";

export async function declineInvitation(call: Call, id: string): Promise<void> {
  const [invitation, [stored]] = await call.read(
    one(findMyInvitation(call, id, undefined), "invitation"),
    findStored(call, id),
  );
  const { tenantId } = invitation;
  const userId = sessionOf(call.actor)?.userId ?? "";
  await call.commit(
    undefined,
    stored === undefined
      ? [
          refuseDomain(call, tenantId, userId),
          audit("tenant.decline", { tenantId, type: "tenant", id: tenantId }, {}),
        ]
      : [
          removeInvitation(call, invitation),
          audit("invitation.decline", { tenantId, type: "invitation", id }, { before: stored }),
        ],
  );
}
