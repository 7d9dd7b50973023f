/** Endpoints of the invited person. The tenant's endpoints are in the area `tenants`. */
import * as z from "zod";
import { invitationTokenShape, MemberView } from "#areas/tenants/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import { CreatedAt, IdParams, TenantId, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { tenantRoles } from "#schema/lists/roles.ts";

const tag = "Authentication";
const signedIn = { role: "session" } as const;

const Token = z
  .string()
  .regex(invitationTokenShape, "It must be the token of an invitation: `cpi_…`.")
  .describe(prose("The token of an invitation that was made for another address."));

const Via = z.enum(["invitation", "domain"]);

export const AcceptInvitationBody = z.object({ token: Token.optional() });

export const MyInvitationView = z.object({
  id: z.uuid().describe(prose("For an offer by domain, the tenant's id.")),
  tenantId: TenantId,
  tenantName: z.string().describe(prose("The tenant's name, for people.")),
  tenantSlug: z.string().describe(prose("The tenant's short name in URLs.")),
  role: z.enum(tenantRoles).describe(prose("What you would be in the tenant.")),
  via: Via.describe(
    prose("`domain`: the tenant admits everyone whose verified address is of your domain."),
  ),
  expiresAt: Timestamp.nullable().describe(
    prose("Null: the offer ends with the tenant's setting."),
  ),
  byToken: z.boolean().describe(prose("True: the invitation that `token` is for.")),
  createdAt: CreatedAt,
});

export const listMyInvitationsEndpoint = endpoint({
  method: "GET",
  path: "/auth/invitations",
  operationId: "listMyInvitations",
  tag,
  summary: prose("List your invitations"),
  description: prose(
    "What you may accept: invitations of your address, and tenants that admit its domain, if a provider that is trusted for addresses has verified it; and the invitation with `token`.",
  ),
  access: signedIn,
  query: z.object({
    ...pageQuery,
    token: Token.optional(),
    via: Via.optional().describe(prose("Only those. Default: both.")),
  }),
  answer: {
    status: 200,
    description: prose("A page of invitations, newest first."),
    schema: pageOf(MyInvitationView),
  },
  problems: ["invalid_cursor"],
});

export const acceptInvitationEndpoint = endpoint({
  method: "POST",
  path: "/auth/invitations/{id}/accept",
  operationId: "acceptInvitation",
  tag,
  summary: prose("Accept an invitation"),
  description: prose(
    "Makes you a member of the tenant, in which your name and address are shown then.",
  ),
  access: signedIn,
  params: IdParams,
  body: AcceptInvitationBody,
  exampleBody: {},
  bodyOptional: true,
  answer: { status: 201, description: prose("Your membership."), schema: MemberView },
  location: "/tenants/{tenantId}/members/{userId}",
  etag: true,
  problems: ["conflict", "invalid_state", "quota_exceeded"],
});

export const declineInvitationEndpoint = endpoint({
  method: "DELETE",
  path: "/auth/invitations/{id}",
  operationId: "declineInvitation",
  tag,
  summary: prose("Decline an invitation"),
  description: prose(
    "The invitation ends. A tenant that was offered by your domain is offered no more.",
  ),
  access: signedIn,
  params: IdParams,
  answer: { status: 204, description: prose("The invitation is declined.") },
  problems: ["conflict"],
});
