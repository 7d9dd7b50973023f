/**
 * The states of a deployment and the moves between them: the one table that the runner, the projection, the
 * endpoints and the document go by.
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

/** What may follow each state: a state without a row does not compile, a move that is not listed is a conflict. */
const moves: Readonly<Record<DeploymentState, readonly DeploymentState[]>> = {
  QUEUED: ["PLANNING", "CANCELED", "SUPERSEDED"],
  PLANNING: ["AWAITING_APPROVAL", "APPLYING", "SUCCEEDED", "NO_CHANGES", "FAILED", "CANCELING"],
  AWAITING_APPROVAL: ["APPLYING", "DISCARDED", "EXPIRED", "SUPERSEDED"],
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

/** Nothing follows: the deployment has ended. */
export function isFinal(state: DeploymentState): boolean {
  return moves[state].length === 0;
}

/** The deployment has not ended: its runner works on it, or it waits for approval. */
export const openStates = deploymentStates.filter((state) => !isFinal(state));

/** The runner has something to do for the deployment now; a plan that waits for approval is open and not active. */
export const activeStates = openStates.filter((state) => state !== "AWAITING_APPROVAL");
