/** What callers can do with a deployment in each state. Pure. */
import { ApiError } from "#kernel/errors.ts";
import {
  type DeploymentOperation,
  type DeploymentState,
  canMove,
  isFinal,
} from "#schema/deployment-states.ts";
import type { Deployment } from "#schema/deployments.ts";

/** Whether deployments of this kind can be rolled back. */
export function canBeLeft(operation: DeploymentOperation): boolean {
  return operation === "deploy" || operation === "rollback";
}

/** The state after a cancel; unchanged if one is already under way. Throws `invalid_state`. */
export function stateAfterCancel({ state }: Pick<Deployment, "state">): DeploymentState {
  if (state === "CANCELING") return state;
  const next = (["CANCELED", "CANCELING"] as const).find((to) => canMove(state, to));
  if (next !== undefined) return next;
  throw new ApiError(
    "invalid_state",
    isFinal(state)
      ? `Cancel is not possible: the deployment is already ${state}.`
      : `Cancel is not possible: the deployment is ${state}. Discard its plan instead.`,
  );
}

/** Throws `invalid_state` unless the deployment's plan waits for approval. */
export function requireWaiting({ state }: Pick<Deployment, "state">): void {
  if (state !== "AWAITING_APPROVAL")
    throw new ApiError(
      "invalid_state",
      `The deployment is ${state}: it has no plan that waits for approval.`,
    );
}

export type Action = "approve" | "discard" | "cancel" | "rollback";

/** The actions possible now. `canGoBack`: an earlier deployment of the instance succeeded. */
export function actionsIn(
  { state, operation }: Pick<Deployment, "state" | "operation">,
  canGoBack: boolean,
): Action[] {
  if (state === "AWAITING_APPROVAL") return ["approve", "discard"];
  if (isFinal(state)) return canBeLeft(operation) && canGoBack ? ["rollback"] : [];
  const cancelable =
    state === "CANCELING" || canMove(state, "CANCELED") || canMove(state, "CANCELING");
  return cancelable ? ["cancel"] : [];
}
