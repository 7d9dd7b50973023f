/**
 * A deployment as answers show it. It has an area of its own because instances include it in theirs: what callers do with
 * a deployment is in the area above them, `deployments`.
 */
import * as z from "zod";
import { LabelsView } from "#http/labels.ts";
import { CreatedAt, Id, OwnerId, PageUrl, Timestamp, UpdatedAt } from "#http/schemas.ts";
import { toLower } from "#kernel/access/safeguards.ts";
import { prose } from "#platform/prose.ts";
import { faults } from "#schema/lists/deployment-faults.ts";
import { deploymentOperations, deploymentStates } from "#schema/lists/deployment-states.ts";

/** Who may read a deployment. */
export const readAccess = { role: "CustomerViewer", scope: "deployments:read" } as const;

const change = { role: "CustomerDeveloper", scope: "deployments:write" } as const;
/** Who may do what with a deployment. */
export const actionAccess = {
  approve: toLower.approval,
  discard: change,
  cancel: change,
  rollback: change,
  abandon: { role: "operator", scope: "deployments:write" },
} as const;

export const SummaryView = z.object({
  create: z.number().int().describe(prose("Resources to create.")),
  update: z.number().int().describe(prose("Resources to update.")),
  replace: z.number().int().describe(prose("Resources to replace.")),
  delete: z.number().int().describe(prose("Resources to delete.")),
  unchanged: z.number().int().describe(prose("Resources that stay as they are.")),
});

const Code = z
  .string()
  .describe(
    prose(
      "A stable code, for programs. `/docs/errors#deployment-errors` lists the codes; any other is the cloud's own.",
    ),
  );
const Message = z.string().describe(prose("The error, for people."));

/** Who acted on a deployment. */
const By = z.object({
  kind: z.enum(["member", "key", "operator", "trigger"]).describe(prose("The kind of the caller.")),
  id: z
    .string()
    .nullable()
    .describe(prose("The user's id, or the API key's. Null: an operator or a trigger.")),
  name: z
    .string()
    .nullable()
    .describe(
      prose(
        "The name of the person or API key at that time, the kind of the trigger, or `operator`. Null: the person has no name.",
      ),
    ),
});

const PlanDecisionView = z.object({
  by: By.describe(prose("Who decided.")),
  at: Timestamp.describe(prose("The time of the decision.")),
  comment: z.string().nullable().describe(prose("As given with the decision. Null: none.")),
});

export const DeploymentView = z
  .object({
    id: Id,
    pageUrl: PageUrl,
    tenantId: OwnerId,
    instanceId: z.uuid().describe(prose("The instance's id.")),
    instanceName: z
      .string()
      .nullable()
      .describe(prose("The instance's name. Null: the instance was deleted.")),
    target: z
      .object({
        id: z.uuid().describe(prose("The target's id.")),
        name: z.string().describe(prose("The target's name.")),
        provider: z.string().describe(prose("The cloud provider.")),
        environment: z.string().describe(prose("The environment that the target serves.")),
      })
      .describe(prose("The target, as it was when the deployment was requested.")),
    operation: z.enum(deploymentOperations).describe(prose("The operation of the deployment.")),
    state: z.enum(deploymentStates).describe(prose("The state of the deployment.")),
    trigger: z
      .string()
      .describe(prose("What started the deployment: `manual`, or the kind of a trigger.")),
    requestedBy: By.describe(prose("Who requested the deployment.")),
    templateVersion: z
      .number()
      .int()
      .nullable()
      .describe(prose("The template version that it deploys. Null: it destroys.")),
    message: z.string().nullable().describe(prose("As given with the request. Null: none.")),
    labels: LabelsView.describe(prose("As given with the request; not those of the instance.")),
    blockedBy: z
      .object({
        kind: z
          .enum(["instance_busy", "target_capacity", "approval"])
          .describe(prose("The reason for the wait.")),
        id: z
          .uuid()
          .describe(
            prose(
              "`instance_busy`: the deployment ahead. `target_capacity`: the target. `approval`: this deployment.",
            ),
          ),
        position: z
          .number()
          .int()
          .describe(
            prose(
              "The place among this tenant's deployments that wait for the same; 1 is next. At a target that tenants share, deployments of others may start in between.",
            ),
          ),
      })
      .nullable()
      .describe(prose("What the deployment waits for. Null: it does not wait.")),
    summary: SummaryView.nullable().describe(
      prose("Number of planned changes by action. Null: there is no plan yet."),
    ),
    planHash: z
      .string()
      .nullable()
      .describe(prose("Identifies the plan. Null: there is no plan yet.")),
    stateSerial: z
      .number()
      .int()
      .nullable()
      .describe(
        prose(
          "The serial of the instance's state that the plan is based on. Null: there is no plan yet.",
        ),
      ),
    error: z
      .object({
        code: Code,
        message: Message,
        resource: z
          .string()
          .optional()
          .describe(
            prose("The resource that failed. Absent: the error is not about one resource."),
          ),
        fault: z
          .enum(faults)
          .describe(
            prose(
              "Who has to act. `user`: the template, its variables, the credential or the region is wrong. `provider`: the cloud failed. `service`: this service failed.",
            ),
          ),
      })
      .nullable()
      .describe(prose("Why the deployment failed. Null: no error.")),
    outputsError: z
      .object({
        code: Code,
        message: Message,
        output: z
          .string()
          .optional()
          .describe(prose("The output that failed. Absent: all of them together.")),
      })
      .nullable()
      .describe(
        prose(
          "Why the instance's outputs could not be computed, although the deployment succeeded: the instance keeps those it had. Null: no error.",
        ),
      ),
    approvals: z
      .array(PlanDecisionView)
      .describe(prose("Who approved the plan. Empty: nobody, or it needed no approval.")),
    discard: PlanDecisionView.nullable().describe(
      prose("Who discarded the plan. Null: nobody did."),
    ),
    actions: z
      .array(z.enum(["approve", "discard", "cancel", "rollback", "abandon"]))
      .describe(
        prose("What the caller may do with the deployment now; `abandon` is for operators."),
      ),
    timestamps: z
      .partialRecord(
        z.enum(deploymentStates),
        Timestamp.describe(prose("The time at which the deployment entered this state.")),
      )
      .describe(prose("When the deployment entered each state.")),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: "Deployment" });
