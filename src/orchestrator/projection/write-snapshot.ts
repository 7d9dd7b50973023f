/**
 * Writes the changes of a snapshot to D1: the rows of the deployment and the instance, the events with their
 * deliveries, the plan, and the triggers of readers. It is one batch that begins with a guard on D1's last projection,
 * so a repeated projection is written once. If the guard fails, D1 has the projection already or differs:
 * compare-snapshot.ts finds out which.
 */
import { type SQL, sql } from "drizzle-orm";
import type { PageSettings } from "#kernel/identity/page-url.ts";
import type { TriggerRef } from "#kernel/outbox/notify-triggers.ts";
import {
  type DeliveryRef,
  deliveryStatements,
  event,
  eventStatement,
  type KnownEvent,
} from "#kernel/outbox/outbox.ts";
import { type Db, failedGuard, guard, runBatch, type Statement } from "#platform/db/client.ts";
import { deploymentPlans, deployments, openStatesSql } from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";
import { type DeploymentState, isFinal } from "#schema/lists/deployment-states.ts";
import type {
  Acknowledgement,
  InstanceFields,
  RunFields,
  Snapshot,
  SnapshotEvent,
} from "./snapshot.ts";
import { wakeReaders } from "./wake-readers.ts";

/** The database and the settings of the installation. */
export interface ProjectionParts {
  db: Db;
  env: PageSettings;
}

export interface Written {
  ack: Acknowledgement;
  /** The deployment's state in D1 now. */
  state: DeploymentState;
  deliveries: DeliveryRef[];
  triggers: TriggerRef[];
}

/**
 * Writes the changes of the snapshot that D1 lacks. `instance`: the runner's columns of the instance's row. Undefined:
 * D1 lacks the last acknowledged projection, has a later one, or rejects this one; nothing was written. Throws if D1
 * cannot be reached; the caller then repeats it.
 */
export async function writeSnapshot(
  { db, env }: ProjectionParts,
  snapshot: Snapshot,
  instance: InstanceFields,
  plan: unknown[] | undefined,
): Promise<Written | undefined> {
  const { acked, wakesReaders } = snapshot;
  const added = snapshot.events.filter(({ number }) => number > acked);
  const about = (owner: SnapshotEvent["about"]) => added.filter((one) => one.about === owner);
  // A run's own end is told once, even if a request has meanwhile brought the deployment to the same state.
  const endsItself = about("deployment").some(({ state }) => state === snapshot.state);
  const statements: Statement[] = [
    guard(db, {
      code: "projected_before",
      // An abandoned deployment does not come back to life.
      holds: sql`EXISTS (SELECT 1 FROM ${deployments} WHERE ${deploymentRow(snapshot)} AND ${deployments.projected} = ${acked}
        AND (${deployments.state} IN ${openStatesSql} ${endsItself ? sql`` : sql`OR ${deployments.state} = ${snapshot.state ?? ""}`})
        ${snapshot.ifQueued ? sql`AND ${deployments.state} = 'QUEUED'` : sql``}
        ${snapshot.ofRequest ? sql`AND ${deployments.state} = ${snapshot.state}` : sql``})`,
    }),
    setDeployment(db, snapshot, about("deployment").length),
  ];
  if (snapshot.instanceColumns.length > 0 || about("instance").length > 0) {
    const columns = snapshot.instanceColumns.map((column) => [column, instance[column]]);
    statements.push(
      setInstance(
        db,
        snapshot,
        Object.fromEntries(columns) as InstanceFields,
        sql`${instances.version} + ${Math.max(1, about("instance").length)}`,
      ),
    );
  }
  const known = added.map((one) => {
    const own = about(one.about);
    return knownEvent(
      snapshot,
      one,
      sequenceOf(snapshot, one.about, own.length - 1 - own.indexOf(one)),
    );
  });
  statements.push(
    ...known.map((one, at) => insertEvent({ db, env }, snapshot, one, added[at]?.atMs ?? 0)),
  );
  const deliveries = deliveryStatements(db, known, snapshot.atMs);
  const deliveriesAt = statements.push(...deliveries) - deliveries.length;
  const triggersAt = statements.length;
  const wakes = wakesReaders !== undefined && wakesReaders.number > acked;
  if (wakes) statements.push(wakeReaders(db, snapshot, wakesReaders));
  if (plan !== undefined && (snapshot.planNumber ?? 0) > acked)
    statements.push(setPlan(db, snapshot, plan));
  statements.push(standing(db, snapshot));
  let results: unknown[];
  try {
    results = (await runBatch(db, statements)) as unknown[];
  } catch (error) {
    if (failedGuard(error) === undefined) throw error;
    return undefined;
  }
  const [now] = results.at(-1) as Standing[];
  if (now === undefined) return undefined;
  const { state, version, instanceVersion } = now;
  const canceling = state === "CANCELING";
  const sequences = new Map<string, number>();
  for (const [owner, last] of [
    ["deployment", version],
    ["instance", instanceVersion],
  ] as const)
    for (const [at, { id, state: reached }] of about(owner).entries())
      if (last !== null && !(canceling && reached !== undefined && !isFinal(reached)))
        sequences.set(id, last - (about(owner).length - 1 - at));
  return {
    ack: {
      number: snapshot.number,
      version,
      instanceVersion: instanceVersion ?? 0,
      sequences,
      canceling,
    },
    state,
    deliveries: results.slice(deliveriesAt, triggersAt).flat() as DeliveryRef[],
    triggers: wakes ? (results[triggersAt] as TriggerRef[]) : [],
  };
}

interface Standing {
  state: DeploymentState;
  version: number;
  /** Null: the instance does not exist. */
  instanceVersion: number | null;
}

function standing(db: Db, snapshot: Snapshot): Statement {
  return db
    .select({
      state: deployments.state,
      version: deployments.version,
      instanceVersion: sql<
        number | null
      >`(SELECT version FROM ${instances} WHERE ${instanceRow(snapshot)})`.as("instanceVersion"),
    })
    .from(deployments)
    .where(deploymentRow(snapshot));
}

export function deploymentRow({ deploymentId, tenantId }: Snapshot): SQL {
  return sql`${deployments.id} = ${deploymentId} AND ${deployments.tenantId} = ${tenantId}`;
}

export function instanceRow({ instanceId, tenantId }: Snapshot): SQL {
  return sql`${instances.id} = ${instanceId} AND ${instances.tenantId} = ${tenantId}`;
}

function setDeployment(db: Db, snapshot: Snapshot, events: number): Statement {
  const { state, timestamps, number, atMs } = snapshot;
  const stays =
    state === undefined || isFinal(state) ? sql`0` : sql`${deployments.state} = 'CANCELING'`;
  return db
    .update(deployments)
    .set({
      ...fieldsBeside(snapshot, snapshot.ofRequest),
      ...(state === undefined
        ? {}
        : {
            state: sql`CASE WHEN ${stays} THEN ${deployments.state} ELSE ${state} END`,
            timestamps: sql`CASE WHEN ${stays} THEN ${deployments.timestamps}
              ELSE json_patch(${deployments.timestamps}, ${JSON.stringify(timestamps)}) END`,
          }),
      projected: number,
      version: sql`${deployments.version} + ${Math.max(1, events)}`,
      updatedAtMs: atMs,
    })
    .where(deploymentRow(snapshot));
}

/** The fields that a run writes. `ofRequest`: the request that ended the deployment has written its error. */
export function fieldsBeside({ fields }: Snapshot, ofRequest: boolean | undefined): RunFields {
  if (ofRequest !== true) return fields;
  const { error: _, ...rest } = fields;
  return rest;
}

export function setInstance(
  db: Db,
  snapshot: Snapshot,
  fields: InstanceFields,
  version: SQL | number,
): Statement {
  return db
    .update(instances)
    .set({ ...fields, version, updatedAtMs: snapshot.atMs })
    .where(instanceRow(snapshot));
}

export function setPlan(db: Db, snapshot: Snapshot, changes: unknown[]): Statement {
  const { tenantId, deploymentId } = snapshot;
  return db
    .insert(deploymentPlans)
    .values({ tenantId, deploymentId, changes })
    .onConflictDoUpdate({
      target: [deploymentPlans.tenantId, deploymentPlans.deploymentId],
      set: { changes },
    });
}

/** The version of the event's row, `back` events before the row's last event. */
function sequenceOf(snapshot: Snapshot, about: SnapshotEvent["about"], back: number): SQL {
  return about === "deployment"
    ? sql`(SELECT ${deployments.version} FROM ${deployments} WHERE ${deploymentRow(snapshot)}) - ${back}`
    : sql`(SELECT ${instances.version} FROM ${instances} WHERE ${instanceRow(snapshot)}) - ${back}`;
}

/** The event for the outbox. It is not written if its row does not exist or stays in CANCELING. */
export function knownEvent(
  snapshot: Snapshot,
  { id, type, data, about, state }: SnapshotEvent,
  sequence: SQL | number,
): KnownEvent {
  const { tenantId, deploymentId, instanceId } = snapshot;
  const ofDeployment = about === "deployment";
  const entry = event(
    type,
    { tenantId, id: ofDeployment ? deploymentId : instanceId, sequence },
    // A projection that was stored before `deploymentEventData` has no instance in its data.
    { ...data, ...(ofDeployment ? { instanceId } : { deploymentId }) },
  );
  const reached =
    state === undefined || isFinal(state) ? sql`` : sql`AND ${deployments.state} <> 'CANCELING'`;
  const condition = ofDeployment
    ? sql`EXISTS (SELECT 1 FROM ${deployments} WHERE ${deploymentRow(snapshot)} ${reached})`
    : sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${instanceRow(snapshot)})`;
  return { ...entry, id, condition };
}

export function insertEvent(
  { db, env }: ProjectionParts,
  snapshot: Snapshot,
  entry: KnownEvent,
  atMs: number,
): Statement {
  const { trace, hops } = snapshot;
  return eventStatement(db, entry, { env, atMs, trace, hops });
}
