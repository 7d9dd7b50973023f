import { sql } from "drizzle-orm";
import { audit } from "#platform/audit.ts";
import type { Call } from "#platform/call.ts";
import { event } from "#platform/outbox.ts";
import { ringCancel } from "#orchestrator/public.ts";
import { stateAfterCancel } from "./deployment.ts";
import { getDeployment } from "./read-deployments.ts";
import type { DeploymentRow } from "./store.ts";
import { deployments } from "./tables.ts";

/** Asks a deployment to stop. Asking again while it stops changes nothing. */
export async function cancelDeployment(call: Call, id: string): Promise<DeploymentRow> {
  const before = await getDeployment(call, id);
  const state = stateAfterCancel(before);
  const bell = ringCancel({
    deploymentId: id,
    tenantId: before.tenantId,
    instanceId: before.instanceId,
  });
  if (state === before.state) return call.commit(before, [bell]);
  const after: DeploymentRow = {
    ...before,
    state,
    gateTicket: null,
    ahead: 0,
    aheadId: null,
    waitingPosition: 0,
    timestamps: { ...before.timestamps, [state]: call.now },
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: before.tenantId, type: "deployment", id };
  return call.commit(after, [
    call.requireVersion(deployments, before),
    call.db
      .update(deployments)
      .set({
        state,
        gateTicket: null,
        timestamps: after.timestamps,
        version: after.version,
        updatedAtMs: call.now,
      })
      .where(sql`${deployments.id} = ${id} AND ${call.mine(deployments.tenantId)}`),
    audit("deployment.cancel", resource, { before, after }),
    event(
      state === "CANCELED" ? "deployment.canceled" : "deployment.canceling",
      { ...resource, sequence: after.version },
      {
        operation: before.operation,
        previousState: before.state,
        state,
        instanceId: before.instanceId,
        deploymentUrl: `/api/v1/deployments/${id}`,
        instanceUrl: `/api/v1/instances/${before.instanceId}`,
      },
    ),
    bell,
  ]);
}
