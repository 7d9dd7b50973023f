/** A deployment in words. Pure. */
import type * as z from "zod";
import type { DeploymentView } from "#areas/deployments/contract.ts";
import type { DeploymentOperation, DeploymentState } from "#schema/lists/deployment-states.ts";

export type Deployment = z.output<typeof DeploymentView>;

const operations: Readonly<Record<DeploymentOperation, string>> = {
  deploy: "Deploy",
  destroy: "Destroy",
  plan: "Plan",
  drift_check: "Drift check",
  rollback: "Rollback",
};

const states: Readonly<Record<DeploymentState, string>> = {
  QUEUED: "waits to start",
  PLANNING: "is being planned",
  AWAITING_APPROVAL: "waits for approval",
  APPLYING: "is being applied",
  CANCELING: "is being canceled",
  SUCCEEDED: "succeeded",
  NO_CHANGES: "found nothing to change",
  FAILED: "failed",
  CANCELED: "was canceled",
  DISCARDED: "was discarded",
  EXPIRED: "expired: nobody approved its plan in time",
  SUPERSEDED: "was superseded by another deployment",
};

export function operationWord(operation: DeploymentOperation): string {
  return operations[operation];
}

/** What it is and where it stands: `Deploy of shop waits for a slot of its target: number 2 in the queue.` */
export function headline(deployment: Deployment, instance: string): string {
  return `${operations[deployment.operation]} of ${instance} ${standing(deployment)}.`;
}

function standing({ state, blockedBy }: Deployment): string {
  if (blockedBy === null || blockedBy.kind === "approval") return states[state];
  const place = `number ${blockedBy.position} in the queue`;
  return blockedBy.kind === "instance_busy"
    ? `waits for another deployment of the instance: ${place}`
    : `waits for a slot of its target: ${place}`;
}

/** `Ana`, `a trigger (schedule)`. */
export function requester({ requestedBy, trigger }: Deployment): string {
  const { kind, name } = requestedBy;
  if (kind === "trigger") return `a trigger (${(name ?? trigger).replaceAll("_", " ")})`;
  if (kind === "operator") return "an operator";
  return name ?? (kind === "key" ? "an API key" : "somebody without a name");
}

/** `2 to create, 1 to delete`; undefined: there is no plan yet, or it changes nothing. */
export function summaryWords({ summary }: Deployment): string | undefined {
  if (summary === null) return undefined;
  const parts = (["create", "update", "replace", "delete"] as const)
    .filter((action) => summary[action] > 0)
    .map((action) => `${summary[action]} to ${action}`);
  return parts.length === 0 ? undefined : parts.join(", ");
}
