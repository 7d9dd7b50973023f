/**
 * The states of a deployment and the transitions between them, used by the runner, the projection, the endpoints and
 * the API document.
 */
export const deploymentOperations = [
  "deploy",
  "destroy",
  "plan",
  "drift_check",
  "rollback",
] as const;

export type DeploymentOperation = (typeof deploymentOperations)[number];

export const deploymentStates = [
  "QUEUED",
  "PLANNING",
  "AWAITING_APPROVAL",
  "APPLYING",
  "CANCELING",
  "SUCCEEDED",
  "NO_CHANGES",
  "FAILED",
  "CANCELED",
  "DISCARDED",
  "EXPIRED",
  "SUPERSEDED",
] as const;

export type DeploymentState = (typeof deploymentStates)[number];

/** Allowed transitions. Every state needs a row to compile; a transition that is not listed is a conflict. */
const moves: Readonly<Record<DeploymentState, readonly DeploymentState[]>> = {
  QUEUED: ["PLANNING", "FAILED", "CANCELED", "SUPERSEDED"],
  PLANNING: ["AWAITING_APPROVAL", "APPLYING", "SUCCEEDED", "NO_CHANGES", "FAILED", "CANCELING"],
  AWAITING_APPROVAL: ["APPLYING", "FAILED", "DISCARDED", "EXPIRED", "SUPERSEDED"],
  APPLYING: ["SUCCEEDED", "FAILED", "CANCELING"],
  CANCELING: ["CANCELED", "SUCCEEDED", "NO_CHANGES", "FAILED"],
  SUCCEEDED: [],
  NO_CHANGES: [],
  FAILED: [],
  CANCELED: [],
  DISCARDED: [],
  EXPIRED: [],
  SUPERSEDED: [],
};

export function canMove(from: DeploymentState, to: DeploymentState): boolean {
  return moves[from].includes(to);
}

/** True when the deployment has ended. */
export function isFinal(state: DeploymentState): boolean {
  return moves[state].length === 0;
}

/** States of deployments that have not ended: running or waiting for approval. */
export const openStates = deploymentStates.filter((state) => !isFinal(state));

/** States in which the runner has work to do; a plan that waits for approval is open but not active. */
export const activeStates = openStates.filter((state) => state !== "AWAITING_APPROVAL");

/** Whether the runner has work to do. */
export function isActive(state: DeploymentState): boolean {
  return state !== "AWAITING_APPROVAL" && !isFinal(state);
}
