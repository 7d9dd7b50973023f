import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { limitOf, pageOf, pageQuery } from "#http/page.ts";
import { IdParams, TenantIdField, Timestamp } from "#http/schemas.ts";
import { deploymentOperations, deploymentStates } from "#schema/deployment-states.ts";

const tag = "Deployments";

const SummaryView = z.object({
  create: z.number().int(),
  update: z.number().int(),
  replace: z.number().int(),
  delete: z.number().int(),
  unchanged: z.number().int(),
});

export const DeploymentView = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable(),
  instanceId: z.uuid(),
  operation: z.enum(deploymentOperations),
  state: z.enum(deploymentStates),
  trigger: z.string().describe("`manual`, or the kind of the trigger that started it."),
  blockedBy: z
    .object({
      kind: z.enum(["instance_busy", "target_capacity", "approval"]),
      id: z.uuid().describe("The deployment before it, or the target that is full."),
      position: z.number().int().describe("1 is next."),
    })
    .nullable()
    .describe("Why it waits."),
  summary: SummaryView.nullable(),
  planHash: z.string().nullable(),
  stateSerial: z.number().int().nullable().describe("The state the plan was made of."),
  error: z
    .object({ code: z.string(), message: z.string(), resource: z.string().optional() })
    .nullable(),
  actions: z
    .array(z.enum(["approve", "discard", "cancel", "rollback"]))
    .describe("What may be done with it now."),
  timestamps: z
    .partialRecord(z.enum(deploymentStates), Timestamp)
    .describe("When it reached each state."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const PlanView = z.object({
  deploymentId: z.uuid(),
  planHash: z.string(),
  stateSerial: z.number().int(),
  summary: SummaryView,
  changes: z.array(
    z.object({
      resource: z.string(),
      type: z.string(),
      action: z.enum(["create", "update", "replace", "delete", "unchanged"]),
      tentative: z
        .boolean()
        .describe("Only if a value that is known after apply turns out to differ."),
      id: z.string().optional(),
      changes: z.array(
        z.object({
          path: z.string(),
          before: z.json(),
          after: z.json(),
          replaces: z.boolean(),
        }),
      ),
      reason: z.string().optional(),
    }),
  ),
});

export const LogEntryView = z
  .object({
    seq: z.number().int(),
    at: Timestamp,
    level: z.enum(["info", "warn", "error"]),
    message: z.string(),
    resource: z.string().optional(),
    step: z.string().optional(),
    elapsedMs: z.number().optional(),
    requestId: z.string().optional().describe("The provider's."),
  })
  .meta({ id: "LogEntry" });

export const listDeploymentsEndpoint = endpoint({
  method: "GET",
  path: "/deployments",
  operationId: "listDeployments",
  tag,
  summary: "List deployments",
  access: { role: "CustomerViewer", scope: "deployments:read" },
  query: z.object({
    ...pageQuery,
    tenantId: TenantIdField,
    instanceId: z.string().max(200).optional(),
    state: z.enum(deploymentStates).optional(),
  }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(DeploymentView) },
  problems: ["invalid_cursor"],
});

export const getDeploymentEndpoint = endpoint({
  method: "GET",
  path: "/deployments/{id}",
  operationId: "getDeployment",
  tag,
  summary: "Read a deployment",
  access: { role: "CustomerViewer", scope: "deployments:read" },
  params: IdParams,
  answer: { status: 200, description: "The deployment.", schema: DeploymentView },
});

export const getDeploymentPlanEndpoint = endpoint({
  method: "GET",
  path: "/deployments/{id}/plan",
  operationId: "getDeploymentPlan",
  tag,
  summary: "Read a deployment's plan",
  access: { role: "CustomerViewer", scope: "deployments:read" },
  params: IdParams,
  answer: { status: 200, description: "What it does, or did.", schema: PlanView },
});

export const getDeploymentLogEndpoint = endpoint({
  method: "GET",
  path: "/deployments/{id}/log",
  operationId: "getDeploymentLog",
  tag,
  summary: "Read or follow a deployment's log",
  description:
    "With `Accept: text/event-stream` the log is followed live: `id` is the entry's `seq`, and `Last-Event-ID` resumes after it; `event: end` is the last. Otherwise a page of the same entries. Logs are kept for 30 days, and for an instance's newest 50 deployments.",
  access: { role: "CustomerViewer", scope: "deployments:read" },
  params: IdParams,
  query: z.object({
    limit: limitOf(100, "At most so many, 1 to 100."),
    cursor: z
      .string()
      .regex(/^\d{1,15}$/, "A whole number, the `seq` of an entry.")
      .transform(Number)
      .optional()
      .meta({ type: "integer", minimum: 0, description: "`nextCursor` of the page before." }),
  }),
  answer: {
    status: 200,
    description: "Oldest first.",
    schema: z.object({
      data: z.array(LogEntryView),
      nextCursor: z.string().nullable(),
      pruned: z.boolean().describe("There was a log, and it was kept long enough."),
    }),
    otherMediaType: "text/event-stream",
  },
});

export const cancelDeploymentEndpoint = endpoint({
  method: "POST",
  path: "/deployments/{id}/cancel",
  operationId: "cancelDeployment",
  tag,
  summary: "Cancel a deployment",
  description:
    "Queued: at once. Running: the calls under way are finished, none is started, and all state is kept.",
  access: { role: "CustomerDeveloper", scope: "deployments:write" },
  params: IdParams,
  answer: { status: 202, description: "The deployment.", schema: DeploymentView },
  location: "/deployments/{id}",
  waits: true,
  problems: ["conflict", "invalid_state"],
});

export const approveDeploymentEndpoint = endpoint({
  method: "POST",
  path: "/deployments/{id}/approve",
  operationId: "approveDeployment",
  tag,
  summary: "Approve a deployment's plan",
  description:
    "Carries out the plan that was made, and no other: when the instance has changed since, the deployment is superseded and the answer is 409 `stale_plan`. Where approval is `always` needed, whoever asked for the deployment cannot approve it.",
  access: { role: "CustomerAdmin", scope: "deployments:approve" },
  params: IdParams,
  answer: { status: 202, description: "The deployment.", schema: DeploymentView },
  location: "/deployments/{id}",
  waits: true,
  problems: ["invalid_state", "stale_plan", "conflict"],
});

export const discardDeploymentEndpoint = endpoint({
  method: "POST",
  path: "/deployments/{id}/discard",
  operationId: "discardDeployment",
  tag,
  summary: "Discard a deployment's plan",
  description: "The plan that waits for approval will not be carried out.",
  access: { role: "CustomerDeveloper", scope: "deployments:write" },
  params: IdParams,
  answer: { status: 200, description: "The deployment.", schema: DeploymentView },
  problems: ["invalid_state", "conflict"],
});
