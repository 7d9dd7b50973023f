import * as z from "zod";
import { DeploymentView } from "#areas/deployments/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { FreeMap, IdParams, Instant, TenantIdField, Timestamp } from "#http/schemas.ts";

const tag = "Instances";

const ApprovalModeField = z
  .enum(["auto", "destructive", "always"])
  .describe(
    "When a plan waits for approval. Default: `destructive` in production, else `auto`. Whoever lowers it needs the role CustomerAdmin.",
  );

const BindingsField = z
  .record(z.string(), z.looseObject({ instanceId: z.string(), output: z.string() }).nullable())
  .describe("Variables fed by other instances' outputs; null removes one.");

const VariablesField = FreeMap.describe(
  "Values for the template's config. Secret ones are kept sealed.",
);

export const CreateInstanceBody = z.object({
  name: z.string().min(2).max(80),
  templateId: z.string().min(1).max(200),
  templateVersion: z.number().int().min(1).optional().describe("Default: the latest."),
  targetId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Default: the profile's. Required where there is none."),
  profileId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Its variables count where the instance and its bindings give none."),
  variables: VariablesField.default({}),
  bindings: BindingsField.default({}),
  approvalMode: ApprovalModeField.optional(),
  protectedFromDestroy: z.boolean().default(false),
  expiresAt: Instant.optional(),
  tenantId: TenantIdField,
});

export const UpdateInstanceBody = z.object({
  name: z.string().min(2).max(80).optional(),
  variables: VariablesField.optional().describe(
    "Merged (RFC 7396): null removes a value. A secret that reads `[secret]` stays.",
  ),
  bindings: BindingsField.optional(),
  protectedFromDestroy: z.boolean().optional(),
  templateVersion: z.number().int().min(1).optional(),
  profileId: z.string().min(1).max(200).nullable().optional(),
  approvalMode: ApprovalModeField.nullable().optional(),
  expiresAt: Instant.nullable().optional(),
});

export const InstanceView = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable(),
  name: z.string(),
  templateId: z.uuid(),
  templateVersion: z.number().int(),
  availableVersion: z.number().int().nullable().describe("A newer version of the template."),
  targetId: z.uuid(),
  profileId: z.uuid().nullable(),
  variables: FreeMap,
  bindings: FreeMap,
  approvalMode: ApprovalModeField.nullable(),
  protectedFromDestroy: z.boolean(),
  expiresAt: Timestamp.nullable(),
  state: z.enum([
    "INITIALIZED",
    "PROVISIONING",
    "ACTIVE",
    "UPDATING",
    "FAILED",
    "DEGRADED",
    "DESTROYING",
    "DESTROYED",
    "DESTROY_FAILED",
  ]),
  drift: z.enum(["UNKNOWN", "IN_SYNC", "DRIFTED"]),
  outputs: FreeMap.describe("As the last deployment left them; secret ones read `[secret]`."),
  stateSerial: z.number().int(),
  lastDeploymentId: z.uuid().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const createInstanceEndpoint = endpoint({
  method: "POST",
  path: "/instances",
  operationId: "createInstance",
  tag,
  summary: "Create an instance",
  description: "Nothing is deployed yet: deploy it, or plan it first.",
  access: { role: "CustomerDeveloper", scope: "instances:write" },
  body: CreateInstanceBody,
  exampleBody: {
    name: "shop",
    templateId: "01930000-0000-7000-8000-000000000001",
    targetId: "01930000-0000-7000-8000-000000000002",
    variables: { size: "small" },
  },
  answer: { status: 201, description: "The instance.", schema: InstanceView },
  location: "/instances/{id}",
  etag: true,
  problems: ["conflict"],
});

export const listInstancesEndpoint = endpoint({
  method: "GET",
  path: "/instances",
  operationId: "listInstances",
  tag,
  summary: "List instances",
  access: { role: "CustomerViewer", scope: "instances:read" },
  query: z.object({
    ...pageQuery,
    tenantId: TenantIdField,
    state: InstanceView.shape.state.optional(),
    templateId: z.string().max(200).optional(),
    targetId: z.string().max(200).optional(),
  }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(InstanceView) },
  problems: ["invalid_cursor"],
});

export const getInstanceEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}",
  operationId: "getInstance",
  tag,
  summary: "Read an instance",
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: IdParams,
  answer: { status: 200, description: "The instance.", schema: InstanceView },
  etag: true,
});

export const updateInstanceEndpoint = endpoint({
  method: "PATCH",
  path: "/instances/{id}",
  operationId: "updateInstance",
  tag,
  summary: "Update an instance",
  description: "Changes what the next deployment does; nothing at the provider changes by this.",
  access: { role: "CustomerDeveloper", scope: "instances:write" },
  params: IdParams,
  body: UpdateInstanceBody,
  bodyOptional: true,
  answer: { status: 200, description: "The instance.", schema: InstanceView },
  etag: true,
  problems: ["conflict", "precondition_failed"],
});

export const deployInstanceEndpoint = endpoint({
  method: "POST",
  path: "/instances/{id}/deploy",
  operationId: "deployInstance",
  tag,
  summary: "Deploy an instance",
  access: { role: "CustomerDeveloper", scope: "instances:write" },
  params: IdParams,
  answer: { status: 202, description: "The deployment, queued.", schema: DeploymentView },
  location: "/deployments/{id}",
  quota: "deploys",
  waits: true,
  problems: ["invalid_state", "conflict"],
});

export const planInstanceEndpoint = endpoint({
  method: "POST",
  path: "/instances/{id}/plan",
  operationId: "planInstance",
  tag,
  summary: "Plan an instance",
  description: "What a deploy would do now. Nothing is changed.",
  access: { role: "CustomerDeveloper", scope: "instances:write" },
  params: IdParams,
  answer: { status: 202, description: "The deployment, queued.", schema: DeploymentView },
  location: "/deployments/{id}",
  quota: "deploys",
  waits: true,
  problems: ["invalid_state", "conflict"],
});

export const destroyInstanceEndpoint = endpoint({
  method: "POST",
  path: "/instances/{id}/destroy",
  operationId: "destroyInstance",
  tag,
  summary: "Destroy an instance's resources",
  description: "The instance stays and can be deployed again.",
  access: { role: "CustomerAdmin", scope: "instances:write" },
  params: IdParams,
  answer: { status: 202, description: "The deployment, queued.", schema: DeploymentView },
  location: "/deployments/{id}",
  quota: "deploys",
  waits: true,
  problems: ["resource_protected", "conflict"],
});

export const checkDriftEndpoint = endpoint({
  method: "POST",
  path: "/instances/{id}/check-drift",
  operationId: "checkInstanceDrift",
  tag,
  summary: "Check an instance for drift",
  description:
    "Reads every cloud object and compares it with what was applied; changes nothing. Ends as `NO_CHANGES`, or as `SUCCEEDED` with what differs as its plan: the next deploy puts that back. It makes way for a deployment.",
  access: { role: "CustomerDeveloper", scope: "instances:write" },
  params: IdParams,
  answer: { status: 202, description: "The deployment, queued.", schema: DeploymentView },
  location: "/deployments/{id}",
  quota: "deploys",
  waits: true,
  problems: ["invalid_state", "conflict"],
});

export const listInstanceResourcesEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}/resources",
  operationId: "listInstanceResources",
  tag,
  summary: "List an instance's cloud objects",
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: IdParams,
  answer: {
    status: 200,
    description: "In the order they were made; at most 1,000.",
    schema: z.object({
      data: z.array(
        z.object({
          name: z.string(),
          type: z.string(),
          id: z.string().describe("The provider's id."),
          state: z.enum(["READY", "TAINTED", "CONDEMNED", "LOST"]),
          dependsOn: z.array(z.string()),
        }),
      ),
      nextCursor: z.null(),
    }),
  },
});

export const deleteInstanceEndpoint = endpoint({
  method: "DELETE",
  path: "/instances/{id}",
  operationId: "deleteInstance",
  tag,
  summary: "Delete an instance",
  description:
    "Only when nothing of it is left at the provider and no deployment of it is open: destroy it first. Its deployments stay readable.",
  access: { role: "CustomerDeveloper", scope: "instances:write" },
  params: IdParams,
  answer: { status: 204, description: "It is gone." },
  problems: ["invalid_state", "in_use", "conflict", "precondition_failed"],
});

export const getInstanceOutputsEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}/outputs",
  operationId: "getInstanceOutputs",
  tag,
  summary: "Read an instance's outputs",
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: IdParams,
  answer: {
    status: 200,
    description: "As the last deployment left them.",
    schema: z.object({
      instanceId: z.uuid(),
      stateSerial: z.int().describe("Rises whenever the instance's cloud objects change."),
      outputs: FreeMap.describe("Secret ones read `[secret]`."),
    }),
  },
  etag: true,
});

export const rollbackDeploymentEndpoint = endpoint({
  method: "POST",
  path: "/deployments/{id}/rollback",
  operationId: "rollbackDeployment",
  tag: "Deployments",
  summary: "Go back to what was good before a deployment",
  description:
    "A new deployment of the template version and the variables of the newest deploy or rollback before this one that succeeded; it is planned, approved and shown like any other. The instance is set back to them at once. 409 `nothing_to_roll_back` when none succeeded before.",
  access: { role: "CustomerDeveloper", scope: "deployments:write" },
  params: IdParams,
  answer: { status: 202, description: "The new deployment, queued.", schema: DeploymentView },
  location: "/deployments/{id}",
  quota: "deploys",
  waits: true,
  problems: ["invalid_state", "nothing_to_roll_back", "conflict"],
});
