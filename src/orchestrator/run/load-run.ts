import { sql } from "drizzle-orm";
import { frozenTypes } from "#engine/frozen-types.ts";
import type { Origin } from "#orchestrator/projection/snapshot.ts";
import type { Run, RunSpec } from "#orchestrator/storage/run.ts";
import { type Db, runBatch } from "#platform/db/client.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { type Deployment, deployments } from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";
import { pinnedSource, type PinnedRow, pinnedSources } from "#schema/pinned-sources.ts";
import { type PinnedComponents, templateVersions } from "#schema/templates.ts";
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
  const number = frozen("$.template.version");
  const [[deployment], [version], components, [instance], [target]] = await runBatch(db, [
    db.select().from(deployments).where(thisRow),
    // The version may be the platform's. Its use by the tenant was checked when the inputs were frozen.
    db
      .select({
        source: templateVersions.source,
        resources: templateVersions.resources,
        components: templateVersions.components,
      })
      .from(templateVersions)
      .where(
        sql`${templateVersions.templateId} = ${frozen("$.template.templateId")}
          AND ${templateVersions.number} = ${number}
          AND ${templateVersions.tenantId} IN (${run.tenantId}, 'platform')`,
      ),
    db.all<PinnedRow>(
      pinnedSources(
        sql`p.template_id = ${frozen("$.template.templateId")} AND p.number = ${number}
          AND p.tenant_id IN (${run.tenantId}, 'platform')`,
      ),
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
    ...(version === undefined ? {} : componentsOf(version.components, components)),
    instanceState: instance?.state ?? "DESTROYED",
  };
  if (instance === undefined) return { spec, missing: "instance" };
  if (target === undefined) return { spec, missing: "target" };
  return { spec };
}

/** A component that is no longer there is left out: the run then ends with the place of its use. */
function componentsOf(
  { uses }: PinnedComponents,
  rows: readonly PinnedRow[],
): Pick<RunSpec, "components"> {
  const direct = Object.entries(uses);
  if (direct.length === 0) return {};
  const versions = rows.map(pinnedSource).map(({ key, name, release, source, resources, pins }) => {
    const types = frozenTypes(resources);
    return [key, { label: `${name} ${release}`, source, types, pins }] as const;
  });
  return {
    components: {
      pins: Object.fromEntries(
        direct.map(([use, pin]) => [use, `${pin.templateId}@${pin.number}`]),
      ),
      versions: Object.fromEntries(versions),
    },
  };
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
