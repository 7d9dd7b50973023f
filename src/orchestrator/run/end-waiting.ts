/**
 * Ends the wait of a plan that can no longer be approved: it expired, or the instance changed. The first commit in D1
 * wins: an approval, a discard or this end.
 */
import { type SQL, sql } from "drizzle-orm";
import { deploymentEventData } from "#kernel/outbox/deployment-event.ts";
import { type DeliveryRef, event, eventStatements } from "#kernel/outbox/outbox.ts";
import type { SnapshotEvent } from "#orchestrator/projection/snapshot.ts";
import type { ProjectionParts } from "#orchestrator/projection/write-snapshot.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { type Db, failedGuard, guard, runBatch } from "#platform/db/client.ts";
import { type Deployment, deployments } from "#schema/deployments.ts";
import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";

/**
 * The deployment's state in D1. `error`: the reason of its failure, also that of an operator who abandoned it.
 * `decisions`: those of people on its plan; absent: not asked for.
 */
export type StandingInD1 = Pick<Deployment, "state" | "error"> &
  Partial<Pick<Deployment, "decisions">>;

export interface EndedWaiting {
  /** The deployment's present state; undefined: it no longer exists. */
  standing: StandingInD1 | undefined;
  deliveries: DeliveryRef[];
  /** The row's new version and the event that this call wrote; absent: the wait had ended already. */
  written?: { version: number; event: SnapshotEvent };
}

/** Undefined: the deployment does not exist. */
export async function standingInD1(
  db: Db,
  { deploymentId, tenantId }: Pick<Run, "deploymentId" | "tenantId">,
): Promise<StandingInD1 | undefined> {
  const [[row]] = await runBatch(db, [
    db
      .select({
        state: deployments.state,
        error: deployments.error,
        decisions: deployments.decisions,
      })
      .from(deployments)
      .where(rowOf(deploymentId, tenantId)),
  ]);
  return row;
}

/** Ends the wait and writes its event, in one commit, unless the wait has ended already. Safe to repeat. */
export async function endWaiting(
  { db, env }: ProjectionParts,
  run: Pick<Run, "deploymentId" | "tenantId" | "instanceId">,
  operation: DeploymentOperation,
  endState: "EXPIRED" | "SUPERSEDED",
  { id, atMs }: { id: string; atMs: number },
): Promise<EndedWaiting> {
  const { deploymentId, tenantId, instanceId } = run;
  const thisRow = rowOf(deploymentId, tenantId);
  const type = endState === "EXPIRED" ? "deployment.expired" : "deployment.superseded";
  const data = deploymentEventData(
    { id: deploymentId, instanceId, operation },
    { from: "AWAITING_APPROVAL", to: endState },
  );
  const [made, deliveries] = eventStatements(
    db,
    event(
      type,
      {
        tenantId,
        id: deploymentId,
        sequence: sql`(SELECT ${deployments.version} FROM ${deployments} WHERE ${thisRow})`,
      },
      data,
      { id },
    ),
    {
      id,
      env,
      atMs,
      hops: sql`(SELECT json_extract(${deployments.inputs}, '$.hops') FROM ${deployments} WHERE ${thisRow})`,
    },
  );
  try {
    const results = await runBatch(db, [
      guard(db, {
        code: "not_waiting",
        holds: sql`EXISTS (SELECT 1 FROM ${deployments} WHERE ${thisRow} AND ${deployments.state} = 'AWAITING_APPROVAL')`,
      }),
      db
        .update(deployments)
        .set({
          state: endState,
          awaitsRunner: true,
          timestamps: sql`json_set(${deployments.timestamps}, ${`$.${endState}`}, ${atMs})`,
          version: sql`${deployments.version} + 1`,
          updatedAtMs: atMs,
        })
        .where(thisRow),
      made,
      deliveries,
      db
        .select({ version: deployments.version, projected: deployments.projected })
        .from(deployments)
        .where(thisRow),
    ]);
    const [row] = results[4];
    const { version = 0, projected: number = 0 } = row ?? {};
    return {
      standing: { state: endState, error: null },
      deliveries: results[3] as DeliveryRef[],
      written: {
        version,
        event: {
          id,
          type,
          data,
          atMs,
          about: "deployment",
          number,
          state: endState,
          sequence: version,
        },
      },
    };
  } catch (error) {
    if (failedGuard(error) === undefined) throw error;
    return { standing: await standingInD1(db, run), deliveries: [] };
  }
}

function rowOf(deploymentId: string, tenantId: string): SQL {
  return sql`${deployments.id} = ${deploymentId} AND ${deployments.tenantId} = ${tenantId}`;
}
