import type { DeploymentRow } from "#areas/deployment-records/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { notifyRunner } from "#orchestrator/client/notify-runner.ts";
import { requireWaiting } from "./deployment.ts";
import { moveDeployment } from "./move-deployment.ts";
import { getDeployment } from "./read-deployments.ts";

/** Rejects the plan that waits for approval. */
export async function discardDeployment(
  call: Call,
  id: string,
  comment: string | undefined,
): Promise<DeploymentRow> {
  const before = await getDeployment(call, id);
  requireWaiting(before);
  const { tenantId, instanceId } = before;
  const { after, writes } = moveDeployment(call, before, "DISCARDED", {
    action: "deployment.discard",
    event: "deployment.discarded",
    decision: { decision: "discarded", comment: comment || null },
  });
  return call.commit(after, [...writes, notifyRunner({ deploymentId: id, tenantId, instanceId })]);
}
