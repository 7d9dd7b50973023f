import type { JsonMap } from "#platform/json.ts";
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
