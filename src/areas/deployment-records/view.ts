import type * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import { pageUrl } from "#kernel/identity/page-url.ts";
import { shownActor } from "#kernel/outbox/deployment-event.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { Deployment, PlanDecision } from "#schema/deployments.ts";
import { faultOf } from "#schema/lists/deployment-faults.ts";
import { actionsFor } from "./actions.ts";
import type { DeploymentView } from "./contract.ts";
import type { DeploymentRow } from "./store.ts";

type By = z.input<typeof DeploymentView>["requestedBy"];

/** What is not known of a deployment that was just created. */
type Derived = "ahead" | "aheadId" | "waitingPosition" | "canGoBack" | "approvalMode" | "authors";
/** Read with the row; of a deployment that was just created, from its inputs. */
type Named = "instanceName" | "target";
type Shown = Omit<DeploymentRow, Derived | Named> &
  Partial<Pick<DeploymentRow, Derived>> &
  (Pick<DeploymentRow, Named> | Pick<Deployment, "inputs">);

/** A deployment as answers show it to the caller. For a new one, `blockedBy` is not known yet. */
export function deploymentView(
  row: Shown,
  { actor, env }: Pick<Call, "actor" | "env">,
): z.input<typeof DeploymentView> {
  return {
    id: row.id,
    pageUrl: pageUrl(env, "deployment", row.id),
    tenantId: tenantIdView(row.tenantId),
    instanceId: row.instanceId,
    ...namesOf(row),
    operation: row.operation,
    state: row.state,
    trigger: row.trigger,
    requestedBy: requestedBy(row),
    templateVersion: row.templateVersion,
    message: row.message,
    labels: row.labels,
    blockedBy: blockedBy(row),
    summary: row.summary,
    planHash: row.planHash,
    stateSerial: row.stateSerial,
    error: row.error && { ...row.error, fault: faultOf(row.error) },
    outputsError: row.outputsError,
    approvals: row.decisions.filter(({ decision }) => decision === "approved").map(decisionView),
    discard:
      row.decisions.filter(({ decision }) => decision === "discarded").map(decisionView)[0] ?? null,
    actions: actionsFor(actor, row, row.canGoBack === 1),
    timestamps: Object.fromEntries(
      Object.entries(row.timestamps).map(([state, ms]) => [state, timestamp(ms)]),
    ),
    createdAt: timestamp(row.createdAtMs),
    updatedAt: timestamp(row.updatedAtMs),
  };
}

function namesOf(row: Shown): Pick<DeploymentRow, Named> {
  if (!("inputs" in row)) return { instanceName: row.instanceName, target: row.target };
  const { id, name, provider, environment } = row.inputs.target;
  return { instanceName: row.inputs.instance.name, target: { id, name, provider, environment } };
}

/** Who asked, as answers show it. */
export function requestedBy(
  row: Pick<DeploymentRow, "trigger" | "requestedBy" | "requestedByName">,
): By {
  return row.trigger === "manual"
    ? shownActor(row.requestedBy, row.requestedByName)
    : { kind: "trigger", id: null, name: row.trigger };
}

function decisionView({ by, name, atMs, comment }: PlanDecision) {
  return { by: shownActor(by, name), at: timestamp(atMs), comment };
}

function blockedBy(row: Shown): z.input<typeof DeploymentView>["blockedBy"] {
  if (row.state === "AWAITING_APPROVAL") return { kind: "approval", id: row.id, position: 1 };
  if (row.state !== "QUEUED") return null;
  if (typeof row.aheadId === "string")
    return { kind: "instance_busy", id: row.aheadId, position: row.ahead ?? 1 };
  const position = row.waitingPosition ?? 0;
  return position > 0 ? { kind: "target_capacity", id: row.targetId, position } : null;
}
