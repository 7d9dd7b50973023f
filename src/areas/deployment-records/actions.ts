/** What callers can do with a deployment in each state. Pure. */
import { type Actor, mayIn, mayUse } from "#kernel/access/access.ts";
import type { Deployment } from "#schema/deployments.ts";
import { type DeploymentOperation, canMove, isFinal } from "#schema/lists/deployment-states.ts";
import { actionAccess } from "./contract.ts";
import { type ApprovalParts, ownPart } from "./own-part.ts";

/** Whether deployments of this kind can be rolled back. */
export function canBeLeft(operation: DeploymentOperation): boolean {
  return operation === "deploy" || operation === "rollback";
}

type Action = keyof typeof actionAccess;

/** What the caller may do now. */
export function actionsFor(
  actor: Actor,
  deployment: Pick<Deployment, "state" | "operation" | "tenantId"> & ApprovalParts,
  canGoBack: boolean,
): Action[] {
  return actionsIn(deployment, canGoBack).filter(
    (action) =>
      mayAct(actor, action, deployment.tenantId) &&
      (action !== "approve" || ownPart(actor, deployment) === undefined),
  );
}

function mayAct(actor: Actor, action: Action, tenantId: string): boolean {
  return action === "abandon"
    ? mayUse(actor, actionAccess.abandon)
    : mayIn(actor, actionAccess[action], tenantId);
}

/** The actions that the state allows. `canGoBack`: an earlier deployment of the instance succeeded. */
function actionsIn(
  { state, operation }: Pick<Deployment, "state" | "operation">,
  canGoBack: boolean,
): Action[] {
  if (state === "AWAITING_APPROVAL") return ["approve", "discard", "abandon"];
  if (isFinal(state)) return canBeLeft(operation) && canGoBack ? ["rollback"] : [];
  const cancelable =
    state === "CANCELING" || canMove(state, "CANCELED") || canMove(state, "CANCELING");
  return cancelable ? ["cancel", "abandon"] : ["abandon"];
}
