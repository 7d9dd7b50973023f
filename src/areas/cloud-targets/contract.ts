import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { FreeMap, IdParams, TenantIdField, Timestamp } from "#http/schemas.ts";
import { environments, verifications } from "#schema/cloud-targets.ts";
import { providerNames } from "#schema/provider-names.ts";

const tag = "Cloud targets";

const name = z.string().min(2).max(80);
const credentialRef = z
  .string()
  .max(300)
  .regex(/^(env|aws-sm):\/\/\S+$/, "`env://NAME` or `aws-sm://path`.");
const allowedRegions = z.array(z.string()).min(1).describe("`*` among them: every region.");
const defaultRegion = z.string().min(2).describe("One of the allowed regions.");
const maxConcurrentDeployments = z.int().min(1).max(20);

export const CreateTargetBody = z.object({
  provider: z.enum(providerNames),
  name,
  environment: z.enum(environments).default("any"),
  config: FreeMap.describe(
    "What the provider needs to know beside the credential. Whoever may read the target reads it: put no secret here.",
  ),
  credentialRef: credentialRef
    .optional()
    .describe(
      "Where the credential is. For the tenant with the id <id>: `env://TARGET_<id, 32 hex digits, upper case>_…` or `aws-sm://control/<id>/…`; for a platform target `env://TARGET_PLATFORM_…` or `aws-sm://control/platform/…`.",
    ),
  allowedRegions,
  defaultRegion,
  tenantId: TenantIdField,
  maxConcurrentDeployments: maxConcurrentDeployments.default(3),
});

/** The provider of a target never changes: what was made there stays there. */
export const UpdateTargetBody = z.object({
  name: name.optional(),
  environment: z.enum(environments).optional(),
  config: FreeMap.optional().describe("Merged (RFC 7396): null removes a member."),
  credentialRef: credentialRef.nullable().optional().describe("Null: the target has none."),
  allowedRegions: allowedRegions.optional(),
  defaultRegion: defaultRegion.optional(),
  maxConcurrentDeployments: maxConcurrentDeployments.optional(),
});

export const TargetView = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable().describe("Null: a platform target, for every tenant to deploy to."),
  provider: z.enum(providerNames),
  name: z.string(),
  environment: z.enum(environments),
  config: FreeMap.nullable().describe("Null: a platform target's is shown to operators only."),
  credentialRef: z
    .string()
    .nullable()
    .describe("Null: there is none, or it is a platform target's and shown to operators only."),
  allowedRegions: z.array(z.string()),
  defaultRegion: z.string(),
  maxConcurrentDeployments: z.int(),
  verification: z
    .enum(verifications)
    .describe("What the last check of the credential said; UNVERIFIED after a change."),
  verifiedAt: Timestamp.nullable().describe("When the credential was last checked."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const createTargetEndpoint = endpoint({
  method: "POST",
  path: "/cloud/targets",
  operationId: "createCloudTarget",
  tag,
  summary: "Register a cloud target",
  description: "An operator who names no tenant makes a platform target, for every tenant to use.",
  access: { role: "CustomerAdmin", scope: "targets:write" },
  body: CreateTargetBody,
  exampleBody: {
    provider: "mock",
    name: "Sandbox",
    environment: "sandbox",
    config: {},
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
  },
  answer: { status: 201, description: "The target.", schema: TargetView },
  location: "/cloud/targets/{id}",
  etag: true,
  problems: ["credential_unavailable", "not_found"],
});

export const listTargetsEndpoint = endpoint({
  method: "GET",
  path: "/cloud/targets",
  operationId: "listCloudTargets",
  tag,
  summary: "List cloud targets",
  description: "The caller's own and the platform's.",
  access: { role: "CustomerViewer", scope: "targets:read" },
  query: z.object({
    ...pageQuery,
    provider: z.enum(providerNames).optional(),
    environment: z.enum(environments).optional(),
    tenantId: TenantIdField,
  }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(TargetView) },
  problems: ["invalid_cursor"],
});

export const getTargetEndpoint = endpoint({
  method: "GET",
  path: "/cloud/targets/{id}",
  operationId: "getCloudTarget",
  tag,
  summary: "Read a cloud target",
  access: { role: "CustomerViewer", scope: "targets:read" },
  params: IdParams,
  answer: { status: 200, description: "The target.", schema: TargetView },
  etag: true,
});

const manager = { role: "CustomerAdmin", scope: "targets:write" } as const;

export const updateTargetEndpoint = endpoint({
  method: "PATCH",
  path: "/cloud/targets/{id}",
  operationId: "updateCloudTarget",
  tag,
  summary: "Change a cloud target",
  description:
    "Replaces the fields it names and merges `config`. Deployments that were asked for before keep what they were asked for with. The provider does not change.",
  access: manager,
  params: IdParams,
  body: UpdateTargetBody,
  bodyOptional: true,
  answer: { status: 200, description: "The target.", schema: TargetView },
  etag: true,
  problems: ["credential_unavailable", "conflict", "precondition_failed"],
});

export const deleteTargetEndpoint = endpoint({
  method: "DELETE",
  path: "/cloud/targets/{id}",
  operationId: "deleteCloudTarget",
  tag,
  summary: "Delete a cloud target",
  description: "Refused while an instance deploys to it, whatever the instance's state.",
  access: manager,
  params: IdParams,
  answer: { status: 204, description: "It is gone. Nothing at the provider changed." },
  problems: ["in_use", "conflict", "precondition_failed"],
});

export const verifyTargetEndpoint = endpoint({
  method: "POST",
  path: "/cloud/targets/{id}/verify",
  operationId: "verifyCloudTarget",
  tag,
  summary: "Check a cloud target's credential",
  description:
    "Asks the provider one cheap question with the credential; nothing is changed there. A credential or config that does not work is an answer (`ok: false`); a provider that cannot be asked is 502 and says nothing about the credential.",
  access: manager,
  params: IdParams,
  answer: {
    status: 200,
    description: "Whether the credential works.",
    schema: z.object({ ok: z.boolean(), message: z.string(), verifiedAt: Timestamp }),
  },
  problems: ["invalid_state", "conflict", "provider_error"],
});

const JsonSchema = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe("JSON Schema (2020-12). Null: the provider is not available.");

export const listProvidersEndpoint = endpoint({
  method: "GET",
  path: "/cloud/providers",
  operationId: "listCloudProviders",
  tag,
  summary: "List the providers",
  description: "What a target at each of them needs, and what templates may make there.",
  access: { role: "CustomerViewer", scope: "targets:read" },
  answer: {
    status: 200,
    description: "All twelve, in one page.",
    schema: z.object({
      data: z.array(
        z.object({
          name: z.enum(providerNames),
          available: z
            .boolean()
            .describe("False: targets may be registered; nothing can be deployed to them yet."),
          credential: JsonSchema,
          config: JsonSchema,
          resourceTypes: z.array(z.string()),
          openTypes: z
            .boolean()
            .describe("Any well-formed type name is accepted; the listed ones are the known ones."),
        }),
      ),
      nextCursor: z.null(),
    }),
  },
});
