/**
 * Writes a run's public record to D1: the rows of the deployment and the instance, and the events, in one batch. The
 * runner stores each projection until D1 has it. It is applied exactly once: the deployment's row counts the applied
 * projections, and a guard rejects a batch that is out of turn.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { TriggerRef } from "#kernel/outbox/notify-triggers.ts";
import { type DeliveryRef, event, eventStatements } from "#kernel/outbox/outbox.ts";
import { type Db, failedGuard, guard, runBatch, type Statement } from "#platform/db/client.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Trace } from "#platform/trace.ts";
import { deploymentPlans, deployments, openStatesSql } from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";
import { type DeploymentState, isFinal } from "#schema/lists/deployment-states.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import { wakeReaders } from "./wake-readers.ts";

export interface Projection {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
  /** Counts from 1 within the deployment. */
  number: number;
  atMs: number;
  moves: Move[];
  /** The trace of the request that created the deployment. */
  trace?: Trace;
  /** The length of the chain of triggers that started the deployment. */
  hops?: number;
  plan?: unknown[];
  /** The slot to release once D1 has the projection: D1 never shows more runs in progress than there are slots. */
  slot?: { targetId: string };
}

/** One change of the deployment's row and of the instance's, each with at most one event. */
export interface Move {
  /** The new state. A deployment in CANCELING stays there unless this is a final state. */
  state?: DeploymentState;
  deployment?: Partial<
    Pick<
      typeof deployments.$inferSelect,
      "gateTicket" | "summary" | "planHash" | "stateSerial" | "error" | "outputsError"
    >
  >;
  /** Rejects the whole projection unless the deployment is still QUEUED. */
  ifQueued?: true;
  event?: { id: string; type: EventType; data: JsonMap };
  instance?: Partial<
    Pick<
      typeof instances.$inferSelect,
      | "state"
      | "outputs"
      | "secretOutputs"
      | "outputHashes"
      | "outputsStaleSinceMs"
      | "stateSerial"
      | "lastDeploymentId"
      | "drift"
    >
  >;
  instanceEvent?: { id: string; type: EventType; data: JsonMap };
  /** Makes the triggers of the instances that read these outputs due. */
  wakesReaders?: { outputs: readonly string[]; hops: number };
}

export type Projected =
  /** `state`: the deployment's state in D1 now. */
  | { written: true; state: DeploymentState; deliveries: DeliveryRef[]; triggers: TriggerRef[] }
  /** A request ended the deployment first (`state`: its final state), or its row does not exist. */
  | { written: false; state: DeploymentState | undefined };

/** Writes the projection, unless D1 has it already. Throws if D1 cannot be reached: repeat it then. */
export async function project(db: Db, projection: Projection): Promise<Projected> {
  const thisRow = sql`${deployments.id} = ${projection.deploymentId} AND ${deployments.tenantId} = ${projection.tenantId}`;
  const statements: Statement[] = [
    guard(
      db,
      "projected_before",
      sql`EXISTS (SELECT 1 FROM ${deployments} WHERE ${thisRow} AND ${deployments.projected} = ${projection.number - 1})`,
    ),
    // An operator may have abandoned the deployment: it does not come back to life.
    guard(
      db,
      "ended",
      sql`EXISTS (SELECT 1 FROM ${deployments} WHERE ${thisRow} AND ${deployments.state} IN ${openStatesSql})`,
    ),
  ];
  const deliveriesAt: number[] = [];
  const triggersAt: number[] = [];
  const addEvent = (made: [Statement, Statement]) => {
    statements.push(...made);
    deliveriesAt.push(statements.length - 1);
  };
  for (const [at, move] of projection.moves.entries()) {
    const last = at === projection.moves.length - 1;
    if (move.ifQueued)
      statements.push(
        guard(
          db,
          "not_queued",
          sql`EXISTS (SELECT 1 FROM ${deployments} WHERE ${thisRow} AND ${deployments.state} = 'QUEUED')`,
        ),
      );
    statements.push(moveDeployment(db, projection, move, last));
    if (move.event !== undefined)
      addEvent(
        eventStatements(
          db,
          event(
            move.event.type,
            {
              tenantId: projection.tenantId,
              id: projection.deploymentId,
              sequence: sql`(SELECT ${deployments.version} FROM ${deployments} WHERE ${thisRow})`,
            },
            // A projection that was stored before `deploymentEventData` has no instance in its data.
            { ...move.event.data, instanceId: projection.instanceId },
            {
              id: move.event.id,
              ...(move.state === undefined ? {} : { condition: reached(thisRow, move.state) }),
            },
          ),
          {
            id: move.event.id,
            atMs: projection.atMs,
            trace: projection.trace,
            hops: projection.hops,
          },
        ),
      );
    if (move.instance !== undefined) {
      statements.push(moveInstance(db, projection, move.instance));
      if (move.instanceEvent !== undefined)
        addEvent(instanceEvent(db, projection, move.instanceEvent));
    }
    if (move.wakesReaders !== undefined) {
      statements.push(wakeReaders(db, projection, move.wakesReaders));
      triggersAt.push(statements.length - 1);
    }
  }
  if (projection.plan !== undefined)
    statements.push(
      db.insert(deploymentPlans).values({
        tenantId: projection.tenantId,
        deploymentId: projection.deploymentId,
        changes: projection.plan,
      }),
    );
  statements.push(currentState(db, thisRow));
  try {
    const results = (await runBatch(db, statements)) as unknown[];
    const state = (results.at(-1) as { state: DeploymentState }[])[0]?.state;
    if (state === undefined) return { written: false, state };
    return {
      written: true,
      state,
      deliveries: deliveriesAt.flatMap((at) => results[at] as DeliveryRef[]),
      triggers: triggersAt.flatMap((at) => results[at] as TriggerRef[]),
    };
  } catch (error) {
    const failed = failedGuard(error);
    if (failed === undefined) throw error;
    const [[row]] = await runBatch(db, [
      db
        .select({ state: deployments.state, projected: deployments.projected })
        .from(deployments)
        .where(thisRow),
    ]);
    // An earlier attempt was written and only its answer was lost: the sweep notifies its deliveries and triggers.
    if (row !== undefined && row.projected >= projection.number)
      return { written: true, state: row.state, deliveries: [], triggers: [] };
    if (row === undefined || failed.code === "not_queued")
      return { written: false, state: row?.state };
    if (!isFinal(row.state)) throw error;
    await projectInstance(db, projection);
    return { written: false, state: row.state };
  }
}

/**
 * Writes what the projection of an ended deployment says of its instance, which outlives it. Safe to repeat: it sets
 * values and makes triggers due.
 */
async function projectInstance(db: Db, projection: Projection): Promise<void> {
  if (projection.moves.some(({ ifQueued }) => ifQueued)) return;
  const statements = projection.moves.flatMap(({ instance, wakesReaders }) => [
    ...(instance === undefined ? [] : [moveInstance(db, projection, instance)]),
    ...(wakesReaders === undefined ? [] : [wakeReaders(db, projection, wakesReaders)]),
  ]);
  if (statements.length > 0) await runBatch(db, statements);
}

function currentState(db: Db, thisRow: SQL): Statement {
  return db.select({ state: deployments.state }).from(deployments).where(thisRow);
}

function reached(thisRow: SQL, state: DeploymentState): SQL {
  return sql`EXISTS (SELECT 1 FROM ${deployments} WHERE ${thisRow} AND ${deployments.state} = ${state})`;
}

function moveDeployment(db: Db, projection: Projection, move: Move, last: boolean): Statement {
  const { state } = move;
  const final = state !== undefined && isFinal(state);
  return db
    .update(deployments)
    .set({
      ...move.deployment,
      ...(state === undefined
        ? {}
        : {
            state: final
              ? state
              : sql`CASE WHEN ${deployments.state} = 'CANCELING' THEN 'CANCELING' ELSE ${state} END`,
            timestamps: sql`CASE WHEN ${deployments.state} = 'CANCELING' AND ${final ? 0 : 1} THEN ${deployments.timestamps}
              ELSE json_set(${deployments.timestamps}, ${`$.${state}`}, ${projection.atMs}) END`,
          }),
      ...(last ? { projected: projection.number } : {}),
      version: sql`${deployments.version} + 1`,
      updatedAtMs: projection.atMs,
    })
    .where(
      and(
        eq(deployments.tenantId, projection.tenantId),
        eq(deployments.id, projection.deploymentId),
      ),
    );
}

function moveInstance(
  db: Db,
  projection: Projection,
  patch: NonNullable<Move["instance"]>,
): Statement {
  return db
    .update(instances)
    .set({
      ...patch,
      version: sql`${instances.version} + 1`,
      updatedAtMs: projection.atMs,
    })
    .where(
      and(eq(instances.tenantId, projection.tenantId), eq(instances.id, projection.instanceId)),
    );
}

function instanceEvent(
  db: Db,
  projection: Projection,
  { id, type, data }: { id: string; type: EventType; data: JsonMap },
): [Statement, Statement] {
  const thisRow = sql`${instances.id} = ${projection.instanceId} AND ${instances.tenantId} = ${projection.tenantId}`;
  return eventStatements(
    db,
    event(
      type,
      {
        tenantId: projection.tenantId,
        id: projection.instanceId,
        sequence: sql`(SELECT ${instances.version} FROM ${instances} WHERE ${thisRow})`,
      },
      { ...data, deploymentId: projection.deploymentId },
      { id, condition: sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${thisRow})` },
    ),
    { id, atMs: projection.atMs, trace: projection.trace, hops: projection.hops },
  );
}
