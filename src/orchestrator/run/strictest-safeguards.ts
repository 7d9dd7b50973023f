import { sql } from "drizzle-orm";
import { approvalModeOf, stricterMode } from "#kernel/access/safeguards.ts";
import { type Run, specOf } from "#orchestrator/storage/run.ts";
import { type Db, runBatch } from "#platform/db/client.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { type ApprovalMode, instances } from "#schema/instances.ts";

export interface RunSafeguards {
  approvalMode: ApprovalMode;
  protectedFromDestroy: boolean;
}

/**
 * The stricter of the safeguards that the deployment froze and those that the instance and its target have now: raising
 * one holds for what is queued or waits, lowering one only for later deployments.
 */
export async function strictestSafeguards(db: Db, run: Run): Promise<RunSafeguards> {
  const { inputs } = specOf(run);
  const frozen: RunSafeguards = {
    approvalMode: inputs.approvalMode,
    protectedFromDestroy: inputs.instance.protectedFromDestroy,
  };
  const [[instance], [target]] = await runBatch(db, [
    db
      .select({
        approvalMode: instances.approvalMode,
        protectedFromDestroy: instances.protectedFromDestroy,
      })
      .from(instances)
      .where(sql`${instances.id} = ${run.instanceId} AND ${instances.tenantId} = ${run.tenantId}`),
    db
      .select({ environment: cloudTargets.environment })
      .from(cloudTargets)
      .where(
        sql`${cloudTargets.id} = ${inputs.target.id} AND ${cloudTargets.tenantId} = ${inputs.target.tenantId}`,
      ),
  ]);
  if (instance === undefined) return frozen;
  return {
    approvalMode:
      target === undefined
        ? stricterMode(frozen.approvalMode, instance.approvalMode ?? frozen.approvalMode)
        : stricterMode(frozen.approvalMode, approvalModeOf(instance, target)),
    protectedFromDestroy: frozen.protectedFromDestroy || instance.protectedFromDestroy,
  };
}
