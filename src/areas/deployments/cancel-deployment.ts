import type { DeploymentRow } from "#areas/deployment-records/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { notifyCancel } from "#orchestrator/client/notify-runner.ts";
import { stateAfterCancel } from "./deployment.ts";
import { moveDeployment } from "./move-deployment.ts";
import { getDeployment } from "./read-deployments.ts";

/** Requests that the deployment stops. Repeating it while the deployment is CANCELING changes nothing. */
export async function cancelDeployment(call: Call, id: string): Promise<DeploymentRow> {
  const before = await getDeployment(call, id);
  const state = stateAfterCancel(before);
  const { tenantId, instanceId } = before;
  const notification = notifyCancel({ deploymentId: id, tenantId, instanceId });
  if (state === before.state) return call.commitUnaudited(before, [notification]);
  const { after, writes } = moveDeployment(call, before, state, {
    action: "deployment.cancel",
    event: state === "CANCELED" ? "deployment.canceled" : "deployment.canceling",
  });
  return call.commit(after, [...writes, notification]);
}
