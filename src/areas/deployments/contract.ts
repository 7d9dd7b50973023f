import * as z from "zod";
import {
  actionAccess,
  DeploymentView,
  readAccess,
  SummaryView,
} from "#areas/deployment-records/public.ts";
import { InstanceView } from "#areas/instances/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { createdFilters, listFilters, severalOf, sortBy } from "#http/lists/list-query.ts";
import { limitOf, pageOf, pageQuery } from "#http/lists/page.ts";
import { IdParams, oneLine, PathId, plainText, TenantFilter, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { deploymentOperations, deploymentStates } from "#schema/lists/deployment-states.ts";

const tag = "Deployments";

/** The operator's reason, which the tenant reads. */
export const AbandonDeploymentBody = z.object({
  reason: oneLine(1, 500).describe(
    prose("Why the deployment is abandoned. Its tenant reads it in the deployment's error."),
  ),
});

const PlanDecisionBody = z
  .object({
    comment: plainText(0, 1000)
      .optional()
      .describe(prose("Why. Everybody who reads the deployment reads it. Default: none.")),
  })
  .meta({ id: "PlanDecisionBody" });

export const PlanView = z.object({
  deploymentId: z.uuid().describe(prose("The deployment's id.")),
  planHash: z.string().describe(prose("The SHA-256 of the plan, which an approval is bound to.")),
  stateSerial: z
    .number()
    .int()
    .describe(prose("The serial of the instance's state that the plan is based on.")),
  summary: SummaryView.describe(prose("The number of planned changes by action.")),
  changes: z
    .array(
      z.object({
        resource: z
          .string()
          .describe(
            prose(
              'The resource\'s address: its name in the template, with the key of its loop (`node["a"]`), below its component (`network/subnet`).',
            ),
          ),
        type: z.string().describe(prose("The resource's type, for example `mock:Server`.")),
        action: z
          .enum(["create", "update", "replace", "delete", "unchanged", "read"])
          .describe(
            prose(
              "`read`: the template reads an existing object with `get`; it is not changed and not counted in `summary`.",
            ),
          ),
        tentative: z
          .boolean()
          .describe(
            prose(
              "True: the change is needed only if a value that is not known yet turns out to differ.",
            ),
          ),
        id: z
          .string()
          .optional()
          .describe(prose("The provider's id of the object. Absent: it does not exist yet.")),
        changes: z
          .array(
            z.object({
              path: z.string().describe(prose("The path of the property.")),
              before: z.json().describe(prose("The value before the change.")),
              after: z.json().describe(prose("The value after the change.")),
              replaces: z
                .boolean()
                .describe(
                  prose(
                    "True: this property cannot be changed in place, so the object is replaced.",
                  ),
                ),
            }),
          )
          .describe(prose("The changes of its properties.")),
        movedFrom: z
          .string()
          .optional()
          .describe(
            prose(
              "The name that the object had before this deployment. Absent: the template calls it by the same name.",
            ),
          ),
        leaves: z
          .string()
          .optional()
          .describe(
            prose(
              "What the provider keeps after the delete, and how to leave nothing. Absent: nothing is known to stay.",
            ),
          ),
        reason: z
          .string()
          .optional()
          .describe(prose("Why this action is needed, where the changes alone do not show it.")),
      }),
    )
    .describe(prose("The change of each resource.")),
});

export const LogEntryView = z
  .object({
    seq: z.number().int().describe(prose("The number of the entry in the log, and its SSE id.")),
    at: Timestamp.describe(prose("The time of the entry.")),
    level: z.enum(["info", "warn", "error"]).describe(prose("The importance of the entry.")),
    message: z.string().describe(prose("The text, for people.")),
    resource: z
      .string()
      .optional()
      .describe(prose("The resource that the entry is about. Absent: none.")),
    step: z
      .string()
      .optional()
      .describe(prose("The step that the entry belongs to. Absent: none.")),
    elapsedMs: z.number().optional().describe(prose("Milliseconds since the start of the step.")),
    requestId: z.string().optional().describe(prose("The provider's id of the request.")),
  })
  .meta({ id: "LogEntry" });

export const listDeploymentsEndpoint = endpoint({
  method: "GET",
  path: "/deployments",
  operationId: "listDeployments",
  tag,
  summary: prose("List deployments"),
  access: readAccess,
  query: z.object({
    ...pageQuery,
    tenantId: TenantFilter,
    instanceId: z
      .string()
      .max(200)
      .optional()
      .describe(prose("Only deployments of this instance.")),
    targetId: PathId.optional().describe(prose("Only deployments to this target.")),
    templateId: PathId.optional().describe(
      prose("Only deployments of instances that are of this template now."),
    ),
    requestedBy: PathId.optional().describe(
      prose("Only deployments that this person or API key requested, by their id."),
    ),
    state: severalOf(deploymentStates, "Only deployments in this state."),
    operation: severalOf(deploymentOperations, "Only deployments of this kind."),
    label: listFilters.label,
    ...createdFilters,
    sort: sortBy("createdAt", "updatedAt"),
  }),
  answer: {
    status: 200,
    description: prose("A page of deployments."),
    schema: pageOf(DeploymentView),
  },
  problems: ["invalid_cursor"],
});

export const getDeploymentEndpoint = endpoint({
  method: "GET",
  path: "/deployments/{id}",
  operationId: "getDeployment",
  tag,
  summary: prose("Read a deployment"),
  access: readAccess,
  params: IdParams,
  query: z.object({
    include: severalOf(
      ["instance"],
      "Objects to add to the answer. Each requires the scope that reading it requires.",
    ),
  }),
  answer: {
    status: 200,
    description: prose("The deployment."),
    schema: DeploymentView.extend({
      instance: InstanceView.nullable()
        .optional()
        .describe(prose("Only with `include=instance`. Null: the instance was deleted.")),
    }).meta({ id: "DeploymentWithIncluded" }),
  },
});

export const getDeploymentPlanEndpoint = endpoint({
  method: "GET",
  path: "/deployments/{id}/plan",
  operationId: "getDeploymentPlan",
  tag,
  summary: prose("Read a deployment's plan"),
  description: prose("With `Accept: text/plain`, answers the same as lines to read."),
  access: readAccess,
  params: IdParams,
  answer: {
    status: 200,
    description: prose("The plan. 404 until it has been made."),
    schema: PlanView,
    otherMediaTypes: ["text/plain"],
  },
});

export const getDeploymentLogEndpoint = endpoint({
  method: "GET",
  path: "/deployments/{id}/log",
  operationId: "getDeploymentLog",
  tag,
  summary: prose("Read or follow a deployment's log"),
  description: prose(
    "With `Accept: text/event-stream`, streams the log live: the `id` of each event is the entry's `seq`, `Last-Event-ID` resumes after it, and `event: end` closes the stream. With `Accept: text/plain`, streams the same as lines to read. Otherwise answers a page of the same entries. Logs are kept for 30 days, and only for the newest 50 deployments of an instance.",
  ),
  access: readAccess,
  params: IdParams,
  query: z.object({
    limit: limitOf(100, "Maximum entries per page (1–100)."),
    cursor: z
      .string()
      .refine(
        (text) => /^\d{1,15}$/.test(text),
        "It must be a whole number: the `seq` of an entry.",
      )
      .transform(Number)
      .optional()
      .meta({
        type: "integer",
        minimum: 0,
        description:
          "`nextCursor` of the previous page, or the `seq` of an entry to continue after. Default: the first page.",
      }),
  }),
  answer: {
    status: 200,
    description: prose("A page of log entries, oldest first."),
    schema: pageOf(LogEntryView).extend({
      pruned: z
        .boolean()
        .describe(prose("True: the log was deleted when its retention time ended.")),
    }),
    otherMediaTypes: ["text/event-stream", "text/plain"],
  },
});

export const cancelDeploymentEndpoint = endpoint({
  method: "POST",
  path: "/deployments/{id}/cancel",
  operationId: "cancelDeployment",
  tag,
  summary: prose("Cancel a deployment"),
  description: prose(
    "A queued deployment is canceled at once. A running one waits for the provider calls in flight alone, makes no others, and ends within seconds. What the provider may still be making, changing or deleting stays in the instance's resources: the next deployment reads it first or looks for it, and a destroy deletes it.",
  ),
  access: actionAccess.cancel,
  params: IdParams,
  answer: { status: 202, description: prose("The deployment."), schema: DeploymentView },
  location: "/deployments/{id}",
  waits: true,
  problems: ["conflict", "invalid_state"],
});

export const approveDeploymentEndpoint = endpoint({
  method: "POST",
  path: "/deployments/{id}/approve",
  operationId: "approveDeployment",
  tag,
  summary: prose("Approve a deployment's plan"),
  description: prose(
    "Applies exactly the plan that was shown. If another deployment has changed the instance's objects since, the deployment becomes SUPERSEDED and the answer is 409 `stale_plan`. A plan that has waited for seven days is not approved any more: the deployment becomes EXPIRED and the answer is 409 `invalid_state`. If the instance is protected and the plan deletes or replaces resources, it is 409 `resource_protected`. With the approval mode `always`, these cannot approve it: the person or key that requested the deployment, the person who set up the trigger that did, and the persons who wrote what it deploys: the template version, and since the last deployment that succeeded the instance, its profile's variables and its target. The answer is 403 and says why.",
  ),
  access: actionAccess.approve,
  params: IdParams,
  body: PlanDecisionBody,
  bodyOptional: true,
  answer: { status: 202, description: prose("The deployment."), schema: DeploymentView },
  location: "/deployments/{id}",
  waits: true,
  problems: ["invalid_state", "stale_plan", "resource_protected", "conflict"],
});

export const abandonDeploymentEndpoint = endpoint({
  method: "POST",
  path: "/deployments/{id}/abandon",
  operationId: "abandonDeployment",
  shows: "/deployments/{id}",
  tag,
  summary: prose("Abandon a deployment"),
  description: prose(
    "For operators, when a deployment does not end by itself and a cancel does not help. It becomes FAILED at once (`error.code` is `abandoned`), whatever its state, and the next deployment of the instance may start. What its unfinished steps may have made at the provider stays in the instance's state, and the next deployment looks for it. Repeating it changes nothing.",
  ),
  access: actionAccess.abandon,
  params: IdParams,
  body: AbandonDeploymentBody,
  exampleBody: { reason: "The sealing key k1 is lost." },
  answer: { status: 200, description: prose("The deployment."), schema: DeploymentView },
  problems: ["invalid_state", "conflict"],
});

export const discardDeploymentEndpoint = endpoint({
  method: "POST",
  path: "/deployments/{id}/discard",
  operationId: "discardDeployment",
  shows: "/deployments/{id}",
  tag,
  summary: prose("Discard a deployment's plan"),
  description: prose("Rejects a plan that waits for approval: it is never applied."),
  access: actionAccess.discard,
  params: IdParams,
  body: PlanDecisionBody,
  bodyOptional: true,
  answer: { status: 200, description: prose("The deployment."), schema: DeploymentView },
  problems: ["invalid_state", "conflict"],
});
