/** What callers can do with a deployment in each state. Pure. */
import { type Actor, mayIn, mayUse, personOf } from "#kernel/access/access.ts";
import { ApiError } from "#kernel/errors.ts";
import { type Content, OTHERS } from "#schema/authors.ts";
import type { Deployment, DeploymentInputs } from "#schema/deployments.ts";
import type { InstanceStatus } from "#schema/instances.ts";
import { APPROVAL_MS } from "#schema/lists/approval-time.ts";
import {
  type DeploymentOperation,
  type DeploymentState,
  canMove,
  isFinal,
} from "#schema/lists/deployment-states.ts";
import { actionAccess } from "./contract.ts";

/** Whether deployments of this kind can be rolled back. */
export function canBeLeft(operation: DeploymentOperation): boolean {
  return operation === "deploy" || operation === "rollback";
}

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

/** The instance's state after the run that it names was abandoned. Others are not those of a run that applies. */
export const statusAfterAbandon: Readonly<Partial<Record<InstanceStatus, InstanceStatus>>> = {
  PROVISIONING: "FAILED",
  UPDATING: "DEGRADED",
  DESTROYING: "DESTROY_FAILED",
};

/** Whether the plan that waits for approval has expired. Its runner ends the wait; until then this refuses it. */
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

type ApprovalParts = Pick<Deployment, "requestedBy" | "requestedByPerson"> & {
  /** The stricter of the approval mode that the deployment started with and that of the instance. */
  approvalMode?: string | null;
  /** Who wrote what it takes; null: it was requested before this was kept. */
  authors?: DeploymentInputs["authors"] | null;
};

/** Why a caller is not the other person whom `always` asks for. `others`: who wrote the rest is not known. */
type OwnPart = "requester" | Content | "others";

/**
 * What makes another person approve: the mode is `always`, and the caller requested the deployment, with this credential
 * or another one of the same person, set up the trigger that did, or wrote what it takes. Undefined: the caller may.
 */
export function ownPart(
  actor: Actor,
  { requestedBy, requestedByPerson, approvalMode, authors }: ApprovalParts,
): OwnPart | undefined {
  if (approvalMode !== "always") return undefined;
  const person = personOf(actor);
  const isRequester =
    requestedBy === `${actor.kind}:${actor.name}` ||
    (person !== undefined && person === requestedByPerson);
  if (isRequester) return "requester";
  const wrote = person === undefined ? undefined : ofPerson(authors, person);
  if (wrote !== undefined) return wrote;
  const isKnown = ofPerson(authors, OTHERS) === undefined;
  return isKnown || actor.kind === "operator" ? undefined : "others";
}

function ofPerson(authors: ApprovalParts["authors"], person: string): Content | undefined {
  return authors && Object.hasOwn(authors, person) ? authors[person] : undefined;
}

const since = "since the last deployment that succeeded";

const didWhat: Readonly<Record<OwnPart, string>> = {
  requester: "You requested this deployment, or set up the trigger that did",
  version: "You wrote or installed the template version of this deployment",
  instance: `You made the instance, or changed it ${since}`,
  profile: `You set variables of the instance's profile ${since}`,
  target: `You changed the instance's target ${since}`,
  others: "More people have written what this deployment takes than are kept",
};

/** The refusal of an approval of one's own. */
export function approvesOwn(part: OwnPart): ApiError {
  const who = part === "others" ? "an operator" : "another person";
  return new ApiError(
    "forbidden",
    `${didWhat[part]}, and its approval mode is \`always\`: ${who} must approve it.`,
  );
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
