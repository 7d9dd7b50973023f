import { sql } from "drizzle-orm";
import type { Run, RunSpec } from "#orchestrator/storage/run.ts";
import { type Db, runBatch } from "#platform/db/client.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import type { DeploymentState } from "#schema/deployment-states.ts";
import { deployments } from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";
import { templateVersions } from "#schema/templates.ts";

export type LoadedRun =
  /** `missing`: what it cannot do without is gone. */
  | { spec: RunSpec; missing?: "instance" | "target" }
  /** It waits no more (`state`: what became of it), or it is not there. */
  | { spec?: undefined; state: DeploymentState | undefined };

/** How many deployments the target runs at once as it is now; undefined: it is gone. */
export async function currentSize(
  db: Db,
  target: RunSpec["inputs"]["target"],
): Promise<{ maxConcurrentDeployments: number; version: number } | undefined> {
  const { maxConcurrentDeployments, version } = cloudTargets;
  const [[now]] = await runBatch(db, [
    db
      .select({ maxConcurrentDeployments, version })
      .from(cloudTargets)
      .where(
        sql`${cloudTargets.id} = ${target.id} AND ${cloudTargets.tenantId} = ${target.tenantId}`,
      ),
  ]);
  return now;
}

/** What a queued deployment froze when it was asked for. */
export async function loadRun(db: Db, run: Run): Promise<LoadedRun> {
  const mine = sql`${deployments.id} = ${run.deploymentId} AND ${deployments.tenantId} = ${run.tenantId}`;
  const frozen = (path: string) =>
    sql`(SELECT json_extract(${deployments.inputs}, ${path}) FROM ${deployments} WHERE ${mine})`;
  const [[deployment], [version], [instance], [target]] = await runBatch(db, [
    db.select().from(deployments).where(mine),
    // The version may be the platform's; that the tenant may use it was decided when it was frozen.
    db
      .select({ source: templateVersions.source })
      .from(templateVersions)
      .where(
        sql`${templateVersions.templateId} = ${frozen("$.template.templateId")}
          AND ${templateVersions.number} = ${frozen("$.template.version")}
          AND ${templateVersions.tenantId} IN (${run.tenantId}, 'platform')`,
      ),
    db
      .select({ state: instances.state })
      .from(instances)
      .where(sql`${instances.id} = ${run.instanceId} AND ${instances.tenantId} = ${run.tenantId}`),
    db
      .select({ id: cloudTargets.id })
      .from(cloudTargets)
      .where(
        sql`${cloudTargets.id} = ${frozen("$.target.id")}
          AND ${cloudTargets.tenantId} IN (${run.tenantId}, 'platform')`,
      ),
  ]);
  if (deployment?.state !== "QUEUED") return { state: deployment?.state };
  const spec: RunSpec = {
    operation: deployment.operation,
    inputs: deployment.inputs,
    source: version?.source ?? null,
    instanceState: instance?.state ?? "DESTROYED",
  };
  if (instance === undefined) return { spec, missing: "instance" };
  if (target === undefined) return { spec, missing: "target" };
  return { spec };
}
