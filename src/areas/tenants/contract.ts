import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { FreeMap, PathId, Timestamp } from "#http/schemas.ts";
import { planNames, settableLimits } from "#schema/plans.ts";
import { tenantRoles } from "#schema/roles.ts";

const tag = "Tenants";
const readTenants = { role: "CustomerViewer", scope: "tenants:read" } as const;
const ownTenants = { role: "CustomerOwner", scope: "tenants:write" } as const;
const readMembers = { role: "CustomerViewer", scope: "members:read" } as const;
const writeMembers = { role: "CustomerAdmin", scope: "members:write" } as const;

/** Slugs that would read as the service's own. */
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

const Name = z.string().min(2).max(80);
const EmailDomains = z
  .array(z.string().max(253))
  .max(100)
  .describe(
    "Whoever proves an address of one of these domains, exactly, becomes a viewer: `acme.example`, without an `@`. What is no domain lets nobody in.",
  );

const LimitsField = FreeMap.superRefine((limits, context) => {
  for (const name of settableLimits) {
    const limit = Object.hasOwn(limits, name) ? limits[name] : null;
    if (limit !== null && !(Number.isSafeInteger(limit) && (limit as number) >= 0))
      context.addIssue({
        code: "custom",
        path: [name],
        message: "A whole number from 0, or null for no limit.",
      });
  }
}).describe(
  `In place of the plan's: ${settableLimits.join(", ")}. A whole number, or null for no limit. Anything else is kept and means nothing here.`,
);

export const CreateTenantBody = z.object({
  name: Name,
  slug: z.string().regex(/^[a-z][a-z0-9-]{1,40}$/, "A letter, then 1 to 40 of a-z, 0-9 and -."),
  limits: LimitsField.default({}),
  allowedEmailDomains: EmailDomains.default([]),
});

export const UpdateTenantBody = z.object({
  name: Name.optional(),
  limits: LimitsField.optional().meta({ description: "Replaces all of them. Operators only." }),
  allowedEmailDomains: EmailDomains.optional(),
  publicStatus: z
    .boolean()
    .optional()
    .describe("Whether /status/{slug} shows the tenant's status to everyone."),
});

export const TenantView = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  limits: FreeMap,
  allowedEmailDomains: z.array(z.string()),
  publicStatus: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const Limit = z.int().nullable().describe("Null: no limit.");
const LimitsView = z.object({
  instances: Limit,
  targets: Limit,
  templates: Limit,
  webhooks: Limit,
  members: Limit,
  apiKeys: Limit,
  deploymentsPerMonth: Limit,
  deploysPerMinute: Limit.describe(
    "Deploys, plans, destroys and what else starts a run. Null: no limit.",
  ),
  importsPerMinute: Limit,
});

export const PlanView = z.object({
  name: z.enum(planNames),
  current: z.boolean().describe("The plan of this installation."),
  limits: LimitsView.describe(
    "For each tenant. The license's go before the plan's, a tenant's own before both.",
  ),
});

const Use = z.object({ used: z.int(), limit: Limit });

export const UsageView = z.object({
  tenantId: z.uuid(),
  plan: z.enum(planNames),
  month: z.string().describe("The calendar month, UTC, that `deploymentsPerMonth` counts."),
  instances: Use,
  targets: Use,
  templates: Use,
  webhooks: Use,
  members: Use.describe("Members and open invitations."),
  apiKeys: Use.describe("Keys that are not revoked."),
  deploymentsPerMonth: Use.describe("Deploys that were asked for in this month."),
});

const RoleField = z.enum(tenantRoles);
const Email = z.email().max(254).toLowerCase();

export const AddMemberBody = z.object({ email: Email, role: RoleField });
export const ChangeRoleBody = z.object({ role: RoleField });
export const CreateInvitationBody = z.object({ email: Email, role: RoleField });

export const MemberView = z.object({
  id: z.uuid().describe("Of the membership: what events call the resource."),
  tenantId: z.uuid(),
  userId: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  role: RoleField,
  signedIn: z.boolean().describe("False: nobody has signed in with this address yet."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const InvitationView = z.object({
  id: z.uuid(),
  tenantId: z.uuid(),
  email: z.string(),
  role: RoleField,
  expiresAt: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const NewInvitationView = InvitationView.extend({
  token: z.string().describe("What the invited person signs in with. It is shown this once."),
});

const TenantParams = z.object({ tenantId: PathId });
const MemberParams = z.object({ tenantId: PathId, userId: PathId });
const InvitationParams = z.object({ tenantId: PathId, id: PathId });

export const createTenantEndpoint = endpoint({
  method: "POST",
  path: "/tenants",
  operationId: "createTenant",
  tag,
  summary: "Create a tenant",
  description:
    "For operators. Where SELF_SERVICE_TENANTS is `on`, for everybody who is signed in too: they become its owner, and name no limits.",
  access: { role: "operator", scope: "tenants:write", orSignedIn: true },
  body: CreateTenantBody,
  exampleBody: { name: "Acme", slug: "acme", allowedEmailDomains: ["acme.example"] },
  answer: { status: 201, description: "The tenant.", schema: TenantView },
  location: "/tenants/{id}",
  etag: true,
  problems: ["slug_taken", "quota_exceeded"],
});

export const listTenantsEndpoint = endpoint({
  method: "GET",
  path: "/tenants",
  operationId: "listTenants",
  tag,
  summary: "List tenants",
  description:
    "An operator sees all of them, a tenant's key its own, whoever is signed in those they are a member of.",
  access: readTenants,
  query: z.object({
    ...pageQuery,
    q: z.string().max(100).optional().describe("Part of the name."),
    slug: z.string().max(100).optional(),
  }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(TenantView) },
  problems: ["invalid_cursor"],
});

export const getTenantEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}",
  operationId: "getTenant",
  tag,
  summary: "Read a tenant",
  access: readTenants,
  params: TenantParams,
  answer: { status: 200, description: "The tenant.", schema: TenantView },
  etag: true,
});

export const updateTenantEndpoint = endpoint({
  method: "PATCH",
  path: "/tenants/{tenantId}",
  operationId: "updateTenant",
  tag,
  summary: "Update a tenant",
  description: "Replaces the fields that are named. A slug never changes.",
  access: ownTenants,
  params: TenantParams,
  body: UpdateTenantBody,
  exampleBody: { name: "Acme", publicStatus: true },
  answer: { status: 200, description: "The tenant.", schema: TenantView },
  etag: true,
  problems: ["conflict", "precondition_failed"],
});

export const deleteTenantEndpoint = endpoint({
  method: "DELETE",
  path: "/tenants/{tenantId}",
  operationId: "deleteTenant",
  tag,
  summary: "Delete a tenant",
  description:
    "Its keys, members and invitations end at once; everything else it has is removed soon after. Refused while an instance may have resources: destroy them first. The audit log stays.",
  access: ownTenants,
  params: TenantParams,
  answer: { status: 204, description: "Deleted." },
  problems: ["in_use", "conflict", "precondition_failed"],
});

export const listPlansEndpoint = endpoint({
  method: "GET",
  path: "/plans",
  operationId: "listPlans",
  tag,
  summary: "List the plans",
  description: "All of them, in one page.",
  access: readTenants,
  answer: { status: 200, description: "Smallest first.", schema: pageOf(PlanView) },
});

export const getUsageEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/usage",
  operationId: "getTenantUsage",
  tag,
  summary: "Read what a tenant uses",
  access: readTenants,
  params: TenantParams,
  answer: { status: 200, description: "What is used, beside its limit.", schema: UsageView },
});

export const listMembersEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/members",
  operationId: "listMembers",
  tag,
  summary: "List members",
  access: readMembers,
  params: TenantParams,
  query: z.object({ ...pageQuery, role: RoleField.optional() }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(MemberView) },
  problems: ["invalid_cursor"],
});

export const addMemberEndpoint = endpoint({
  method: "POST",
  path: "/tenants/{tenantId}/members",
  operationId: "addMember",
  tag,
  summary: "Add a member",
  description:
    "Whoever proves the address at a trusted sign-in provider is the member, at once if they have before. Nobody gives more than they have.",
  access: writeMembers,
  params: TenantParams,
  body: AddMemberBody,
  exampleBody: { email: "ada@acme.example", role: "CustomerDeveloper" },
  answer: { status: 201, description: "The member.", schema: MemberView },
  location: "/tenants/{tenantId}/members/{userId}",
  etag: true,
  problems: ["conflict", "invalid_state", "quota_exceeded"],
});

export const getMemberEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/members/{userId}",
  operationId: "getMember",
  tag,
  summary: "Read a member",
  access: readMembers,
  params: MemberParams,
  answer: { status: 200, description: "The member.", schema: MemberView },
  etag: true,
});

export const changeRoleEndpoint = endpoint({
  method: "PATCH",
  path: "/tenants/{tenantId}/members/{userId}",
  operationId: "changeMemberRole",
  tag,
  summary: "Change a member's role",
  description:
    "An admin may make developers viewers and viewers developers; everything else takes an owner. The member's API keys follow.",
  access: writeMembers,
  params: MemberParams,
  body: ChangeRoleBody,
  exampleBody: { role: "CustomerAdmin" },
  answer: { status: 200, description: "The member.", schema: MemberView },
  etag: true,
  problems: ["last_owner", "conflict", "precondition_failed"],
});

export const removeMemberEndpoint = endpoint({
  method: "DELETE",
  path: "/tenants/{tenantId}/members/{userId}",
  operationId: "removeMember",
  tag,
  summary: "Remove a member",
  description:
    "The API keys the member made stop working: at once for changes, within ten seconds for reads.",
  access: writeMembers,
  params: MemberParams,
  answer: { status: 204, description: "Removed." },
  problems: ["last_owner", "conflict", "precondition_failed"],
});

export const listInvitationsEndpoint = endpoint({
  method: "GET",
  path: "/tenants/{tenantId}/invitations",
  operationId: "listInvitations",
  tag,
  summary: "List open invitations",
  access: readMembers,
  params: TenantParams,
  query: z.object(pageQuery),
  answer: { status: 200, description: "Newest first.", schema: pageOf(InvitationView) },
  problems: ["invalid_cursor"],
});

export const createInvitationEndpoint = endpoint({
  method: "POST",
  path: "/tenants/{tenantId}/invitations",
  operationId: "createInvitation",
  tag,
  summary: "Invite somebody",
  description:
    "Whoever signs in with the token within seven days becomes a member. An earlier invitation of the same address ends. Nobody gives more than they have: an invitation counts while whoever made it could still make it.",
  access: writeMembers,
  params: TenantParams,
  body: CreateInvitationBody,
  exampleBody: { email: "grace@acme.example", role: "CustomerDeveloper" },
  answer: {
    status: 201,
    description: "The invitation, with its token, shown this once.",
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
  summary: "Read an open invitation",
  access: readMembers,
  params: InvitationParams,
  answer: {
    status: 200,
    description: "The invitation, without its token.",
    schema: InvitationView,
  },
  etag: true,
});

export const deleteInvitationEndpoint = endpoint({
  method: "DELETE",
  path: "/tenants/{tenantId}/invitations/{id}",
  operationId: "deleteInvitation",
  tag,
  summary: "Withdraw an invitation",
  access: writeMembers,
  params: InvitationParams,
  answer: { status: 204, description: "Its token is worth nothing any more." },
  problems: ["precondition_failed"],
});
