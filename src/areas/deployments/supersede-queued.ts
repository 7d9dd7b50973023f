import { sql } from "drizzle-orm";
import { type DeploymentRow, isQueuedTriggered } from "#areas/deployment-records/public.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { notifyRunner } from "#orchestrator/client/notify-runner.ts";
import { deployments } from "#schema/deployments.ts";
import { moveDeployment } from "./move-deployment.ts";

/**
 * Writes for the commit that starts a triggered deployment: they supersede the instance's QUEUED deployments
 * that triggers requested (`queued`, read by `findQueuedTriggered`). A deploy replaces deploys, a destroy
 * replaces both; manual deployments are never superseded. Put them before the insert of the new deployment.
 * The commit throws `conflict` if one of them started, ended or was added since the read: read again and
 * repeat.
 */
export function supersedeQueued(
  call: Call,
  instance: { id: string; tenantId: string },
  operation: "deploy" | "destroy",
  queued: readonly DeploymentRow[],
): Write[] {
  return [
    ...queued.flatMap((before) => {
      const { id: deploymentId, tenantId, instanceId } = before;
      const { writes } = moveDeployment(call, before, "SUPERSEDED", {
        action: "deployment.supersede",
        event: "deployment.superseded",
      });
      return [...writes, notifyRunner({ deploymentId, tenantId, instanceId })];
    }),
    call.require(
      "conflict",
      sql`NOT EXISTS (SELECT 1 FROM ${deployments} WHERE ${deployments.tenantId} = ${instance.tenantId}
        AND ${isQueuedTriggered(instance.id, operation)})`,
    ),
  ];
}
