import type * as z from "zod";
import { currentStanding } from "#areas/license/public.ts";
import { route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import type { Call } from "#kernel/call/call.ts";
import { timestamp } from "#platform/timestamp.ts";
import { planLimits, planNames } from "#schema/lists/plans.ts";
import type { Invitation, Tenant } from "#schema/tenants.ts";
import {
  addMemberEndpoint,
  changeRoleEndpoint,
  createInvitationEndpoint,
  createTenantEndpoint,
  deleteInvitationEndpoint,
  deleteTenantEndpoint,
  getInvitationEndpoint,
  getMemberEndpoint,
  getTenantEndpoint,
  getUsageEndpoint,
  type InvitationView,
  listInvitationsEndpoint,
  listMembersEndpoint,
  listPlansEndpoint,
  listTenantsEndpoint,
  removeMemberEndpoint,
  type TenantView,
  updateTenantEndpoint,
} from "./contract.ts";
import { createInvitation } from "./create-invitation.ts";
import { createTenant } from "./create-tenant.ts";
import { deleteInvitation } from "./delete-invitation.ts";
import { deleteTenant } from "./delete-tenant.ts";
import {
  approveEmailDomainEndpoint,
  type EmailDomainView,
  listEmailDomainsEndpoint,
  verifyEmailDomainEndpoint,
} from "./email-domains/contract.ts";
import {
  challengeRecord,
  type EmailDomain,
  isVerified,
  unusable,
} from "./email-domains/email-domain.ts";
import {
  approveEmailDomain,
  listEmailDomains,
  verifyEmailDomain,
} from "./email-domains/verify-email-domain.ts";
import { getUsage } from "./get-usage.ts";
import { changeRole } from "./members/change-role.ts";
import { memberView } from "./members/member-view.ts";
import { tagged } from "./members/member.ts";
import { getMember, listMembers } from "./members/read-members.ts";
import { removeMember } from "./members/remove-member.ts";
import { getInvitation, listInvitations } from "./read-invitations.ts";
import { getTenant, listTenants } from "./read-tenants.ts";
import { updateTenant } from "./update-tenant.ts";

export const tenantRoutes = [
  route(createTenantEndpoint, (call, { body }) => createTenant(call, body), tenantView),
  route(
    listTenantsEndpoint,
    (call, { query }) => listTenants(call, query, tenantView),
    (page) => page,
  ),
  route(getTenantEndpoint, (call, { params }) => getTenant(call, params.tenantId), tenantView),
  route(
    updateTenantEndpoint,
    (call, { params, body }) => updateTenant(call, params.tenantId, body),
    tenantView,
  ),
  route(deleteTenantEndpoint, (call, { params }) => deleteTenant(call, params.tenantId)),
  route(
    listEmailDomainsEndpoint,
    (call, { params }) => listEmailDomains(call, params.tenantId),
    (domains, call) => ({
      data: domains.map((domain) => emailDomainView(domain, call)),
      nextCursor: null,
    }),
  ),
  route(
    verifyEmailDomainEndpoint,
    (call, { params }) => verifyEmailDomain(call, params),
    emailDomainView,
  ),
  route(
    approveEmailDomainEndpoint,
    (call, { params }) => approveEmailDomain(call, params),
    emailDomainView,
  ),
  route(
    listPlansEndpoint,
    (call) => currentStanding(call.env, call.now),
    (installed) => ({
      data: planNames.map((name) => ({
        name,
        current: name === installed.plan,
        limits: name === installed.plan ? installed.limits : planLimits[name],
      })),
      nextCursor: null,
    }),
  ),
  route(
    getUsageEndpoint,
    (call, { params }) => getUsage(call, params.tenantId),
    ({ uses, ...usage }) => ({ ...usage, ...uses }),
  ),
  route(
    listMembersEndpoint,
    (call, { params, query }) => listMembers(call, params.tenantId, query, memberView),
    (page) => page,
  ),
  route(
    addMemberEndpoint,
    (call, { params, body }) => createInvitation(call, params.tenantId, body),
    invitationView,
  ),
  route(
    getMemberEndpoint,
    async (call, { params }) => tagged(await getMember(call, params)),
    memberView,
  ),
  route(
    changeRoleEndpoint,
    (call, { params, body }) => changeRole(call, params, body.role),
    memberView,
  ),
  route(removeMemberEndpoint, (call, { params }) => removeMember(call, params)),
  route(
    listInvitationsEndpoint,
    (call, { params, query }) => listInvitations(call, params.tenantId, query, invitationView),
    (page) => page,
  ),
  route(
    createInvitationEndpoint,
    (call, { params, body }) => createInvitation(call, params.tenantId, body),
    (created) => ({ ...invitationView(created), token: created.token }),
  ),
  route(getInvitationEndpoint, (call, { params }) => getInvitation(call, params), invitationView),
  route(deleteInvitationEndpoint, (call, { params }) => deleteInvitation(call, params)),
];

function tenantView(tenant: Tenant): z.input<typeof TenantView> {
  return {
    id: tenant.id,
    name: tenant.name,
    slug: tenant.slug,
    limits: tenant.limits,
    allowedEmailDomains: [...tenant.allowedEmailDomains],
    publicStatus: tenant.publicStatus,
    createdAt: timestamp(tenant.createdAtMs),
    updatedAt: timestamp(tenant.updatedAtMs),
  };
}

function emailDomainView(of: EmailDomain, call: Call): z.input<typeof EmailDomainView> {
  const reason = unusable(of.domain) ?? null;
  const verified = isVerified(of, call.now) ? "VERIFIED" : "PENDING";
  return {
    domain: of.domain,
    state: reason === null ? verified : "UNUSABLE",
    reason,
    method: of.method,
    record: { type: "TXT", ...challengeRecord(of) },
    verifiedAt: timestampOrNull(of.verifiedAtMs),
    verifiedUntil: timestampOrNull(of.verifiedUntilMs),
  };
}

function invitationView(invitation: Invitation): z.input<typeof InvitationView> {
  return {
    id: invitation.id,
    tenantId: invitation.tenantId,
    email: invitation.email,
    role: invitation.role,
    expiresAt: timestamp(invitation.expiresAtMs),
    createdAt: timestamp(invitation.createdAtMs),
    updatedAt: timestamp(invitation.updatedAtMs),
  };
}
