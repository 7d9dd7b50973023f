import * as z from "zod";
import { endpoint } from "#platform/http/endpoint.ts";
import { pageOf, pageQuery } from "#platform/http/page.ts";
import { FreeMap, IdParams, TenantIdField, Timestamp } from "#platform/http/schemas.ts";
import { providerNames } from "#providers/provider.ts";

const tag = "Cloud targets";

export const environments = ["production", "staging", "development", "sandbox", "any"] as const;

/** What a target is for. `any`: nobody said. */
export type Environment = (typeof environments)[number];

export const CreateTargetBody = z.object({
  provider: z.enum(providerNames),
  name: z.string().min(2).max(80),
  environment: z.enum(environments).default("any"),
  config: FreeMap.describe(
    "What the provider needs to know beside the credential. Whoever may read the target reads it: put no secret here.",
  ),
  credentialRef: z
    .string()
    .max(300)
    .regex(/^(env|aws-sm):\/\/\S+$/, "`env://NAME` or `aws-sm://path`.")
    .optional()
    .describe(
      "Where the credential is. For the tenant with the id <id>: `env://TARGET_<id, 32 hex digits, upper case>_…` or `aws-sm://control/<id>/…`; for a platform target `env://TARGET_PLATFORM_…` or `aws-sm://control/platform/…`.",
    ),
  allowedRegions: z.array(z.string()).min(1).describe("`*` among them: every region."),
  defaultRegion: z.string().min(2).describe("One of the allowed regions."),
  tenantId: TenantIdField,
  maxConcurrentDeployments: z.int().min(1).max(20).default(3),
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
