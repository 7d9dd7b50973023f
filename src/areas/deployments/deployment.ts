/** The moves of an existing deployment that a caller may request. Pure. */
import { ApiError } from "#kernel/errors.ts";
import type { Deployment } from "#schema/deployments.ts";
import type { InstanceStatus } from "#schema/instances.ts";
import { APPROVAL_MS } from "#schema/lists/approval-time.ts";
import { type DeploymentState, canMove, isFinal } from "#schema/lists/deployment-states.ts";

/** The state after a cancel; unchanged if one is already under way. Throws `invalid_state`. */
export function stateAfterCancel({ id, state }: Pick<Deployment, "id" | "state">): DeploymentState {
  if (state === "CANCELING") return state;
  const next = (["CANCELED", "CANCELING"] as const).find((to) => canMove(state, to));
  if (next !== undefined) return next;
  throw new ApiError(
    "invalid_state",
    isFinal(state)
      ? `The deployment is ${state}: it has ended, so there is nothing to cancel.`
      : `The deployment is ${state}: nothing runs that could be canceled. Discard its plan instead: POST /deployments/${id}/discard.`,
  );
}

/** Throws `invalid_state` for a deployment that has ended. */
export function requireOpen({ state }: Pick<Deployment, "state">): void {
  if (isFinal(state))
    throw new ApiError(
      "invalid_state",
      `The deployment is ${state}: it has ended, so there is nothing to abandon.`,
    );
}

/** The instance's state after its run was abandoned, by the state before. In every other state no run applies. */
export const statusAfterAbandon: Readonly<Partial<Record<InstanceStatus, InstanceStatus>>> = {
  PROVISIONING: "FAILED",
  UPDATING: "DEGRADED",
  DESTROYING: "DESTROY_FAILED",
};

/** Whether the plan that waits for approval has expired, although its runner has not ended the wait yet. */
export function isExpired({ timestamps }: Pick<Deployment, "timestamps">, nowMs: number): boolean {
  const sinceMs = timestamps.AWAITING_APPROVAL;
  return sinceMs !== undefined && sinceMs + APPROVAL_MS <= nowMs;
}

/** Throws `invalid_state` unless the deployment's plan waits for approval. */
export function requireWaiting(deployment: Pick<Deployment, "state">): void {
  if (deployment.state !== "AWAITING_APPROVAL") throw notWaiting(deployment);
}

/** The refusal of an approval, by the state of a deployment that does not wait for one. */
export function notWaiting({ state }: Pick<Deployment, "state">): ApiError {
  const why =
    state === "EXPIRED"
      ? "its plan was not approved within seven days."
      : "no plan of it waits for approval any more.";
  return new ApiError(
    "invalid_state",
    isFinal(state)
      ? `The deployment is ${state}: ${why} Deploy again to have a new plan.`
      : `The deployment is ${state}: its plan does not wait for approval. Read the deployment again when it is AWAITING_APPROVAL; \`actions\` says what is possible now.`,
  );
}
