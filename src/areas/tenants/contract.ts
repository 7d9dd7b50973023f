import * as z from "zod";
import { LimitsView } from "#areas/license/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { createdFilters, listFilters, sortBy } from "#http/lists/list-query.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import {
  CreatedAt,
  FreeMap,
  Id,
  oneLine,
  PathId,
  TenantId,
  TenantParams,
  Timestamp,
  UpdatedAt,
} from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { planNames, settableLimits } from "#schema/lists/plans.ts";
import { tenantRoles } from "#schema/lists/roles.ts";

const tag = "Tenants";
const readTenants = { role: "CustomerViewer", scope: "tenants:read" } as const;
const ownTenants = { role: "CustomerOwner", scope: "tenants:write" } as const;
const readMembers = { role: "CustomerViewer", scope: "members:read" } as const;
const writeMembers = { role: "CustomerAdmin", scope: "members:write" } as const;

/** Slugs that look like the service's own. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  "admin",
  "api",
  "control",
  "docs",
  "health",
  "login",
  "platform",
  "status",
  "system",
]);

const Name = oneLine(2, 80).describe(prose("The tenant's name, for people."));
const EmailDomains = z
  .array(oneLine(0, 253))
  .max(100)
  .describe(
    prose(
      "Domains without `@`, for example `acme.example`. A user with a verified address of exactly one of these domains may join as a CustomerViewer (`GET /auth/invitations`), once the domain is proved to be the tenant's (`GET /tenants/{tenantId}/email-domains`); one that an operator names is. Invalid domains, and those of mail for everybody, match nobody.",
    ),
  );

const LimitsField = FreeMap.superRefine((limits, context) => {
  for (const name of settableLimits) {
    const limit = Object.hasOwn(limits, name) ? limits[name] : null;
    if (limit !== null && !(Number.isSafeInteger(limit) && (limit as number) >= 0))
      context.addIssue({
        code: "custom",
        path: [name],
        message: "It must be a whole number from 0, or null for no limit.",
      });
  }
}).describe(
  `Limits that replace the plan's: ${settableLimits.join(", ")}. Each is a whole number from 0, or null for no limit. Other members are stored and ignored.`,
);

export const CreateTenantBody = z.object({
  name: Name,
  slug: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{1,40}$/,
      "It must be a letter a-z, then 1 to 40 of the characters a-z 0-9 -.",
    )
    .describe(prose("The tenant's short name in URLs. It cannot change later.")),
  limits: LimitsField.default({}),
  allowedEmailDomains: EmailDomains.default([]),
});

export const UpdateTenantBody = z.object({
  name: Name.optional(),
  limits: LimitsField.optional().meta({
    description: "Replaces all limits of the tenant. Operators only.",
  }),
  allowedEmailDomains: EmailDomains.optional(),
  publicStatus: z
    .boolean()
    .optional()
    .describe(prose("True: `/status/{slug}` shows the tenant's status to everyone.")),
});

export const TenantView = z.object({
  id: Id,
  name: z.string().describe(prose("The tenant's name, for people.")),
  slug: z.string().describe(prose("The tenant's short name in URLs.")),
  limits: FreeMap.describe(prose("Limits that replace the plan's. Null: no limit.")),
  allowedEmailDomains: z
    .array(z.string())
    .describe(
      prose("Domains without `@`. People with a verified address of a proved domain may join."),
    ),
  publicStatus: z
    .boolean()
    .describe(prose("True: `/status/{slug}` shows the tenant's status to everyone.")),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const PlanView = z.object({
  name: z.enum(planNames).describe(prose("The plan's name.")),
  current: z.boolean().describe(prose("True: the plan of this installation.")),
  limits: LimitsView.describe(
    prose(
      "The limits of each tenant. Limits of the license override those of the plan, and a tenant's own limits override both.",
    ),
  ),
});

const Use = z.object({
  used: z.int().describe(prose("The amount in use.")),
  limit: z.int().nullable().describe(prose("The most that the tenant may have. Null: no limit.")),
});

export const UsageView = z.object({
  tenantId: TenantId,
  plan: z.enum(planNames).describe(prose("The plan in force.")),
  month: z
    .string()
    .describe(prose("The calendar month (UTC) that the limits per month count, as `YYYY-MM`.")),
  instances: Use.describe(prose("Instances.")),
  targets: Use.describe(prose("Cloud targets.")),
  templates: Use.describe(prose("Templates.")),
  templateVersions: Use.describe(prose("The versions of all templates.")),
  profiles: Use.describe(prose("Profiles.")),
  listings: Use.describe(prose("Listings.")),
  incidents: Use.describe(prose("Open and resolved ones.")),
  imports: Use.describe(prose("Those of the last 30 days; older ones are deleted.")),
  webhooks: Use.describe(prose("Webhooks.")),
  members: Use.describe(prose("Members and open invitations.")),
  apiKeys: Use.describe(prose("Keys that are not revoked.")),
  deploymentsPerMonth: Use.describe(prose("Deploys and rollbacks requested in this month.")),
  webhookAnswerBytesPerMonth: Use.describe(
    prose(
      "Bytes of receivers' answers that were stored in this month. At the limit, deliveries go on and answers are no longer stored.",
    ),
  ),
  definitionBytes: Use.describe(
    prose(
      "Bytes of template versions, of the variables of instances and profiles, of triggers and of the messages of incidents.",
    ),
  ),
  deploymentBytes: Use.describe(
    prose(
      "Bytes of the plans and variables of deployments, kept of the newest 50 of an instance, for 30 days, and of their messages, labels and errors, which are kept for ever.",
    ),
  ),
  importBytes: Use.describe(prose("Bytes of imports as they are stored.")),
  changesPerDay: Use.describe(prose("Audit entries of the last 24 hours, by everybody.")),
  auditEntries: Use.describe(prose("Audit entries. They are kept for ever.")),
});

const RoleField = z.enum(tenantRoles).describe(prose("The role in the tenant."));
const Email = z.email().max(254).toLowerCase().describe(prose("The person's e-mail address."));

export const AddMemberBody = z.object({ email: Email, role: RoleField });
export const ChangeRoleBody = z.object({ role: RoleField });
export const CreateInvitationBody = z.object({ email: Email, role: RoleField });

export const MemberView = z.object({
  id: z.uuid().describe(prose("The id of the membership; events about it carry this id.")),
  tenantId: TenantId,
  userId: z.uuid().describe(prose("The person's id.")),
  email: z.string().describe(prose("The person's e-mail address.")),
  name: z.string().nullable().describe(prose("The person's name. Null: none is known.")),
  role: RoleField,
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const InvitationView = z.object({
  id: Id,
  tenantId: TenantId,
  email: z.string().describe(prose("The person's e-mail address.")),
  role: RoleField,
  expiresAt: Timestamp.describe(prose("The end of the invitation.")),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const NewInvitationView = InvitationView.extend({
  token: z
    .string()
    .describe(prose("The token with which the invited person accepts. It is shown only once.")),
});

const MemberParams = TenantParams.extend({ userId: PathId.describe(prose("The person's id.")) });
const InvitationParams = TenantParams.extend({
  id: PathId.describe(prose("The invitation's id.")),
});

export const createTenantEndpoint = endpoint({
  method: "POST",
  path: "/tenants",
  operationId: "createTenant",
  tag,
  summary: prose("Create a tenant"),
  description: prose(
    "For operators. If SELF_SERVICE_TENANTS is `on`, also for every signed-in user, who becomes the owner and must not send `limits`.",
  ),
  access: { role: "operator", scope: "tenants:write", orSignedIn: true },
  body: CreateTenantBody,
  exampleBody: { name: "Acme", slug: "acme", allowedEmailDomains: ["acme.example"] },
  answer: { status: 201, description: prose("The tenant."), schema: TenantView },
  location: "/tenants/{id}",
  etag: true,
  problems: ["slug_taken", "quota_exceeded"],
});

export const listTenantsEndpoint = endpoint({
  method: "GET",
  path: "/tenants",
  operationId: "listTenants",
  tag,
  summary: prose("List tenants"),
  description: prose(
    "Operators see all tenants, an API key its own tenant, a signed-in user the tenants they are a member of.",
  ),
  access: readTenants,
  query: z.object({
    ...pageQuery,
    name: listFilters.name,
    q: listFilters.q,
    slug: z.string().max(100).optional().describe(prose("Only the tenant with exactly this slug.")),
    ...createdFilters,
    sort: sortBy("createdAt", "updatedAt", "name"),
  }),
  answer: {
    status: 200,
    description: prose("A page of tenants."),
    schema: pageOf(TenantView),
  },
  problems: ["invalid_cursor"],
});

export const getTenantEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}",
  operationId: "getTenant",
  tag,
  summary: prose("Read a tenant"),
  access: readTenants,
  params: TenantParams,
  answer: { status: 200, description: prose("The tenant."), schema: TenantView },
  etag: true,
});

export const updateTenantEndpoint = endpoint({
  method: "PATCH",
  path: "/tenants/{tenantId}",
  operationId: "updateTenant",
  tag,
  summary: prose("Update a tenant"),
  description: prose("Replaces the fields in the body. The slug cannot be changed."),
  access: ownTenants,
  params: TenantParams,
  body: UpdateTenantBody,
  exampleBody: { name: "Acme", publicStatus: true },
  answer: { status: 200, description: prose("The tenant."), schema: TenantView },
  etag: true,
  problems: ["conflict", "precondition_failed"],
});

export const deleteTenantEndpoint = endpoint({
  method: "DELETE",
  path: "/tenants/{tenantId}",
  operationId: "deleteTenant",
  tag,
  summary: prose("Delete a tenant"),
  description: prose(
    "Ends its keys, members and invitations at once and removes everything else soon after. Refused while an instance may still have cloud objects: destroy them first. The audit log is kept.",
  ),
  access: ownTenants,
  params: TenantParams,
  answer: { status: 204, description: prose("The tenant is deleted.") },
  problems: ["in_use", "conflict", "precondition_failed"],
});

export const listPlansEndpoint = endpoint({
  method: "GET",
  path: "/plans",
  operationId: "listPlans",
  tag,
  summary: prose("List plans"),
  description: prose("Answers all plans, in one page."),
  access: readTenants,
  answer: {
    status: 200,
    description: prose("The plans, smallest first."),
    schema: pageOf(PlanView),
  },
});

export const getUsageEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/usage",
  operationId: "getTenantUsage",
  tag,
  summary: prose("Read a tenant's usage"),
  access: readTenants,
  params: TenantParams,
  answer: {
    status: 200,
    description: prose("The tenant's usage and its limits."),
    schema: UsageView,
  },
});

export const listMembersEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/members",
  operationId: "listMembers",
  tag,
  summary: prose("List members"),
  access: readMembers,
  params: TenantParams,
  query: z.object({
    ...pageQuery,
    role: RoleField.optional().describe(prose("Only members with this role.")),
  }),
  answer: {
    status: 200,
    description: prose("A page of members, newest first."),
    schema: pageOf(MemberView),
  },
  problems: ["invalid_cursor"],
});

export const addMemberEndpoint = endpoint({
  method: "POST",
  path: "/tenants/{tenantId}/members",
  operationId: "addMember",
  tag,
  summary: prose("Add a member"),
  description: prose(
    "Invites the person with this address, without a token: they become a member when they accept (`POST /auth/invitations/{id}/accept`), signed in with the address verified by a provider that is trusted for addresses. An admin can add developers and viewers, an owner every role; a key needs the scope `*` to add admins and owners. It replaces an earlier invitation of the same address.",
  ),
  access: writeMembers,
  params: TenantParams,
  body: AddMemberBody,
  exampleBody: { email: "ada@acme.example", role: "CustomerDeveloper" },
  answer: {
    status: 201,
    description: prose("The invitation, which the person may accept or decline."),
    schema: InvitationView,
  },
  location: "/tenants/{tenantId}/invitations/{id}",
  etag: true,
  problems: ["conflict", "invalid_state", "quota_exceeded"],
});

export const getMemberEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/members/{userId}",
  operationId: "getMember",
  tag,
  summary: prose("Read a member"),
  access: readMembers,
  params: MemberParams,
  answer: { status: 200, description: prose("The member."), schema: MemberView },
  etag: true,
});

export const changeRoleEndpoint = endpoint({
  method: "PATCH",
  path: "/tenants/{tenantId}/members/{userId}",
  operationId: "changeMemberRole",
  tag,
  summary: prose("Change a member's role"),
  description: prose(
    "An admin can change developers to viewers and viewers to developers; all other changes require an owner, or a key of an owner with the scope `*`. API keys that the member created get the new role's rights.",
  ),
  access: writeMembers,
  params: MemberParams,
  body: ChangeRoleBody,
  exampleBody: { role: "CustomerAdmin" },
  answer: { status: 200, description: prose("The member."), schema: MemberView },
  etag: true,
  problems: ["last_owner", "conflict", "precondition_failed"],
});

export const removeMemberEndpoint = endpoint({
  method: "DELETE",
  path: "/tenants/{tenantId}/members/{userId}",
  operationId: "removeMember",
  tag,
  summary: prose("Remove a member"),
  description: prose(
    "Members of every role may remove themselves, in a session: so they leave. API keys that the member created are revoked, also for the case that they return: at once for changes, within ten seconds for reads. Invitations that the member made end.",
  ),
  access: { ...writeMembers, orSelf: true },
  params: MemberParams,
  answer: { status: 204, description: prose("The member is removed.") },
  problems: ["last_owner", "conflict", "precondition_failed"],
});

export const listInvitationsEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/invitations",
  operationId: "listInvitations",
  tag,
  summary: prose("List open invitations"),
  access: readMembers,
  params: TenantParams,
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: prose("A page of open invitations, newest first."),
    schema: pageOf(InvitationView),
  },
  problems: ["invalid_cursor"],
});

export const createInvitationEndpoint = endpoint({
  method: "POST",
  path: "/tenants/{tenantId}/invitations",
  operationId: "createInvitation",
  tag,
  summary: prose("Invite a person"),
  description: prose(
    "The person who is signed in and accepts within seven days becomes a member: whoever has the token, and whoever has proved the address. Send the token as `/login?invitation=<token>`. It replaces an earlier invitation of the same address. An admin can invite developers and viewers, an owner every role; a key needs the scope `*` to invite admins and owners. An invitation is valid only while its creator could still make it.",
  ),
  access: writeMembers,
  params: TenantParams,
  body: CreateInvitationBody,
  exampleBody: { email: "grace@acme.example", role: "CustomerDeveloper" },
  answer: {
    status: 201,
    description: prose("The invitation with its token, which is shown only once."),
    schema: NewInvitationView,
  },
  secretAnswer: true,
  location: "/tenants/{tenantId}/invitations/{id}",
  etag: true,
  problems: ["conflict", "invalid_state", "quota_exceeded"],
});

export const getInvitationEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/invitations/{id}",
  operationId: "getInvitation",
  tag,
  summary: prose("Read an open invitation"),
  access: readMembers,
  params: InvitationParams,
  answer: {
    status: 200,
    description: prose("The invitation, without its token."),
    schema: InvitationView,
  },
  etag: true,
});

export const deleteInvitationEndpoint = endpoint({
  method: "DELETE",
  path: "/tenants/{tenantId}/invitations/{id}",
  operationId: "deleteInvitation",
  tag,
  summary: prose("Delete an invitation"),
  access: writeMembers,
  params: InvitationParams,
  answer: {
    status: 204,
    description: prose("The invitation is deleted; its token no longer works."),
  },
  problems: ["precondition_failed"],
});
