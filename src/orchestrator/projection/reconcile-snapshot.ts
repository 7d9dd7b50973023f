/** Compares snapshots with D1, and writes the missing rows. */
import { type SQL, sql } from "drizzle-orm";
import type { TriggerRef } from "#kernel/outbox/notify-triggers.ts";
import { type DeliveryRef, deliveryStatements } from "#kernel/outbox/outbox.ts";
import { type Db, failedGuard, guard, runBatch, type Statement } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { deploymentPlans, deployments } from "#schema/deployments.ts";
import { events } from "#schema/events.ts";
import { instances } from "#schema/instances.ts";
import { isAbandoned } from "#schema/lists/deployment-faults.ts";
import type { DeploymentState } from "#schema/lists/deployment-states.ts";
import { tenants } from "#schema/tenants.ts";
import {
  compareSnapshot,
  type Difference,
  type Found,
  type FoundDeployment,
  type InstanceKnowledge,
  type Known,
} from "./compare-snapshot.ts";
import type { Acknowledgement, Origin, Snapshot } from "./snapshot.ts";
import { wakeReaders } from "./wake-readers.ts";
import {
  deploymentRow,
  fieldsBeside,
  insertEvent,
  instanceRow,
  knownEvent,
  type ProjectionParts,
  setInstance,
  setPlan,
} from "./write-snapshot.ts";

/** Attempts at a row that requests change meanwhile. */
const ATTEMPTS = 5;

/** A snapshot with the plan and origin kept beside it. */
export interface Kept {
  snapshot: Snapshot;
  plan?: unknown[];
  origin?: Origin;
}

export type Reconciled =
  | {
      is: "same" | "written";
      ack: Acknowledgement;
      /** The deployment's state in D1 now. */
      state: DeploymentState;
      /** The rows that D1 lacked; absent: none. */
      by?: Difference;
      deliveries: DeliveryRef[];
      triggers: TriggerRef[];
    }
  /** The deployment ended before it started, or it does not exist and cannot be inserted (undefined). */
  | { is: "rejected"; standing: Pick<FoundDeployment, "state" | "error"> | undefined };

/** The runner's knowledge besides the snapshot. */
export function knownBeside(
  { plan, origin }: Pick<Kept, "plan" | "origin">,
  knowledge: InstanceKnowledge,
): Known {
  return {
    ...knowledge,
    hasOrigin: origin !== undefined,
    hasPlan: plan !== undefined,
    ...(origin === undefined ? {} : { operation: origin.operation }),
    eventId: newId(),
  };
}

/** The rows of D1 for snapshots of one instance, by deployment. One round trip. */
export async function findInD1(
  db: Db,
  snapshots: readonly [Snapshot, ...Snapshot[]],
): Promise<(snapshot: Snapshot) => Found> {
  const [{ tenantId, instanceId }] = snapshots;
  const ids = JSON.stringify(snapshots.map(({ deploymentId }) => deploymentId));
  const eventIds = JSON.stringify(snapshots.flatMap((one) => one.events.map(({ id }) => id)));
  const { state, outputs, secretOutputs, outputHashes, outputsStaleSinceMs } = instances;
  const { stateSerial, lastDeploymentId, deployed, drift, version } = instances;
  const d = deployments;
  const [rows, [instance], [tenant], plans, written] = await runBatch(db, [
    db
      .select({
        id: d.id,
        operation: d.operation,
        state: d.state,
        projected: d.projected,
        version: d.version,
        gateTicket: d.gateTicket,
        summary: d.summary,
        planHash: d.planHash,
        stateSerial: d.stateSerial,
        error: d.error,
        outputsError: d.outputsError,
        decisions: d.decisions,
      })
      .from(d)
      .where(sql`${d.tenantId} = ${tenantId} AND ${d.id} IN (SELECT value FROM json_each(${ids}))`),
    db
      .select({
        state,
        outputs,
        secretOutputs,
        outputHashes,
        outputsStaleSinceMs,
        stateSerial,
        lastDeploymentId,
        deployed,
        drift,
        version,
      })
      .from(instances)
      .where(sql`${instances.id} = ${instanceId} AND ${instances.tenantId} = ${tenantId}`),
    db
      .select({ id: tenants.id })
      .from(tenants)
      .where(sql`${tenants.id} = ${tenantId}`),
    // A pruned plan counts as present, so that it is not written again.
    db.all<{ deploymentId: string }>(
      sql`SELECT deployment_id AS deploymentId FROM ${deploymentPlans} WHERE ${deploymentPlans.tenantId} = ${tenantId}
          AND ${deploymentPlans.deploymentId} IN (SELECT value FROM json_each(${ids}))
        UNION ALL SELECT ${d.id} FROM ${d} WHERE ${d.tenantId} = ${tenantId}
          AND ${d.id} IN (SELECT value FROM json_each(${ids})) AND ${d.pruned} = 1`,
    ),
    db
      .select({
        id: events.id,
        sequence: sql<number>`${events.payload} ->> '$.sequence'`.as("sequence"),
      })
      .from(events)
      .where(
        sql`${events.tenantId} = ${tenantId} AND ${events.id} IN (SELECT value FROM json_each(${eventIds}))`,
      ),
  ]);
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]));
  const planned = new Set(plans.map(({ deploymentId }) => deploymentId));
  const sequences = new Map(written.map(({ id, sequence }) => [id, sequence]));
  return ({ deploymentId }) => {
    const deployment = byId.get(deploymentId);
    return {
      ...(deployment === undefined ? {} : { deployment }),
      ...(instance === undefined ? {} : { instance }),
      // The rows of a deleted tenant are being removed, and stay removed.
      hasOwner: instance !== undefined && tenant !== undefined,
      hasPlan: planned.has(deploymentId),
      sequences,
    };
  };
}

/**
 * Brings D1 to the snapshot. Does not overwrite rows that change meanwhile: it compares again. Throws if D1 cannot be
 * reached; the caller then repeats it.
 */
export async function reconcileSnapshot(
  parts: ProjectionParts,
  kept: Kept,
  knowledge: InstanceKnowledge,
  nowMs: number,
): Promise<Reconciled> {
  const { snapshot } = kept;
  const known = knownBeside(kept, knowledge);
  for (let attempt = 1; ; attempt += 1) {
    const found = (await findInD1(parts.db, [snapshot]))(snapshot);
    const compared = compareSnapshot(snapshot, known, found, nowMs);
    switch (compared.is) {
      case "missing":
        return { is: "rejected", standing: undefined };
      case "rejected":
        return compared;
      case "same":
        return {
          is: "same",
          ack: acknowledge(snapshot, found),
          state: compared.state,
          deliveries: [],
          triggers: [],
        };
      case "less":
        try {
          return await write(parts, kept, { found, by: compared.by }, nowMs);
        } catch (error) {
          if (failedGuard(error) === undefined || attempt === ATTEMPTS) throw error;
        }
    }
  }
}

async function write(
  { db, env }: ProjectionParts,
  { snapshot, plan, origin }: Kept,
  { found, by }: { found: Found; by: Difference },
  nowMs: number,
): Promise<Reconciled> {
  const statements: Statement[] = [
    guard(db, { code: "changed", holds: asFound(snapshot, by, found) }),
  ];
  if (by.deployment !== undefined && found.deployment !== undefined)
    statements.push(setRow(db, snapshot, by.deployment, found.deployment, nowMs));
  else if (by.deployment !== undefined && origin !== undefined)
    statements.push(insertRow(db, snapshot, by.deployment, origin, nowMs));
  if (by.instance !== undefined) {
    const { fields, version } = by.instance;
    statements.push(setInstance(db, { ...snapshot, atMs: nowMs }, fields, version));
  }
  const known = by.events.map(({ event, sequence }) => knownEvent(snapshot, event, sequence));
  statements.push(
    ...known.map((one, at) =>
      insertEvent({ db, env }, snapshot, one, by.events[at]?.event.atMs ?? nowMs),
    ),
  );
  const deliveries = deliveryStatements(db, known, nowMs);
  const deliveriesAt = statements.push(...deliveries) - deliveries.length;
  const triggersAt = statements.length;
  const { wakesReaders } = snapshot;
  const wakes = by.wakesReaders && wakesReaders !== undefined;
  if (wakes) statements.push(wakeReaders(db, { ...snapshot, atMs: nowMs }, wakesReaders));
  if (by.plan && plan !== undefined) statements.push(setPlan(db, snapshot, plan));
  const results = (await runBatch(db, statements)) as unknown[];
  return {
    is: "written",
    ack: acknowledge(snapshot, found, by),
    state: by.state,
    by,
    deliveries: results.slice(deliveriesAt, triggersAt).flat() as DeliveryRef[],
    triggers: wakes ? (results[triggersAt] as TriggerRef[]) : [],
  };
}

/** Holds while the rows are as found. */
function asFound(snapshot: Snapshot, by: Difference, { deployment, instance }: Found): SQL {
  const row = deploymentRow(snapshot);
  const owner = instanceRow(snapshot);
  const sameDeployment =
    deployment === undefined
      ? sql`NOT EXISTS (SELECT 1 FROM ${deployments} WHERE ${row})
          AND EXISTS (SELECT 1 FROM ${tenants} WHERE ${tenants.id} = ${snapshot.tenantId})
          AND EXISTS (SELECT 1 FROM ${instances} WHERE ${owner})`
      : sql`EXISTS (SELECT 1 FROM ${deployments} WHERE ${row} AND ${deployments.version} = ${deployment.version})`;
  return by.instance === undefined
    ? sameDeployment
    : sql`${sameDeployment} AND EXISTS (SELECT 1 FROM ${instances} WHERE ${owner} AND ${instances.version} = ${instance?.version ?? 0})`;
}

type RowChange = NonNullable<Difference["deployment"]>;

function setRow(
  db: Db,
  snapshot: Snapshot,
  { state, version }: RowChange,
  found: FoundDeployment,
  nowMs: number,
): Statement {
  const { timestamps, number } = snapshot;
  const own = state === snapshot.state;
  const abandoned = isAbandoned(found);
  // The states that an abandoned run reached meanwhile have no events.
  const showsTimes = own && !abandoned;
  return db
    .update(deployments)
    .set({
      // Another request that changed the snapshot's state knows the other columns.
      ...(own || abandoned || state === "CANCELING" ? fieldsBeside(snapshot, abandoned) : {}),
      ...(showsTimes
        ? { timestamps: sql`json_patch(${deployments.timestamps}, ${JSON.stringify(timestamps)})` }
        : {}),
      state,
      projected: number,
      version,
      updatedAtMs: nowMs,
    })
    .where(deploymentRow(snapshot));
}

function insertRow(
  db: Db,
  snapshot: Snapshot,
  { state, version }: RowChange,
  origin: Origin,
  nowMs: number,
): Statement {
  const { deploymentId, tenantId, instanceId, fields, timestamps, number } = snapshot;
  const { inputs, createdAtMs } = origin;
  return db.insert(deployments).values({
    ...origin,
    ...fields,
    id: deploymentId,
    tenantId,
    instanceId,
    targetId: inputs.target.id,
    templateVersion: inputs.template?.version ?? null,
    state,
    timestamps: { QUEUED: createdAtMs, ...timestamps },
    projected: number,
    version,
    updatedAtMs: nowMs,
  });
}

function acknowledge(snapshot: Snapshot, found: Found, by?: Difference): Acknowledgement {
  const { deployment, instance, sequences } = found;
  const abandoned = deployment !== undefined && isAbandoned(deployment);
  return {
    number: snapshot.number,
    version: by?.deployment?.version ?? deployment?.version ?? 0,
    instanceVersion: by?.instance?.version ?? instance?.version ?? 0,
    sequences: new Map([
      ...sequences,
      ...(by?.events ?? []).map(({ event, sequence }) => [event.id, sequence] as const),
    ]),
    canceling: (by?.deployment?.state ?? deployment?.state) === "CANCELING",
    ...(abandoned && deployment.error !== null ? { abandoned: deployment.error } : {}),
  };
}
