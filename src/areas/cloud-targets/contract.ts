import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { LabelsField, LabelsPatch, LabelsView } from "#http/labels.ts";
import { listFilters, sortBy } from "#http/lists/list-query.ts";
import { pageOf, pageQuery, wholeListOf } from "#http/lists/page.ts";
import {
  CreatedAt,
  FreeMap,
  Id,
  IdParams,
  oneLine,
  PathId,
  TenantFilter,
  TenantIdField,
  Timestamp,
  UpdatedAt,
} from "#http/schemas.ts";
import { jsonBytes } from "#platform/json.ts";
import { prose } from "#platform/prose.ts";
import { environments, verifications } from "#schema/cloud-targets.ts";
import { providerNames } from "#schema/lists/provider-names.ts";

const tag = "Cloud targets";

const Provider = z.enum(providerNames).describe(prose("The cloud provider."));
const Environment = z
  .enum(environments)
  .describe(
    prose(
      "The environment that the target serves. For `production`, plans that replace or delete something wait for approval by default.",
    ),
  );

/** The meanings of a provider's refusal. */
const failureMeanings = [
  "gone",
  "exists",
  "busy",
  "stale",
  "throttled",
  "denied",
  "quota",
  "invalid",
] as const;

const name = oneLine(2, 80).describe(prose("The target's name, for people."));
const credentialRef = z
  .string()
  .max(300)
  .regex(/^(env|aws-sm):\/\/\S+$/, "It must be `env://NAME` or `aws-sm://path`.");
/** Bounded, because lists show the regions of every target. */
const MAX_REGIONS_BYTES = 8_192;
const allowedRegions = z
  .array(oneLine(0))
  .min(1)
  .refine(
    (regions) => jsonBytes(regions) <= MAX_REGIONS_BYTES,
    `All of them together can have at most ${MAX_REGIONS_BYTES} bytes. \`*\` allows every region.`,
  )
  .describe(prose("Regions that may be deployed to. `*` allows every region."));
const defaultRegion = oneLine(2, 1_000).describe(
  prose("The region to deploy to by default. It must be one of `allowedRegions`."),
);
const maxConcurrentDeployments = z
  .int()
  .min(1)
  .max(20)
  .describe(prose("Maximum deployments that run at this target at the same time; others wait."));

export const CreateTargetBody = z.object({
  provider: Provider,
  name,
  labels: LabelsField.default({}),
  environment: Environment.default("any"),
  config: FreeMap.describe(
    prose(
      "The provider's settings besides the credential; `GET /cloud/providers` has their JSON Schema. Every reader of the target sees them: do not put secrets here.",
    ),
  ),
  credentialRef: credentialRef
    .optional()
    .describe(
      prose(
        "Where the credential is stored. A target without one can name in `config` the identity that its runs assume: see `identity` in the answer. For a tenant with the id <id>: `env://TARGET_<id as 32 upper-case hex digits>_…` or `aws-sm://control/<id>/…`. For a platform target: `env://TARGET_PLATFORM_…` or `aws-sm://control/platform/…`. Default: no credential.",
      ),
    ),
  allowedRegions,
  defaultRegion,
  tenantId: TenantIdField.describe(
    prose(
      "The tenant that owns the target. Default: the caller's tenant; for operators, the platform. A member of several tenants must name one.",
    ),
  ),
  maxConcurrentDeployments: maxConcurrentDeployments.default(3),
});

/** A target's provider cannot change: the objects created there remain there. */
export const UpdateTargetBody = z.object({
  name: name.optional(),
  labels: LabelsPatch.optional(),
  environment: z
    .enum(environments)
    .optional()
    .describe(
      prose(
        "A change from production lowers the default approval mode of the target's instances: it also requires the scope deployments:approve.",
      ),
    ),
  config: FreeMap.optional().describe(
    prose("Merged into the current config (RFC 7396); null removes a member."),
  ),
  credentialRef: credentialRef.nullable().optional().describe(prose("Null removes the reference.")),
  allowedRegions: allowedRegions.optional(),
  defaultRegion: defaultRegion.optional(),
  maxConcurrentDeployments: maxConcurrentDeployments.optional(),
});

const TargetIdentity = z.object({
  issuer: z.url().describe(prose("The `iss` of the tokens: this installation.")),
  subject: z
    .string()
    .describe(
      prose(
        "The `sub` of the tokens: `tenant:<id of the target's owner>:target:<id of the target>`. No other target ever has it.",
      ),
    ),
  audience: z.string().describe(prose("The `aud` of the tokens, which the provider requires.")),
  trust: z
    .object({
      policy: FreeMap.nullable().describe(
        prose("The trust policy to paste at the provider. Null: it has none."),
      ),
      steps: z.array(z.string()).describe(prose("What to do at the provider, in order.")),
    })
    .describe(prose("How the provider is made to trust this target alone.")),
});

export const TargetView = z.object({
  id: Id,
  tenantId: z
    .uuid()
    .nullable()
    .describe(prose("Null: a platform target, which every tenant can deploy to.")),
  provider: Provider,
  name: z.string().describe(prose("The target's name, for people.")),
  labels: LabelsView,
  environment: Environment,
  config: FreeMap.nullable().describe(
    prose("Null: hidden; only operators see the config of a platform target."),
  ),
  credentialRef: z
    .string()
    .nullable()
    .describe(
      prose("Null: none, or hidden; only operators see the reference of a platform target."),
    ),
  identity: TargetIdentity.nullable().describe(
    prose(
      "How the target's runs identify themselves to the provider by tokens of this installation, instead of a stored credential; at Oracle Cloud `credentialRef` may hold the secret of the OAuth client that exchanges them. Null: by `credentialRef` alone or not at all, or hidden, as the config is.",
    ),
  ),
  credentialProblem: z
    .string()
    .nullable()
    .describe(
      prose(
        "Why no deployment can reach the provider: the target has neither a credential nor an identity, or the installation issues no tokens. Null: nothing is known to be missing, or hidden.",
      ),
    ),
  allowedRegions: z
    .array(z.string())
    .describe(prose("Regions that may be deployed to. `*` allows every region.")),
  defaultRegion: z.string().describe(prose("The region of resources that name none.")),
  maxConcurrentDeployments: z
    .int()
    .describe(prose("Maximum deployments that run at this target at the same time.")),
  verification: z
    .enum(verifications)
    .describe(
      prose(
        "The result of the last check of the credential. UNVERIFIED: not checked since the credential, config or default region changed.",
      ),
    ),
  verifiedAt: Timestamp.nullable().describe(
    prose("When the credential was last checked. Null: never."),
  ),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const createTargetEndpoint = endpoint({
  method: "POST",
  path: "/cloud/targets",
  operationId: "createCloudTarget",
  tag,
  summary: prose("Register a cloud target"),
  description: prose(
    "If an operator names no tenant, it becomes a platform target, which every tenant can use. Without `credentialRef`, `identity` in the answer has the trust policy to set at the provider; `credentialProblem` says what is missing.",
  ),
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
  answer: { status: 201, description: prose("The target."), schema: TargetView },
  location: "/cloud/targets/{id}",
  etag: true,
  problems: ["credential_unavailable", "not_found", "quota_exceeded"],
});

export const listTargetsEndpoint = endpoint({
  method: "GET",
  path: "/cloud/targets",
  operationId: "listCloudTargets",
  tag,
  summary: prose("List cloud targets"),
  description: prose("Lists the caller's targets and the platform's."),
  access: { role: "CustomerViewer", scope: "targets:read" },
  query: z.object({
    ...pageQuery,
    tenantId: TenantFilter,
    ...listFilters,
    provider: z.enum(providerNames).optional().describe(prose("Only targets of this provider.")),
    environment: z
      .enum(environments)
      .optional()
      .describe(prose("Only targets with this environment.")),
    sort: sortBy("createdAt", "updatedAt", "name"),
  }),
  answer: {
    status: 200,
    description: prose("A page of targets."),
    schema: pageOf(TargetView),
  },
  problems: ["invalid_cursor"],
});

export const getTargetEndpoint = endpoint({
  method: "GET",
  path: "/cloud/targets/{id}",
  operationId: "getCloudTarget",
  tag,
  summary: prose("Read a cloud target"),
  access: { role: "CustomerViewer", scope: "targets:read" },
  params: IdParams,
  answer: { status: 200, description: prose("The target."), schema: TargetView },
  etag: true,
});

const change = { role: "CustomerAdmin", scope: "targets:write" } as const;

export const updateTargetEndpoint = endpoint({
  method: "PATCH",
  path: "/cloud/targets/{id}",
  operationId: "updateCloudTarget",
  tag,
  summary: prose("Change a cloud target"),
  description: prose(
    "Replaces the fields in the body and merges `config` and `labels`. Deployments that already exist keep the old values. The provider cannot be changed.",
  ),
  access: change,
  params: IdParams,
  body: UpdateTargetBody,
  bodyOptional: true,
  answer: { status: 200, description: prose("The target."), schema: TargetView },
  etag: true,
  problems: ["credential_unavailable", "conflict", "precondition_failed"],
});

export const deleteTargetEndpoint = endpoint({
  method: "DELETE",
  path: "/cloud/targets/{id}",
  operationId: "deleteCloudTarget",
  tag,
  summary: prose("Delete a cloud target"),
  description: prose(
    "Refused while an instance or a profile refers to the target, in whatever state.",
  ),
  access: change,
  params: IdParams,
  answer: {
    status: 204,
    description: prose("The target is deleted. Nothing changes at the provider."),
  },
  problems: ["in_use", "conflict", "precondition_failed"],
});

const VerifyTargetBody = z
  .object({
    templateId: z
      .uuid()
      .optional()
      .describe(
        prose(
          "Also look at what the account lacks for the types of this template and of its components, and at quotas that they exceed. Takes the scope templates:read. Default: no template.",
        ),
      ),
    templateVersion: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe(prose("Default: the newest version that is not deprecated.")),
  })
  .refine(
    ({ templateId, templateVersion }) => templateId !== undefined || templateVersion === undefined,
    {
      path: ["templateVersion"],
      message: "It needs the templateId of its template.",
    },
  )
  .meta({ id: "VerifyCloudTarget" });

export type VerifyTargetBody = z.infer<typeof VerifyTargetBody>;

export const verifyTargetEndpoint = endpoint({
  method: "POST",
  path: "/cloud/targets/{id}/verify",
  operationId: "verifyCloudTarget",
  shows: null,
  tag,
  summary: prose("Check a cloud target's credential"),
  description: prose(
    "Sends up to five read-only requests to the provider with the credential. A credential or config that does not work is a result (`ok: false`) that says why and what to do. If the provider or the place of the credential cannot be reached, or takes no more calls now, the answer is 502, with `Retry-After` if the provider says when, and says nothing about the credential. If the target's deployments use all the calls that the provider takes, it waits a few seconds, then answers 429 with `Retry-After`. With a template, up to thirty more requests find out what the account lacks for it, at AWS, Azure and Google Cloud.",
  ),
  access: change,
  params: IdParams,
  body: VerifyTargetBody,
  bodyOptional: true,
  answer: {
    status: 200,
    description: prose("The result of the check."),
    schema: z.object({
      ok: z.boolean().describe(prose("True: the credential works.")),
      message: z
        .string()
        .describe(prose("What was found; for a refusal, in the provider's words.")),
      means: z
        .enum(failureMeanings)
        .nullable()
        .describe(
          prose(
            "What a refusal means: `denied` the credential is not accepted or lacks a permission, `gone` the account, project or region is unknown, `invalid` the config does not fit, `quota` the account has reached a limit. Null: the credential works, or the cause is another one.",
          ),
        ),
      permission: z
        .string()
        .nullable()
        .describe(prose("The permission that the credential lacks, if the provider names it.")),
      hint: z.string().nullable().describe(prose("What to do. Null: nothing.")),
      lacks: z
        .array(
          z.object({
            what: z.string().describe(prose("What is missing.")),
            fix: z.string().describe(prose("What mends it: a command, or a sentence.")),
            types: z
              .array(z.string())
              .describe(prose("The types that need it, by the vendor's names.")),
          }),
        )
        .nullable()
        .describe(
          prose(
            "What the account lacks for the template: registrations, APIs, roles, permissions. Null: no template was given, the credential does not work, or this provider is not asked.",
          ),
        ),
      unread: z
        .array(z.string())
        .nullable()
        .describe(prose("What could not be found out, with the reasons. Null: as of `lacks`.")),
      verifiedAt: Timestamp.describe(prose("The time of the check.")),
    }),
  },
  problems: ["invalid_state", "conflict", "provider_error"],
});

const JsonSchema = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe(prose("JSON Schema (2020-12). Null: the provider is not available."));

export const listProvidersEndpoint = endpoint({
  method: "GET",
  path: "/cloud/providers",
  operationId: "listCloudProviders",
  tag,
  summary: prose("List providers"),
  description: prose(
    "For each provider: the credential and config of a target, and the resource types of templates.",
  ),
  access: { role: "CustomerViewer", scope: "targets:read" },
  answer: {
    status: 200,
    description: prose("All twelve providers, in one page."),
    schema: wholeListOf(
      z.object({
        name: z
          .enum(providerNames)
          .describe(prose("The provider's name, as in targets and in the types of templates.")),
        available: z
          .boolean()
          .describe(
            prose("False: targets can be registered, but nothing can be deployed to them yet."),
          ),
        credential: JsonSchema,
        config: JsonSchema,
        resourceTypes: z
          .array(z.string())
          .describe(prose("Resource types that templates can use.")),
        openTypes: z
          .boolean()
          .describe(
            prose(
              "True: every well-formed type name is accepted, not only those in `resourceTypes`.",
            ),
          ),
      }),
    ),
  },
});

export const listProviderTypesEndpoint = endpoint({
  method: "GET",
  path: "/cloud/providers/{provider}/types",
  operationId: "listCloudProviderTypes",
  tag,
  summary: prose("List a provider's resource types"),
  description: prose(
    "All types that are known, by name. Templates are checked against them, whether or not the provider is available.",
  ),
  access: { role: "CustomerViewer", scope: "targets:read" },
  params: z.object({
    provider: PathId.describe(prose("The name of a provider, for example `aws`.")),
  }),
  query: z.object({
    ...pageQuery,
    q: z
      .string()
      .max(80)
      .optional()
      .describe(
        prose(
          "Only types whose name contains this text, in upper or lower case; if there are none, those whose name ends almost like it.",
        ),
      ),
  }),
  answer: {
    status: 200,
    description: prose("A page of types."),
    schema: pageOf(
      z.object({
        type: z.string().describe(prose("The name of the type in templates.")),
        knowledge: z
          .enum(["verified", "described"])
          .describe(
            prose(
              "verified: the service was tested with it. described: known from the vendor's published description alone.",
            ),
          ),
      }),
    ),
  },
  problems: ["invalid_cursor", "not_found", "unavailable"],
});
