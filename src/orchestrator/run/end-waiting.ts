/**
 * The end of a plan that waits for approval and will not get it any more: nobody approved it in time, or the
 * instance is not what it was. Whoever comes first decides (an approval, a discard, this), and D1 says who did.
 */
import { type SQL, sql } from "drizzle-orm";
import { deploymentEventData } from "#kernel/outbox/deployment-event.ts";
import { type DeliveryRef, event, eventStatements } from "#kernel/outbox/outbox.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { type Db, failedGuard, guard, runBatch } from "#platform/db/client.ts";
import type { DeploymentOperation, DeploymentState } from "#schema/deployment-states.ts";
import { deployments } from "#schema/deployments.ts";

export interface EndedWaiting {
  /** What the deployment is now; undefined: it is not there any more. */
  state: DeploymentState | undefined;
  deliveries: DeliveryRef[];
}

/** What D1 says of a deployment; undefined: nothing. */
export async function stateInD1(
  db: Db,
  { deploymentId, tenantId }: Pick<Run, "deploymentId" | "tenantId">,
): Promise<DeploymentState | undefined> {
  const [[row]] = await runBatch(db, [
    db.select({ state: deployments.state }).from(deployments).where(rowOf(deploymentId, tenantId)),
  ]);
  return row?.state;
}

/** Ends the wait, with its event in the same commit, unless it is over. Repeated, it writes nothing more. */
export async function endWaiting(
  db: Db,
  run: Pick<Run, "deploymentId" | "tenantId" | "instanceId">,
  operation: DeploymentOperation,
  verdict: "EXPIRED" | "SUPERSEDED",
  { id, atMs }: { id: string; atMs: number },
): Promise<EndedWaiting> {
  const { deploymentId, tenantId, instanceId } = run;
  const mine = rowOf(deploymentId, tenantId);
  const [made, deliveries] = eventStatements(
    db,
    event(
      verdict === "EXPIRED" ? "deployment.expired" : "deployment.superseded",
      {
        tenantId,
        id: deploymentId,
        sequence: sql`(SELECT ${deployments.version} FROM ${deployments} WHERE ${mine})`,
      },
      deploymentEventData(
        { id: deploymentId, instanceId, operation },
        { from: "AWAITING_APPROVAL", to: verdict },
      ),
      { id },
    ),
    { id, atMs },
  );
  try {
    const results = await runBatch(db, [
      guard(
        db,
        "not_waiting",
        sql`EXISTS (SELECT 1 FROM ${deployments} WHERE ${mine} AND ${deployments.state} = 'AWAITING_APPROVAL')`,
      ),
      db
        .update(deployments)
        .set({
          state: verdict,
          timestamps: sql`json_set(${deployments.timestamps}, ${`$.${verdict}`}, ${atMs})`,
          version: sql`${deployments.version} + 1`,
          updatedAtMs: atMs,
        })
        .where(mine),
      made,
      deliveries,
    ]);
    return { state: verdict, deliveries: results[3] as DeliveryRef[] };
  } catch (error) {
    if (failedGuard(error) === undefined) throw error;
    return { state: await stateInD1(db, run), deliveries: [] };
  }
}

function rowOf(deploymentId: string, tenantId: string): SQL {
  return sql`${deployments.id} = ${deploymentId} AND ${deployments.tenantId} = ${tenantId}`;
}
