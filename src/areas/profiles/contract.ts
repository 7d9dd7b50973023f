import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { FreeMap, IdParams, TenantIdField, Timestamp } from "#http/schemas.ts";

const tag = "Profiles";
const read = { role: "CustomerViewer", scope: "profiles:read" } as const;
const write = { role: "CustomerAdmin", scope: "profiles:write" } as const;

const Name = z.string().min(2).max(80);
const TargetId = z.string().min(1).max(200);

const SecretNames = z
  .array(z.string().min(1).max(200))
  .max(500)
  .describe("The variables to keep sealed. Once sealed, a value stays so until it is removed.");

export const CreateProfileBody = z.object({
  name: Name,
  variables: FreeMap.default({}).describe(
    "What instances with this profile get for their template's config, unless they or their bindings say otherwise.",
  ),
  secretNames: SecretNames.default([]),
  targetId: TargetId.optional().describe(
    "The target of instances that are made with this profile and name none.",
  ),
  tenantId: TenantIdField.describe(
    "Whose it is. Default: the caller's tenant; an operator's is for every tenant.",
  ),
});

export const UpdateProfileBody = z.object({
  name: Name.optional(),
  variables: FreeMap.optional().describe(
    "Merged (RFC 7396): null removes a value. A secret that reads `[secret]` stays.",
  ),
  secretNames: SecretNames.optional().describe("More variables to keep sealed."),
  targetId: TargetId.nullable().optional(),
});

export const ProfileView = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable().describe("Null: for every tenant."),
  name: z.string(),
  variables: FreeMap.describe("Secret ones read `[secret]`."),
  secretNames: z.array(z.string()),
  targetId: z.uuid().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const createProfileEndpoint = endpoint({
  method: "POST",
  path: "/profiles",
  operationId: "createProfile",
  tag,
  summary: "Create a profile",
  access: write,
  body: CreateProfileBody,
  answer: { status: 201, description: "The profile.", schema: ProfileView },
  location: "/profiles/{id}",
  etag: true,
  problems: ["conflict", "not_found"],
});

export const listProfilesEndpoint = endpoint({
  method: "GET",
  path: "/profiles",
  operationId: "listProfiles",
  tag,
  summary: "List profiles",
  access: read,
  query: z.object({ ...pageQuery, tenantId: TenantIdField.describe("Only this tenant's own.") }),
  answer: {
    status: 200,
    description: "The tenant's own and those for every tenant, newest first.",
    schema: pageOf(ProfileView),
  },
  problems: ["invalid_cursor"],
});

export const getProfileEndpoint = endpoint({
  method: "GET",
  path: "/profiles/{id}",
  operationId: "getProfile",
  tag,
  summary: "Read a profile",
  access: read,
  params: IdParams,
  answer: { status: 200, description: "The profile.", schema: ProfileView },
  etag: true,
});

export const updateProfileEndpoint = endpoint({
  method: "PATCH",
  path: "/profiles/{id}",
  operationId: "updateProfile",
  tag,
  summary: "Update a profile",
  description:
    "Instances take the values with their next deployment. Their targets stay what they are.",
  access: write,
  params: IdParams,
  body: UpdateProfileBody,
  bodyOptional: true,
  answer: { status: 200, description: "The profile.", schema: ProfileView },
  etag: true,
  problems: ["conflict", "precondition_failed"],
});

export const deleteProfileEndpoint = endpoint({
  method: "DELETE",
  path: "/profiles/{id}",
  operationId: "deleteProfile",
  tag,
  summary: "Delete a profile",
  description: "Refused while an instance has it: give the instance another one, or none, first.",
  access: write,
  params: IdParams,
  answer: { status: 204, description: "The profile is deleted." },
  problems: ["in_use", "conflict", "precondition_failed"],
});
