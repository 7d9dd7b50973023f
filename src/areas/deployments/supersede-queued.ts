import { sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { notifyRunner } from "#orchestrator/client/notify-runner.ts";
import { deployments, activeStatesSql } from "#schema/deployments.ts";
import { moveDeployment } from "./move-deployment.ts";
import type { DeploymentRow } from "./store.ts";

/**
 * The part of a triggered start's commit that lets the new deployment stand in for those of the instance that
 * triggers asked for and that are QUEUED still (`queued`: what `findQueuedTriggered` read). A deploy stands in for
 * deploys, a destroy for both; what somebody asked for by hand is never superseded. Put it before the insert of the
 * new deployment. Where one of them began, ended or was added since it was read, the commit answers `conflict`:
 * read again and repeat.
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
      sql`NOT EXISTS (SELECT 1 FROM ${deployments} WHERE ${deployments.instanceId} = ${instance.id}
        AND ${deployments.tenantId} = ${instance.tenantId}
        AND ${deployments.state} IN ${activeStatesSql} AND ${deployments.state} = 'QUEUED'
        AND ${deployments.trigger} <> 'manual' AND ${deployments.operation} IN ('deploy', ${operation}))`,
    ),
  ];
}
