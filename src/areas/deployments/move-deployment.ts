import { sql } from "drizzle-orm";
import { audit } from "#platform/audit.ts";
import type { Call, Write } from "#platform/call.ts";
import { event, type EventType } from "#platform/outbox.ts";
import type { DeploymentRow } from "./store.ts";
import { type DeploymentState, deployments } from "./tables.ts";

/** A deployment moved to another state by a caller: the row as it will be, and the writes that make it so. */
export function moveDeployment(
  call: Call,
  before: DeploymentRow,
  state: DeploymentState,
  as: { action: string; event: EventType },
): { after: DeploymentRow; writes: Write[] } {
  const { id, tenantId, instanceId, operation } = before;
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
  const { gateTicket, timestamps, version, updatedAtMs } = after;
  const resource = { tenantId, type: "deployment", id };
  return {
    after,
    writes: [
      call.requireVersion(deployments, before),
      call.db
        .update(deployments)
        .set({ state, gateTicket, timestamps, version, updatedAtMs })
        .where(sql`${deployments.id} = ${id} AND ${call.mine(deployments.tenantId)}`),
      audit(as.action, resource, { before, after }),
      event(
        as.event,
        { ...resource, sequence: version },
        {
          operation,
          previousState: before.state,
          state,
          instanceId,
          deploymentUrl: `/api/v1/deployments/${id}`,
          instanceUrl: `/api/v1/instances/${instanceId}`,
        },
      ),
    ],
  };
}
