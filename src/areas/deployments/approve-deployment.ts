import { sql } from "drizzle-orm";
import { type Actor, personOf } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { notifyRunner } from "#orchestrator/client/notify-runner.ts";
import { instances } from "#schema/instances.ts";
import { requireWaiting } from "./deployment.ts";
import { moveDeployment } from "./move-deployment.ts";
import { type DeploymentRow, findApproval, findDeployment } from "./store.ts";

/**
 * Lets the plan that was made be carried out, if it still is the plan: the instance's state must be the one it
 * was made of, when this is decided and when it is committed.
 */
export async function approveDeployment(call: Call, id: string): Promise<DeploymentRow> {
  const [before, approval] = await call.read(
    one(findDeployment(call, id), "deployment"),
    one(findApproval(call, id), "deployment"),
  );
  const stale = new ApiError(
    "stale_plan",
    "The instance changed after the plan was made; the deployment is superseded. Deploy again.",
  );
  if (before.state === "SUPERSEDED" && before.planHash !== null) throw stale;
  requireWaiting(before);
  const { actor } = call;
  if (approval.mode === "always" && askedFor(actor, before))
    throw new ApiError("forbidden", "Somebody else has to approve what you asked for.");
  const { tenantId, instanceId } = before;
  const message = { deploymentId: id, tenantId, instanceId };
  if (approval.serialNow !== before.stateSerial) {
    const { after, writes } = moveDeployment(call, before, "SUPERSEDED", {
      action: "deployment.supersede",
      event: "deployment.superseded",
    });
    await call.commit(after, [...writes, notifyRunner(message)]);
    throw stale;
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
    notifyRunner(message),
  ]);
}

/** The same credential, or the same person with another one. What a trigger started nobody asked for. */
function askedFor(
  actor: Actor,
  { trigger, requestedBy, requestedByPerson }: DeploymentRow,
): boolean {
  if (trigger !== "manual") return false;
  const person = personOf(actor);
  return (
    requestedBy === `${actor.kind}:${actor.name}` ||
    (person !== undefined && person === requestedByPerson)
  );
}
