import { sql } from "drizzle-orm";
import { frozenTypes } from "#engine/frozen-types.ts";
import type { Origin } from "#orchestrator/projection/snapshot.ts";
import type { Run, RunSpec } from "#orchestrator/storage/run.ts";
import { type Db, runBatch } from "#platform/db/client.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { type Deployment, deployments } from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";
import { templateVersions } from "#schema/templates.ts";
import type { StandingInD1 } from "./end-waiting.ts";

export type LoadedRun =
  /** `missing`: the run cannot start, because the instance or the target no longer exists. */
  | { spec: RunSpec; missing?: "instance" | "target" }
  /** The deployment is no longer QUEUED, or does not exist. */
  | { spec?: undefined; standing: StandingInD1 | undefined };

/** The target's current capacity and version; undefined: it no longer exists. */
export async function currentCapacity(
  db: Db,
  target: RunSpec["inputs"]["target"],
): Promise<{ maxConcurrentDeployments: number; version: number } | undefined> {
  const { maxConcurrentDeployments, version } = cloudTargets;
  const [[current]] = await runBatch(db, [
    db
      .select({ maxConcurrentDeployments, version })
      .from(cloudTargets)
      .where(
        sql`${cloudTargets.id} = ${target.id} AND ${cloudTargets.tenantId} = ${target.tenantId}`,
      ),
  ]);
  return current;
}

/** Loads the inputs that a queued deployment froze when it was created. */
export async function loadRun(db: Db, run: Run): Promise<LoadedRun> {
  const thisRow = sql`${deployments.id} = ${run.deploymentId} AND ${deployments.tenantId} = ${run.tenantId}`;
  const frozen = (path: string) =>
    sql`(SELECT json_extract(${deployments.inputs}, ${path}) FROM ${deployments} WHERE ${thisRow})`;
  const [[deployment], [version], [instance], [target]] = await runBatch(db, [
    db.select().from(deployments).where(thisRow),
    // The version may be the platform's. Its use by the tenant was checked when the inputs were frozen.
    db
      .select({ source: templateVersions.source, resources: templateVersions.resources })
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
  if (deployment?.state !== "QUEUED") return { standing: deployment };
  const spec: RunSpec = {
    operation: deployment.operation,
    inputs: deployment.inputs,
    requested: requestOf(deployment),
    source: version?.source ?? null,
    types: frozenTypes(version?.resources ?? []),
    instanceState: instance?.state ?? "DESTROYED",
  };
  if (instance === undefined) return { spec, missing: "instance" };
  if (target === undefined) return { spec, missing: "target" };
  return { spec };
}

function requestOf({
  operation,
  trigger,
  requestedBy,
  requestedByPerson,
  requestedByName,
  message,
  labels,
  createdAtMs,
}: Deployment): Omit<Origin, "inputs"> {
  return {
    operation,
    trigger,
    requestedBy,
    requestedByPerson,
    requestedByName,
    message,
    labels,
    createdAtMs,
  };
}
