import { sql } from "drizzle-orm";
import { approvalModeOf, stricterMode } from "#kernel/access/safeguards.ts";
import { type Run, specOf, type TargetLimits } from "#orchestrator/storage/run.ts";
import { type Db, runBatch } from "#platform/db/client.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { type ApprovalMode, instances } from "#schema/instances.ts";

export interface RunSafeguards {
  approvalMode: ApprovalMode;
  protectedFromDestroy: boolean;
  /** Undefined: the target no longer exists. */
  limits: TargetLimits | undefined;
}

/**
 * The stricter of the deployment's frozen safeguards and the present ones of its instance and target, with the target's
 * present limits. A raised safeguard holds for queued and waiting deployments too, a lowered one only for later ones.
 */
export async function strictestSafeguards(db: Db, run: Run): Promise<RunSafeguards> {
  const { inputs } = specOf(run);
  const [[instance], [target]] = await runBatch(db, [
    db
      .select({
        approvalMode: instances.approvalMode,
        protectedFromDestroy: instances.protectedFromDestroy,
      })
      .from(instances)
      .where(sql`${instances.id} = ${run.instanceId} AND ${instances.tenantId} = ${run.tenantId}`),
    db
      .select({
        environment: cloudTargets.environment,
        allowedRegions: cloudTargets.allowedRegions,
        config: cloudTargets.config,
      })
      .from(cloudTargets)
      .where(
        sql`${cloudTargets.id} = ${inputs.target.id} AND ${cloudTargets.tenantId} = ${inputs.target.tenantId}`,
      ),
  ]);
  return stricter(inputs, instance, target);
}

type Frozen = Pick<ReturnType<typeof specOf>["inputs"], "approvalMode" | "instance">;
type Instance = Pick<typeof instances.$inferSelect, "approvalMode" | "protectedFromDestroy">;
type Target = Pick<typeof cloudTargets.$inferSelect, "environment" | "allowedRegions" | "config">;

/** The rule of `strictestSafeguards`. An instance or target that no longer exists adds nothing. Pure. */
export function stricter(
  frozen: Frozen,
  instance: Instance | undefined,
  target: Target | undefined,
): RunSafeguards {
  const { protectedFromDestroy } = frozen.instance;
  const own = instance?.approvalMode ?? frozen.approvalMode;
  const now =
    instance === undefined || target === undefined ? own : approvalModeOf(instance, target);
  return {
    approvalMode: stricterMode(frozen.approvalMode, now),
    protectedFromDestroy: protectedFromDestroy || instance?.protectedFromDestroy === true,
    limits: target && { allowedRegions: target.allowedRegions, config: target.config },
  };
}
