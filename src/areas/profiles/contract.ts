import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { createdFilters, listFilters, sortBy } from "#http/lists/list-query.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import {
  CreatedAt,
  FreeMap,
  Id,
  IdParams,
  oneLine,
  TenantFilter,
  TenantIdField,
  UpdatedAt,
} from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";

const tag = "Profiles";
const read = { role: "CustomerViewer", scope: "profiles:read" } as const;
const write = { role: "CustomerAdmin", scope: "profiles:write" } as const;

const Name = oneLine(2, 80).describe(prose("The profile's name, for people."));
const TargetId = z.string().min(1).max(200);

const SecretNames = z
  .array(z.string().min(1).max(200))
  .max(500)
  .describe(
    prose(
      "The names of variables whose values are stored encrypted and shown as `[secret]`. An encrypted value stays so until it is removed.",
    ),
  );

export const CreateProfileBody = z.object({
  name: Name,
  variables: FreeMap.default({}).describe(
    prose(
      "Values for the template's config of every instance with this profile. The instance's own variables and bindings take precedence.",
    ),
  ),
  secretNames: SecretNames.default([]),
  targetId: TargetId.optional().describe(
    prose("The default target of new instances with this profile. Default: none."),
  ),
  tenantId: TenantIdField.describe(
    prose(
      "The tenant that owns the profile. Default: the caller's tenant; for operators, the platform, whose profiles every tenant can use. A member of several tenants must name one.",
    ),
  ),
});

export const UpdateProfileBody = z.object({
  name: Name.optional(),
  variables: FreeMap.optional().describe(
    prose(
      "Merged into the current variables (RFC 7396): null removes a value; `[secret]` keeps a secret value.",
    ),
  ),
  secretNames: SecretNames.optional().describe(
    prose("Further names of variables whose values are stored encrypted."),
  ),
  targetId: TargetId.nullable()
    .optional()
    .describe(prose("The default target of new instances. Null: none.")),
});

export const ProfileView = z.object({
  id: Id,
  tenantId: z
    .uuid()
    .nullable()
    .describe(prose("Null: a platform profile, which every tenant can use.")),
  name: z.string().describe(prose("The profile's name, for people.")),
  variables: FreeMap.describe(prose("Secret values read `[secret]`.")),
  secretNames: z
    .array(z.string())
    .describe(prose("The names of the variables that are stored encrypted.")),
  targetId: z.uuid().nullable().describe(prose("The default target of new instances. Null: none.")),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const ProfileSummary = ProfileView.omit({ variables: true, secretNames: true });

export const createProfileEndpoint = endpoint({
  method: "POST",
  path: "/profiles",
  operationId: "createProfile",
  tag,
  summary: prose("Create a profile"),
  access: write,
  body: CreateProfileBody,
  answer: { status: 201, description: prose("The profile."), schema: ProfileView },
  location: "/profiles/{id}",
  etag: true,
  problems: ["conflict", "not_found", "quota_exceeded"],
});

export const listProfilesEndpoint = endpoint({
  method: "GET",
  path: "/profiles",
  operationId: "listProfiles",
  tag,
  summary: prose("List profiles"),
  description: prose("Without their variables: read a profile for those."),
  access: read,
  query: z.object({
    ...pageQuery,
    tenantId: TenantFilter,
    name: listFilters.name,
    q: listFilters.q,
    ...createdFilters,
    sort: sortBy("createdAt", "updatedAt", "name"),
  }),
  answer: {
    status: 200,
    description: prose("A page of profiles, the caller's and the platform's."),
    schema: pageOf(ProfileSummary),
  },
  problems: ["invalid_cursor"],
});

export const getProfileEndpoint = endpoint({
  method: "GET",
  path: "/profiles/{id}",
  operationId: "getProfile",
  tag,
  summary: prose("Read a profile"),
  access: read,
  params: IdParams,
  answer: { status: 200, description: prose("The profile."), schema: ProfileView },
  etag: true,
});

export const updateProfileEndpoint = endpoint({
  method: "PATCH",
  path: "/profiles/{id}",
  operationId: "updateProfile",
  tag,
  summary: prose("Update a profile"),
  description: prose(
    "Instances take the new values with their next deployment. Their targets do not change.",
  ),
  access: write,
  params: IdParams,
  body: UpdateProfileBody,
  bodyOptional: true,
  answer: { status: 200, description: prose("The profile."), schema: ProfileView },
  etag: true,
  problems: ["conflict", "precondition_failed"],
});

export const deleteProfileEndpoint = endpoint({
  method: "DELETE",
  path: "/profiles/{id}",
  operationId: "deleteProfile",
  tag,
  summary: prose("Delete a profile"),
  description: prose(
    "Refused while an instance uses the profile: set the instance's `profileId` to another profile or to null first.",
  ),
  access: write,
  params: IdParams,
  answer: { status: 204, description: prose("The profile is deleted.") },
  problems: ["in_use", "conflict", "precondition_failed"],
});
