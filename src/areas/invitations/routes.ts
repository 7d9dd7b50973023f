import type * as z from "zod";
import { memberView } from "#areas/tenants/public.ts";
import { route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import { timestamp } from "#platform/timestamp.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import {
  acceptInvitationEndpoint,
  declineInvitationEndpoint,
  listMyInvitationsEndpoint,
  type MyInvitationView,
} from "./contract.ts";
import { declineInvitation } from "./decline-invitation.ts";
import { listMyInvitations } from "./read-my-invitations.ts";
import type { MyInvitation } from "./store.ts";

export const invitationRoutes = [
  route(
    listMyInvitationsEndpoint,
    (call, { query }) => listMyInvitations(call, query, myInvitationView),
    (page) => page,
  ),
  route(
    acceptInvitationEndpoint,
    (call, { params, body }) => acceptInvitation(call, params.id, body.token),
    memberView,
  ),
  route(declineInvitationEndpoint, (call, { params }) => declineInvitation(call, params.id)),
];

function myInvitationView(invitation: MyInvitation): z.input<typeof MyInvitationView> {
  const { expiresAtMs, createdAtMs, byToken, ...shown } = invitation;
  return {
    ...shown,
    byToken: byToken === 1,
    expiresAt: timestampOrNull(expiresAtMs),
    createdAt: timestamp(createdAtMs),
  };
}
