import { sql } from "drizzle-orm";
import { deployments } from "#areas/deployments/tables.ts";
import { instances } from "#areas/instances/tables.ts";
import { templateVersions } from "#areas/templates/tables.ts";
import { type Db, runBatch } from "#platform/db/client.ts";
import type { Run, RunSpec } from "./runner-store.ts";

/** What a queued deployment froze when it was asked for; undefined when it is not waiting any more. */
export async function loadRun(db: Db, run: Run): Promise<RunSpec | undefined> {
  const mine = sql`${deployments.id} = ${run.deploymentId} AND ${deployments.tenantId} = ${run.tenantId}`;
  const frozen = (path: string) =>
    sql`(SELECT json_extract(${deployments.inputs}, ${path}) FROM ${deployments} WHERE ${mine})`;
  const [[deployment], [version], [instance]] = await runBatch(db, [
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
  ]);
  if (deployment?.state !== "QUEUED" || instance === undefined) return undefined;
  return {
    operation: deployment.operation,
    inputs: deployment.inputs,
    source: version?.source ?? null,
    instanceState: instance.state,
  };
}
