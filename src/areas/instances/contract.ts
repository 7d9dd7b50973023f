import * as z from "zod";
import { TargetView } from "#areas/cloud-targets/public.ts";
import { DeploymentView } from "#areas/deployment-records/public.ts";
import { TemplateView } from "#areas/templates/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { LabelsField, LabelsPatch, LabelsView } from "#http/labels.ts";
import { listFilters, severalOf, sortBy } from "#http/lists/list-query.ts";
import { pageOf, pageQuery, wholeListOf } from "#http/lists/page.ts";
import {
  CreatedAt,
  flagQuery,
  FreeMap,
  Id,
  IdParams,
  Instant,
  oneLine,
  OwnerId,
  TenantFilter,
  TenantIdField,
  Timestamp,
  UpdatedAt,
} from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { instanceStates } from "#schema/instances.ts";

const tag = "Instances";

const Name = oneLine(2, 80).describe(prose("The instance's name, for people."));

const ApprovalModeField = z
  .enum(["auto", "destructive", "always"])
  .describe(
    prose(
      "When a plan waits for approval. `auto`: never. `destructive`: if it replaces or deletes something. `always`: always, and for another person. Default: `destructive` if the target's environment is production, otherwise `auto`. Lowering it, below the default too, requires the role CustomerAdmin and the scope deployments:approve.",
    ),
  );

const BindingsField = z
  .record(
    z.string(),
    z
      .looseObject({
        instanceId: z.string().describe(prose("The id of the other instance.")),
        output: z.string().describe(prose("The name of its output.")),
      })
      .nullable(),
  )
  .describe(
    prose(
      "Variables that take their value from an output of another instance; null removes a binding. A variable set in `variables` wins.",
    ),
  );

const VariablesField = FreeMap.describe(
  prose("Values for the template's config. Secret values are stored encrypted."),
);

export const CreateInstanceBody = z.object({
  name: Name,
  templateId: z.string().min(1).max(200).describe(prose("The template's id.")),
  templateVersion: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(prose("Default: the latest version that is not deprecated.")),
  targetId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      prose("The target to deploy to. Default: the profile's target; required if there is none."),
    ),
  labels: LabelsField.default({}),
  profileId: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      prose(
        "The profile to inherit variables from. The instance's own variables and bindings take precedence.",
      ),
    ),
  variables: VariablesField.default({}),
  bindings: BindingsField.default({}),
  approvalMode: ApprovalModeField.optional(),
  protectedFromDestroy: z
    .boolean()
    .default(false)
    .describe(prose("True: destroying the instance is refused.")),
  expiresAt: Instant.optional().describe(
    prose(
      "When the instance is destroyed automatically. Default: never. Requires the role CustomerAdmin, as a destroy does.",
    ),
  ),
  tenantId: TenantIdField.describe(
    prose(
      "The tenant that owns the instance. Default: the caller's tenant. Operators and members of several tenants must name one.",
    ),
  ),
});

export const UpdateInstanceBody = z.object({
  name: Name.optional(),
  labels: LabelsPatch.optional(),
  variables: VariablesField.optional().describe(
    prose(
      "Merged into the current variables (RFC 7396): null removes a value; `[secret]` keeps a secret value.",
    ),
  ),
  bindings: BindingsField.optional(),
  protectedFromDestroy: z
    .boolean()
    .optional()
    .describe(prose("Setting it to false requires the role CustomerAdmin.")),
  templateVersion: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(prose("The template version of the next deployment.")),
  profileId: z.string().min(1).max(200).nullable().optional().describe(prose("Null: no profile.")),
  approvalMode: ApprovalModeField.nullable()
    .optional()
    .describe(
      prose(
        "When a plan waits for approval. Null: the default. Lowering it, and setting `auto` where that is only the default, requires the role CustomerAdmin and the scope deployments:approve.",
      ),
    ),
  expiresAt: Instant.nullable()
    .optional()
    .describe(
      prose(
        "When the instance is destroyed automatically. Null: never. Setting it, or an earlier time, requires the role CustomerAdmin, as a destroy does.",
      ),
    ),
});

export const InstanceView = z.object({
  id: Id,
  tenantId: OwnerId,
  name: z.string().describe(prose("The instance's name, for people.")),
  labels: LabelsView,
  templateId: z.uuid().describe(prose("The template's id.")),
  templateVersion: z.number().int().describe(prose("The template version of the next deployment.")),
  availableVersion: z
    .number()
    .int()
    .nullable()
    .describe(prose("The latest template version, if it is newer. Null: there is none.")),
  targetId: z.uuid().describe(prose("The target's id.")),
  profileId: z
    .uuid()
    .nullable()
    .describe(prose("The id of the profile to inherit variables from. Null: none.")),
  variables: FreeMap.describe(
    prose("Values for the template's config, by name. Secret values read `[secret]`."),
  ),
  bindings: FreeMap.describe(
    prose("Variables that take their value from an output of another instance, by name."),
  ),
  approvalMode: ApprovalModeField.nullable().describe(
    prose(
      "When a plan waits for approval. Null: the default, `destructive` if the target's environment is production, otherwise `auto`.",
    ),
  ),
  protectedFromDestroy: z
    .boolean()
    .describe(
      prose("True: a destroy, an expiry and every plan that deletes or replaces are refused."),
    ),
  expiresAt: Timestamp.nullable().describe(
    prose("When the instance is destroyed automatically. Null: never."),
  ),
  state: z.enum(instanceStates).describe(prose("The state of the instance.")),
  drift: z
    .enum(["UNKNOWN", "IN_SYNC", "DRIFTED"])
    .describe(
      prose(
        "Whether cloud objects differ from what was last applied, as far as known. UNKNOWN: not checked.",
      ),
    ),
  outputs: FreeMap.describe(
    prose("The outputs of the last deployment. Secret outputs read `[secret]`."),
  ),
  outputsStaleSince: Timestamp.nullable().describe(
    prose(
      "Since when the outputs are older than the cloud objects: a deployment succeeded but could not compute them, see its `outputsError`. Null: they are up to date.",
    ),
  ),
  stateSerial: z
    .number()
    .int()
    .describe(prose("Increases whenever the instance's cloud objects change.")),
  lastDeploymentId: z
    .uuid()
    .nullable()
    .describe(prose("The deployment that ran last. Null: none.")),
  deployment: DeploymentView.nullable()
    .optional()
    .describe(prose("The deployment `lastDeploymentId`. Only with `include=deployment`.")),
  target: TargetView.nullable().optional().describe(prose("Only with `include=target`.")),
  template: TemplateView.nullable().optional().describe(prose("Only with `include=template`.")),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const InstanceSummary = InstanceView.omit({ variables: true, outputs: true }).extend({
  outputNames: z.array(z.string()).describe(prose("The names of its outputs.")),
});

const IncludeInInstance = severalOf(
  ["deployment", "target", "template"],
  "Objects to add to the answer. Each requires the scope that reading it requires.",
);

export const createInstanceEndpoint = endpoint({
  method: "POST",
  path: "/instances",
  operationId: "createInstance",
  tag,
  summary: prose("Create an instance"),
  description: prose(
    "Creates the record only. Deploy the instance to create its resources, or plan it first.",
  ),
  access: { role: "CustomerDeveloper", scope: "instances:write" },
  body: CreateInstanceBody,
  exampleBody: {
    name: "shop",
    templateId: "01930000-0000-7000-8000-000000000001",
    targetId: "01930000-0000-7000-8000-000000000002",
    variables: { size: "small" },
  },
  answer: { status: 201, description: prose("The instance."), schema: InstanceView },
  location: "/instances/{id}",
  etag: true,
  problems: ["conflict", "quota_exceeded"],
});

export const listInstancesEndpoint = endpoint({
  method: "GET",
  path: "/instances",
  operationId: "listInstances",
  tag,
  summary: prose("List instances"),
  description: prose("Without their variables and outputs: read an instance for those."),
  access: { role: "CustomerViewer", scope: "instances:read" },
  query: z.object({
    ...pageQuery,
    tenantId: TenantFilter,
    ...listFilters,
    state: severalOf(instanceStates, "Only instances in this state."),
    templateId: z.string().max(200).optional().describe(prose("Only instances of this template.")),
    targetId: z.string().max(200).optional().describe(prose("Only instances at this target.")),
    sort: sortBy("createdAt", "updatedAt", "name"),
    include: IncludeInInstance,
  }),
  answer: {
    status: 200,
    description: prose("A page of instances."),
    schema: pageOf(InstanceSummary),
  },
  problems: ["invalid_cursor"],
});

export const getInstanceEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}",
  operationId: "getInstance",
  tag,
  summary: prose("Read an instance"),
  description: prose(
    "With `include`, the ETag covers the included objects too: use it for `If-None-Match` only. `If-Match` takes the ETag of the answer without `include`.",
  ),
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: IdParams,
  query: z.object({ include: IncludeInInstance }),
  answer: { status: 200, description: prose("The instance."), schema: InstanceView },
  etag: true,
});

export const updateInstanceEndpoint = endpoint({
  method: "PATCH",
  path: "/instances/{id}",
  operationId: "updateInstance",
  tag,
  summary: prose("Update an instance"),
  description: prose("Takes effect with the next deployment; nothing changes at the provider now."),
  access: { role: "CustomerDeveloper", scope: "instances:write" },
  params: IdParams,
  body: UpdateInstanceBody,
  bodyOptional: true,
  answer: { status: 200, description: prose("The instance."), schema: InstanceView },
  etag: true,
  problems: ["conflict", "precondition_failed"],
});

export const listInstanceResourcesEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}/resources",
  operationId: "listInstanceResources",
  tag,
  summary: prose("List an instance's cloud objects"),
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: IdParams,
  answer: {
    status: 200,
    description: prose("The cloud objects in the order of their creation, at most 1,000."),
    schema: wholeListOf(
      z.object({
        name: z
          .string()
          .describe(
            prose(
              'The resource\'s address: its name in the template, with the key of its loop (`node["a"]`), below its component (`network/subnet`).',
            ),
          ),
        type: z.string().describe(prose("The resource's type, for example `mock:Server`.")),
        id: z.string().describe(prose("The provider's id of the object; empty if it is LOST.")),
        state: z
          .enum(["READY", "UNREADY", "TAINTED", "PENDING_DELETE", "LOST"])
          .describe(
            prose(
              "UNREADY: not usable in time or before a cancel, or its delete was not seen to end; the next deploy reads it, keeps it if it is usable and makes it again if it is gone. LOST: its create was never answered, so it may exist; the next deploy looks for it. TAINTED: the cloud says that it failed; the next deploy replaces it. PENDING_DELETE: replaced, and to be deleted.",
            ),
          ),
        dependsOn: z
          .array(z.string())
          .describe(prose("The names of the resources that it needs first.")),
      }),
    ),
  },
});

const Count = z.int().min(0);

export const reconcileInstanceEndpoint = endpoint({
  method: "POST",
  path: "/instances/{id}/reconcile",
  operationId: "reconcileInstance",
  shows: null,
  tag,
  summary: prose("Reconcile an instance's records"),
  description: prose(
    "Compares the database with what the instance's runner knows of its deployments of the last 30 days, and writes again what the database lacks: after it was restored to an earlier time, or edited. Changes nothing at the provider, and nothing at all where they agree. Events that are written again are delivered again, with the same ids.",
  ),
  access: { role: "operator", scope: "instances:write" },
  params: IdParams,
  query: z.object({
    dryRun: flagQuery("Compare, and write nothing: the answer says what would be written again."),
  }),
  answer: {
    status: 200,
    description: prose("What was compared, and what was written again."),
    schema: z.object({
      instanceId: z.uuid().describe(prose("The instance's id.")),
      compared: Count.describe(prose("Deployments that were compared.")),
      deployments: Count.describe(prose("Deployments that were written again.")),
      inserted: Count.describe(prose("Of these, deployments that were missing.")),
      events: Count.describe(prose("Events that were missing.")),
      plans: Count.describe(prose("Plans that were missing.")),
      instance: z
        .boolean()
        .describe(prose("True: the instance's state or outputs were written again.")),
      lost: Count.describe(
        prose("Deployments that are missing and stay so, because too little is known about them."),
      ),
    }),
  },
});

export const deleteInstanceEndpoint = endpoint({
  method: "DELETE",
  path: "/instances/{id}",
  operationId: "deleteInstance",
  tag,
  summary: prose("Delete an instance"),
  description: prose(
    "Possible when the instance has no cloud objects, no open deployment and no instance bound to its outputs: destroy it first. Its deployments stay readable.",
  ),
  access: { role: "CustomerDeveloper", scope: "instances:write" },
  params: IdParams,
  answer: { status: 204, description: prose("The instance is deleted.") },
  problems: ["invalid_state", "in_use", "conflict", "precondition_failed"],
});

export const getInstanceOutputsEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}/outputs",
  operationId: "getInstanceOutputs",
  tag,
  summary: prose("Read an instance's outputs"),
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: IdParams,
  answer: {
    status: 200,
    description: prose("The outputs of the last deployment."),
    schema: z.object({
      instanceId: z.uuid().describe(prose("The instance's id.")),
      stateSerial: z
        .int()
        .describe(prose("Increases whenever the instance's cloud objects change.")),
      outputs: FreeMap.describe(prose("Secret outputs read `[secret]`.")),
      outputsStaleSince: InstanceView.shape.outputsStaleSince,
    }),
  },
  etag: true,
});
