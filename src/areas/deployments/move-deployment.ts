import { sql } from "drizzle-orm";
import type { DeploymentRow } from "#areas/deployment-records/public.ts";
import { actorText, displayNameOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { decisionData, deploymentEventData } from "#kernel/outbox/deployment-event.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { type DeploymentError, deployments, type PlanDecision } from "#schema/deployments.ts";
import { type DeploymentState, isFinal } from "#schema/lists/deployment-states.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";

/**
 * Moves a deployment to another state on a caller's request. Returns the row after the move, and the writes. `error`:
 * the reason of a failure. `decision`: that of the caller on the plan.
 */
export function moveDeployment(
  call: Call,
  before: DeploymentRow,
  state: DeploymentState,
  as: {
    action: string;
    event: EventType;
    error?: DeploymentError;
    decision?: Pick<PlanDecision, "decision" | "comment">;
  },
): { after: DeploymentRow; writes: Write[] } {
  const { id, tenantId } = before;
  const decision = as.decision === undefined ? undefined : decided(call, as.decision);
  const after: DeploymentRow = {
    ...before,
    state,
    gateTicket: null,
    awaitsRunner: isFinal(state),
    error: as.error ?? before.error,
    decisions: decision === undefined ? before.decisions : [...before.decisions, decision],
    ahead: 0,
    aheadId: null,
    waitingPosition: 0,
    timestamps: { ...before.timestamps, [state]: call.now },
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const { gateTicket, awaitsRunner, error, decisions, timestamps, version, updatedAtMs } = after;
  const resource = { tenantId, type: "deployment", id };
  return {
    after,
    writes: [
      call.requireVersion(deployments, before),
      call.write(
        tenantId,
        call.db
          .update(deployments)
          .set({
            state,
            gateTicket,
            awaitsRunner,
            error,
            timestamps,
            version,
            updatedAtMs,
            ...(decision === undefined ? {} : { decisions }),
          })
          .where(sql`${deployments.id} = ${id} AND ${call.inScope(deployments.tenantId)}`),
      ),
      audit(as.action, resource, { before, after }),
      event(
        as.event,
        { ...resource, sequence: version },
        deploymentEventData(
          before,
          { from: before.state, to: state },
          {
            ...(as.error === undefined ? {} : { error: { ...as.error } }),
            ...(decision === undefined ? {} : decisionData(decision)),
          },
        ),
      ),
    ],
  };
}

function decided(call: Call, decision: Pick<PlanDecision, "decision" | "comment">): PlanDecision {
  return {
    ...decision,
    by: actorText(call.actor),
    name: displayNameOf(call.actor),
    atMs: call.now,
  };
}
