/**
 * Compares a snapshot with D1. D1 has less than the runner after a restore to an earlier time, after an edit by hand,
 * and while an answer is lost. Pure.
 */
import { decisionData, deploymentEventData } from "#kernel/outbox/deployment-event.ts";
import { canonicalJson, type Json } from "#platform/json.ts";
import type { Deployment } from "#schema/deployments.ts";
import { isAbandoned } from "#schema/lists/deployment-faults.ts";
import {
  type DeploymentOperation,
  type DeploymentState,
  isFinal,
} from "#schema/lists/deployment-states.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import type { InstanceFields, RunFields, Snapshot, SnapshotEvent } from "./snapshot.ts";

/**
 * Added to the version of a restored row. Requests may have raised the version after the runner last saw it, and an
 * event's sequence must not be used twice.
 */
const VERSION_GAP = 1_000;
/** D1 keeps events for 30 days. Older events are removed, not lost. */
const EVENTS_KEPT_MS = 29 * 24 * 60 * 60 * 1000;

export type FoundDeployment = Pick<
  Deployment,
  "operation" | "state" | "projected" | "version" | keyof RunFields
>;

/** The content of D1. */
export interface Found {
  deployment?: FoundDeployment;
  instance?: Required<InstanceFields> & { version: number };
  /** The tenant and the instance exist, so their lost rows are inserted again. */
  hasOwner: boolean;
  hasPlan: boolean;
  /** The snapshot's events that exist, with their sequences. */
  sequences: ReadonlyMap<string, number>;
}

/** The rows and columns that D1 lacks. */
export interface Difference {
  /** The deployment's state in D1 afterwards. */
  state: DeploymentState;
  deployment?: { state: DeploymentState; version: number };
  instance?: { fields: InstanceFields; version: number };
  events: NumberedEvent[];
  plan: boolean;
  wakesReaders: boolean;
}

export interface NumberedEvent {
  event: SnapshotEvent;
  sequence: number;
}

export type Comparison =
  | { is: "same"; state: DeploymentState }
  | { is: "less"; by: Difference }
  /** D1 lacks the deployment, and it cannot be inserted. */
  | { is: "missing" }
  /** The deployment ended before it started. */
  | { is: "rejected"; standing: Pick<FoundDeployment, "state" | "error"> };

/** The runner's knowledge of its instance. */
export interface InstanceKnowledge {
  instance: InstanceFields;
  /** Whether the runner has a snapshot of the deployment. */
  hasSnapshotOf: (deploymentId: string) => boolean;
}

/** The runner's knowledge besides the snapshot. */
export interface Known extends InstanceKnowledge {
  hasOrigin: boolean;
  hasPlan: boolean;
  /** The requested operation; absent: the run was never loaded. */
  operation?: DeploymentOperation;
  /** The id for an event that only the request had written. */
  eventId: string;
}

export function compareSnapshot(
  snapshot: Snapshot,
  known: Known,
  found: Found,
  nowMs: number,
): Comparison {
  const row = found.deployment;
  if (row === undefined && !(found.hasOwner && known.hasOrigin)) return { is: "missing" };
  if (row !== undefined && rejects(row, snapshot))
    return { is: "rejected", standing: { state: row.state, error: row.error } };
  // D1 knows more than the runner. Nothing overwrites it.
  if (row !== undefined && row.projected > snapshot.number) return { is: "same", state: row.state };
  const abandoned = row !== undefined && isAbandoned(row);
  const untold = abandoned ? [] : untoldEnd(snapshot, known, row);
  const restored =
    row === undefined ||
    row.projected < snapshot.acked ||
    row.version < snapshot.version ||
    untold.length > 0;
  const state = abandoned ? "FAILED" : stateFor(snapshot, row, restored);
  const missing = missingEvents(snapshot, { found, restored, state, nowMs }).filter(
    // The request that abandoned the deployment has told its end. No event of the deployment follows it.
    (event) =>
      !abandoned || event.about === "instance" || (!restored && event.sequence !== undefined),
  );
  const deployment = numbered(
    [...missing.filter(({ about }) => about === "deployment"), ...untold],
    { has: row?.version ?? 0, knew: snapshot.version, restored },
  );
  const instance = numbered(
    missing.filter(({ about }) => about === "instance"),
    { has: found.instance?.version ?? 0, knew: snapshot.instanceVersion, restored },
  );
  const rowDiffers =
    restored ||
    row.projected < snapshot.number ||
    state !== row.state ||
    deployment.events.length > 0 ||
    (!abandoned &&
      state === snapshot.state &&
      Object.keys(differing(snapshot.fields, row)).length > 0);
  const columns =
    found.instance === undefined || hasLaterRun(found.instance, known)
      ? {}
      : differing(known.instance, found.instance);
  const instanceDiffers = Object.keys(columns).length > 0 || instance.events.length > 0;
  const plan = snapshot.planNumber !== undefined && known.hasPlan && !found.hasPlan;
  const wakesReaders = (row?.projected ?? 0) < (snapshot.wakesReaders?.number ?? 0);
  if (!rowDiffers && !instanceDiffers && !plan && !wakesReaders) return { is: "same", state };
  return {
    is: "less",
    by: {
      state,
      ...(rowDiffers ? { deployment: { state, version: deployment.version } } : {}),
      ...(instanceDiffers ? { instance: { fields: columns, version: instance.version } } : {}),
      events: [...deployment.events, ...instance.events],
      plan,
      wakesReaders,
    },
  };
}

/** Whether a request has ended the deployment that the snapshot starts. */
function rejects(row: FoundDeployment, { ifQueued, number }: Snapshot): boolean {
  return ifQueued === true && row.projected < number && isFinal(row.state);
}

/**
 * Whether a newer run that the runner has no snapshot of has set the instance's row. Two runs requested at the same
 * time may run in another order than their ids have.
 */
function hasLaterRun(
  { lastDeploymentId }: InstanceFields,
  { instance, hasSnapshotOf }: InstanceKnowledge,
): boolean {
  const last = lastDeploymentId ?? "";
  return last > (instance.lastDeploymentId ?? "") && !hasSnapshotOf(last);
}

const eventOfEnd: { readonly [state in DeploymentState]?: EventType } = {
  CANCELED: "deployment.canceled",
  DISCARDED: "deployment.discarded",
  EXPIRED: "deployment.expired",
  FAILED: "deployment.failed",
  SUPERSEDED: "deployment.superseded",
};

/**
 * The end that a request wrote and the runner followed, if D1 has lost it. The runner has no event of this end, and
 * every shown state needs an event that leads to it.
 */
function untoldEnd(
  { state, number, acked, ofRequest, events, atMs, deploymentId, instanceId, fields }: Snapshot,
  known: Known,
  row: FoundDeployment | undefined,
): SnapshotEvent[] {
  const type = state && eventOfEnd[state];
  const operation = row?.operation ?? known.operation;
  if (state === undefined || type === undefined || operation === undefined) return [];
  const isTold = events.some((event) => event.about === "deployment" && event.state === state);
  if (isTold || (number > acked && ofRequest !== true) || row?.state === state) return [];
  const from = row?.state ?? "QUEUED";
  const decision = fields.decisions?.at(-1);
  const data = deploymentEventData(
    { id: deploymentId, instanceId, operation },
    { from, to: state },
    {
      ...(state === "FAILED" && fields.error != null ? { error: { ...fields.error } } : {}),
      ...(state === "DISCARDED" && decision !== undefined ? decisionData(decision) : {}),
    },
  );
  return [{ id: known.eventId, type, data, atMs, about: "deployment", number, state }];
}

function missingEvents(
  { events }: Snapshot,
  {
    found,
    restored,
    state,
    nowMs,
  }: { found: Found; restored: boolean; state: DeploymentState; nowMs: number },
): SnapshotEvent[] {
  const projected = found.deployment?.projected ?? 0;
  return events.filter(
    (event) =>
      !found.sequences.has(event.id) &&
      event.atMs > nowMs - EVENTS_KEPT_MS &&
      // An event that is missing although D1 has its projection was left out.
      (restored || event.sequence !== undefined || event.number > projected) &&
      (event.about === "deployment" || found.instance !== undefined) &&
      !(state === "CANCELING" && event.state !== undefined && !isFinal(event.state)),
  );
}

/** The state that D1 should show. */
function stateFor(
  { state: known }: Snapshot,
  row: FoundDeployment | undefined,
  restored: boolean,
): DeploymentState {
  const found = row?.state ?? "QUEUED";
  const state = known ?? found;
  if (isFinal(state)) return state;
  // A cancel or discard of a deployment that D1 showed again as QUEUED or waiting, while its run continues.
  if (found === "CANCELING" || (restored && (found === "CANCELED" || found === "DISCARDED")))
    return "CANCELING";
  return !restored && requestMoves[state]?.includes(found) ? found : state;
}

/** The states that a request makes of a state. D1 then knows more than the runner. */
const requestMoves: { [state in DeploymentState]?: readonly DeploymentState[] } = {
  QUEUED: ["CANCELED", "SUPERSEDED"],
  AWAITING_APPROVAL: ["APPLYING", "DISCARDED", "EXPIRED", "SUPERSEDED"],
};

/**
 * The sequences of missing events, and the row's version after them. Events keep their sequences, unless a request has
 * used one of them since D1 was restored.
 */
function numbered(
  events: readonly SnapshotEvent[],
  { has, knew, restored }: { has: number; knew: number; restored: boolean },
): { events: NumberedEvent[]; version: number } {
  const own = events.flatMap(({ sequence }) => sequence ?? []);
  const keep = !restored || own.every((sequence) => sequence > has);
  const highest = Math.max(has, knew, ...own) + (restored ? VERSION_GAP : 0);
  let next = highest;
  const made = events.map((event) => {
    if (keep && event.sequence !== undefined) return { event, sequence: event.sequence };
    next += 1;
    return { event, sequence: next };
  });
  return { events: made, version: Math.max(next, highest + 1) };
}

/** The members of `wanted` that differ in `found`. */
function differing<T extends object>(wanted: T, found: Readonly<Partial<T>>): Partial<T> {
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) =>
        canonicalJson(value as Json) !== canonicalJson((found[key as keyof T] ?? null) as Json),
    ),
  ) as Partial<T>;
}
