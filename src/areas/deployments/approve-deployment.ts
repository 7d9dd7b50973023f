import { sql } from "drizzle-orm";
import { instances } from "#areas/instances/tables.ts";
import { ringVerdict } from "#orchestrator/public.ts";
import type { Call } from "#platform/call.ts";
import { ApiError, notFound } from "#platform/errors.ts";
import { demandWaiting } from "./deployment.ts";
import { moveDeployment } from "./move-deployment.ts";
import { type DeploymentRow, findApproval, findDeployment } from "./store.ts";

/**
 * Lets the plan that was made be carried out, if it still is the plan: the instance's state must be the one it
 * was made of, when this is decided and when it is committed.
 */
export async function approveDeployment(call: Call, id: string): Promise<DeploymentRow> {
  const [[before], [approval]] = await call.read(findDeployment(call, id), findApproval(call, id));
  if (before === undefined || approval === undefined) throw notFound("deployment");
  demandWaiting(before);
  const { actor } = call;
  if (approval.mode === "always" && before.requestedBy === `${actor.kind}:${actor.name}`)
    throw new ApiError("forbidden", "Somebody else has to approve what you asked for.");
  const { tenantId, instanceId } = before;
  const message = { deploymentId: id, tenantId, instanceId };
  if (approval.serialNow !== before.stateSerial) {
    const { after, writes } = moveDeployment(call, before, "SUPERSEDED", {
      action: "deployment.supersede",
      event: "deployment.superseded",
    });
    await call.commit(after, [...writes, ringVerdict(message, "discard")]);
    throw new ApiError(
      "stale_plan",
      "The instance changed after the plan was made; the deployment is superseded. Deploy again.",
    );
  }
  const { after, writes } = moveDeployment(call, before, "APPLYING", {
    action: "deployment.approve",
    event: "deployment.approved",
  });
  return call.commit(after, [
    call.require(
      "conflict",
      sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.id} = ${instanceId}
        AND ${instances.tenantId} = ${tenantId} AND ${instances.stateSerial} = ${before.stateSerial})`,
    ),
    ...writes,
    ringVerdict(message, "approve"),
  ]);
}
