import type { JsonMap } from "#platform/json.ts";
import type { PlanDecision } from "#schema/deployments.ts";
import type { DeploymentOperation, DeploymentState } from "#schema/lists/deployment-states.ts";

/** The links to a deployment and its instance; members of every event about either. */
export function deploymentLinks(deploymentId: string, instanceId: string): JsonMap {
  return {
    deploymentUrl: `/api/v1/deployments/${deploymentId}`,
    instanceUrl: `/api/v1/instances/${instanceId}`,
  };
}

/** The payload of a deployment event, the same from the runner, a request or an expiry. */
export function deploymentEventData(
  deployment: { id: string; instanceId: string; operation: DeploymentOperation },
  move: { from?: DeploymentState; to: DeploymentState },
  more: JsonMap = {},
): JsonMap {
  const { id, instanceId, operation } = deployment;
  return {
    operation,
    ...(move.from === undefined ? {} : { previousState: move.from }),
    state: move.to,
    ...more,
    instanceId,
    ...deploymentLinks(id, instanceId),
  };
}

/** Somebody who acted on a deployment, as events and answers show them. */
export interface ShownActor {
  kind: "member" | "key" | "operator";
  id: string | null;
  name: string | null;
}

/** Operators are not told apart: they are people of no tenant. `actor`: its kind and name, joined by a colon. */
export function shownActor(actor: string, name: string | null): ShownActor {
  const [kind, id = null] = actor.split(":");
  return kind === "key" || kind === "member"
    ? { kind, id, name }
    : { kind: "operator", id: null, name: "operator" };
}

/** What the event of a decision says of it. Its time is the event's. */
export function decisionData({ by, name, comment }: PlanDecision): JsonMap {
  return { by: { ...shownActor(by, name) }, ...(comment === null ? {} : { comment }) };
}
