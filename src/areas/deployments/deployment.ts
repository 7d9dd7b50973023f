/** The states of a deployment: what may follow what, and what a caller may do in each. Pure. */
import { ApiError } from "#kernel/errors.ts";
import {
  type DeploymentOperation,
  type DeploymentState,
  canMove,
  isFinal,
} from "#schema/deployment-states.ts";
import type { Deployment } from "#schema/deployments.ts";

/** Whether there is a state before it to go back to. */
export function canBeLeft(operation: DeploymentOperation): boolean {
  return operation === "deploy" || operation === "rollback";
}

/** The state that a cancel leads to; the same one when it is under way already. Throws the conflict. */
export function stateAfterCancel({ state }: Pick<Deployment, "state">): DeploymentState {
  if (state === "CANCELING") return state;
  const next = (["CANCELED", "CANCELING"] as const).find((to) => canMove(state, to));
  if (next !== undefined) return next;
  throw new ApiError(
    "invalid_state",
    isFinal(state)
      ? `The deployment is ${state} and cannot be canceled any more.`
      : `A deployment that is ${state} cannot be canceled.`,
  );
}

/** Throws the conflict unless the deployment's plan waits for approval. */
export function requireWaiting({ state }: Pick<Deployment, "state">): void {
  if (state !== "AWAITING_APPROVAL")
    throw new ApiError(
      "invalid_state",
      `The deployment is ${state}: no plan of it waits for approval.`,
    );
}

export type Action = "approve" | "discard" | "cancel" | "rollback";

/** What may be done with a deployment now. `canGoBack`: one before it left its instance good. */
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
