import { sql } from "drizzle-orm";
import {
  approvesOwn,
  type DeploymentRow,
  findDeployment,
  ownPart,
} from "#areas/deployment-records/public.ts";
import { breaksProtection } from "#kernel/access/safeguards.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { notifyRunner } from "#orchestrator/client/notify-runner.ts";
import { instances } from "#schema/instances.ts";
import { isExpired, notWaiting, requireWaiting } from "./deployment.ts";
import { moveDeployment } from "./move-deployment.ts";
import { findApproval } from "./store.ts";

/**
 * Approves a plan if it is still current: the instance must have the state serial that the plan was made from, and its
 * protection and approval mode must allow the plan. Both are checked at the decision and again in the commit.
 */
export async function approveDeployment(
  call: Call,
  id: string,
  comment: string | undefined,
): Promise<DeploymentRow> {
  const [before, approval] = await call.read(
    one(findDeployment(call, id), "deployment"),
    one(findApproval(call, id), "deployment"),
  );
  const stale = new ApiError(
    "stale_plan",
    "The instance has changed since the plan was made, so the deployment is SUPERSEDED. Deploy again.",
  );
  if (before.state === "SUPERSEDED" && before.planHash !== null) throw stale;
  requireWaiting(before);
  const { tenantId, instanceId } = before;
  const message = { deploymentId: id, tenantId, instanceId };
  // The commit guards the row's version, and with it the start of the wait.
  if (isExpired(before, call.now)) {
    const { after, writes } = moveDeployment(call, before, "EXPIRED", {
      action: "deployment.expire",
      event: "deployment.expired",
    });
    return call.commitAndThrow(notWaiting(after), [...writes, notifyRunner(message)]);
  }
  const part = ownPart(call.actor, before);
  if (part !== undefined) throw approvesOwn(part);
  if (approval.serialNow !== before.stateSerial) {
    const { writes } = moveDeployment(call, before, "SUPERSEDED", {
      action: "deployment.supersede",
      event: "deployment.superseded",
    });
    return call.commitAndThrow(stale, [...writes, notifyRunner(message)]);
  }
  if (approval.protectedNow === 1 && breaksProtection(before.operation, before.summary))
    throw new ApiError(
      "resource_protected",
      `The instance is protected from destroy, and the plan deletes or replaces resources. Discard it: POST /deployments/${id}/discard. Or set the instance's \`protectedFromDestroy\` to false, then approve.`,
    );
  const { after, writes } = moveDeployment(call, before, "APPLYING", {
    action: "deployment.approve",
    event: "deployment.approved",
    decision: { decision: "approved", comment: comment || null },
  });
  return call.commit(after, [
    call.require(
      "conflict",
      sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.id} = ${instanceId}
        AND ${instances.tenantId} = ${tenantId} AND ${instances.stateSerial} = ${before.stateSerial}
        AND ${instances.protectedFromDestroy} = ${approval.protectedNow}
        AND ${instances.approvalMode} IS ${approval.modeNow})`,
    ),
    ...writes,
    notifyRunner(message),
  ]);
}
