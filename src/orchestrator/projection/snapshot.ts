/**
 * A runner's copy of everything that D1 shows of a deployment. Each projection of a run changes the snapshot and raises
 * its number. D1's row has the number of its last projection. Pure.
 */
import type { JsonMap } from "#platform/json.ts";
import type { Trace } from "#platform/trace.ts";
import type { Deployment } from "#schema/deployments.ts";
import { type DeploymentState, isFinal } from "#schema/lists/deployment-states.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import type { Move, Projection } from "./projection.ts";

/** The columns of a deployment's row that only its runner sets once the deployment has started. */
export type RunFields = NonNullable<Move["deployment"]>;

/** The columns of an instance's row that only its runner sets. */
export type InstanceFields = NonNullable<Move["instance"]>;

/** The columns of the deployment's row that its request wrote, enough to insert a lost row again. */
export type Origin = Pick<
  Deployment,
  | "operation"
  | "trigger"
  | "requestedBy"
  | "requestedByPerson"
  | "requestedByName"
  | "message"
  | "labels"
  | "inputs"
  | "createdAtMs"
>;

export interface SnapshotEvent {
  id: string;
  type: EventType;
  data: JsonMap;
  atMs: number;
  about: "deployment" | "instance";
  /** The number of the projection that writes it. */
  number: number;
  /**
   * The state that the event tells. The event is left out of a deployment in CANCELING, which does not reach the state.
   */
  state?: DeploymentState;
  /** The sequence that D1 has written; absent: D1 may not have the event. */
  sequence?: number;
}

export interface Snapshot {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
  /** The number of the newest projection, and of the newest one that D1 is known to have. */
  number: number;
  acked: number;
  /** The versions of the two rows when D1 last answered; 0: not known. */
  version: number;
  instanceVersion: number;
  /** The time of the newest projection, in epoch milliseconds. */
  atMs: number;
  state?: DeploymentState;
  timestamps: { [state in DeploymentState]?: number };
  fields: RunFields;
  events: SnapshotEvent[];
  /** Columns of the instance that D1 may not have. */
  instanceColumns: (keyof InstanceFields)[];
  /** D1 rejects the unacknowledged changes unless the deployment is still QUEUED there. */
  ifQueued?: true;
  /** A request has written the unacknowledged state, with its error and its event. */
  ofRequest?: true;
  /** The instance's last deployment if D1 rejects the start of this one; absent: no run is known to have set it. */
  previousDeploymentId?: string | null;
  /** Makes the triggers of the instances that read these outputs due. `number`: of the projection. */
  wakesReaders?: { outputs: readonly string[]; hops: number; number: number };
  /** The number of the projection that writes the plan. */
  planNumber?: number;
  /** The slot to release once D1 has the projection. So D1 never shows more runs in progress than there are slots. */
  slot?: { targetId: string };
  /** The trace of the request that created the deployment. */
  trace?: Trace;
  /** The length of the chain of triggers that started the deployment. */
  hops?: number;
}

/** The snapshot of a deployment before its next projection, with `projected` projections in D1. */
export function emptySnapshot(
  run: Pick<Snapshot, "deploymentId" | "tenantId" | "instanceId">,
  projected: number,
): Snapshot {
  const { deploymentId, tenantId, instanceId } = run;
  return {
    deploymentId,
    tenantId,
    instanceId,
    number: projected,
    acked: projected,
    version: 0,
    instanceVersion: 0,
    atMs: 0,
    timestamps: {},
    fields: {},
    events: [],
    instanceColumns: [],
  };
}

/** The snapshot after a projection, and the columns of the instance that it sets. */
export function withProjection(
  before: Snapshot,
  { number, atMs, moves, plan, slot, trace, hops }: Projection,
): { snapshot: Snapshot; instance: InstanceFields } {
  const snapshot: Snapshot = {
    ...before,
    number,
    atMs,
    timestamps: { ...before.timestamps },
    events: [...before.events],
    ...(plan === undefined ? {} : { planNumber: number }),
    ...(slot === undefined ? {} : { slot }),
    ...(trace === undefined ? {} : { trace }),
    ...(hops === undefined ? {} : { hops }),
  };
  const instance: InstanceFields = {};
  const add = (
    { id, type, data }: NonNullable<Move["event"]>,
    about: SnapshotEvent["about"],
    state?: DeploymentState,
  ): void => {
    snapshot.events.push({
      id,
      type,
      data,
      atMs,
      about,
      number,
      ...(state === undefined ? {} : { state }),
    });
  };
  for (const move of moves) {
    if (move.state !== undefined) {
      snapshot.state = move.state;
      snapshot.timestamps[move.state] = atMs;
    }
    if (move.deployment !== undefined) snapshot.fields = { ...snapshot.fields, ...move.deployment };
    if (move.ifQueued) snapshot.ifQueued = true;
    if (move.ofRequest) snapshot.ofRequest = true;
    if (move.event !== undefined) add(move.event, "deployment", move.state);
    Object.assign(instance, move.instance);
    if (move.instanceEvent !== undefined) add(move.instanceEvent, "instance");
    if (move.wakesReaders !== undefined) snapshot.wakesReaders = { ...move.wakesReaders, number };
  }
  const columns = Object.keys(instance) as (keyof InstanceFields)[];
  snapshot.instanceColumns = [...new Set([...before.instanceColumns, ...columns])];
  return { snapshot, instance };
}

/** The answer of D1 after the projection `number`. */
export interface Acknowledgement {
  number: number;
  version: number;
  instanceVersion: number;
  /** The events that D1 has now, with their sequences. The other events up to `number` were left out. */
  sequences: ReadonlyMap<string, number>;
  /** D1 shows CANCELING, and hides the states that the run reached meanwhile. */
  canceling: boolean;
  /** An operator has abandoned the deployment with this error. That is its end, whatever the run's own result. */
  abandoned?: NonNullable<RunFields["error"]>;
}

/** The snapshot after an answer of D1. It may have changed since the projection that D1 has. */
export function acknowledged(before: Snapshot, ack: Acknowledgement): Snapshot {
  const { abandoned } = ack;
  return acknowledgedAs(
    abandoned === undefined ? before : abandonedInD1(before, ack, abandoned),
    ack,
  );
}

/** Keeps the end that D1 has. Another end or event of the run would be written again at each comparison. */
function abandonedInD1(
  before: Snapshot,
  { sequences }: Acknowledgement,
  error: NonNullable<RunFields["error"]>,
): Snapshot {
  const isKept = ({ about, id }: SnapshotEvent) => about === "instance" || sequences.has(id);
  const left = new Set(before.events.flatMap((one) => (isKept(one) ? [] : (one.state ?? []))));
  if (before.state !== undefined && isFinal(before.state)) left.add(before.state);
  return {
    ...before,
    state: "FAILED",
    timestamps: { ...timesWithout(before, left), FAILED: before.atMs },
    fields: { ...before.fields, error },
    events: before.events.filter(isKept),
  };
}

function acknowledgedAs(before: Snapshot, ack: Acknowledgement): Snapshot {
  const isLatest = before.number === ack.number;
  const left = new Set<DeploymentState>();
  const events = before.events.flatMap((event): SnapshotEvent[] => {
    const sequence = ack.sequences.get(event.id);
    if (sequence !== undefined) return [{ ...event, sequence }];
    if (event.sequence !== undefined || event.number > ack.number) return [event];
    if (ack.canceling && event.state !== undefined) left.add(event.state);
    return [];
  });
  const timestamps = timesWithout(before, left);
  const { slot, ifQueued, ofRequest, previousDeploymentId, ...rest } = before;
  return {
    ...rest,
    acked: ack.number,
    version: Math.max(before.version, ack.version),
    instanceVersion: Math.max(before.instanceVersion, ack.instanceVersion),
    events,
    timestamps,
    instanceColumns: isLatest ? [] : before.instanceColumns,
    ...(isLatest || slot === undefined ? {} : { slot }),
    ...(isLatest || ifQueued === undefined ? {} : { ifQueued }),
    ...(isLatest || ofRequest === undefined ? {} : { ofRequest }),
    ...(isLatest || previousDeploymentId === undefined ? {} : { previousDeploymentId }),
  };
}

function timesWithout(
  { timestamps }: Snapshot,
  left: ReadonlySet<DeploymentState>,
): Snapshot["timestamps"] {
  const times = Object.entries(timestamps);
  return Object.fromEntries(times.filter(([state]) => !left.has(state as DeploymentState)));
}

export interface Ending {
  state: DeploymentState;
  atMs: number;
  version?: number;
  /** Written by the runner itself. */
  event?: SnapshotEvent;
}

/**
 * The snapshot of a deployment that D1 has ended, by a request or at the end of a wait. The runner follows that end,
 * and drops changes that D1 does not have.
 */
export function endedInD1(before: Snapshot, { state, atMs, version, event }: Ending): Snapshot {
  const { slot: _, ifQueued: __, ofRequest: ___, previousDeploymentId: ____, ...rest } = before;
  const kept = before.events.filter(({ number }) => number <= before.acked);
  const left = new Set(
    before.events.flatMap((one) => (one.number > before.acked ? (one.state ?? []) : [])),
  );
  return {
    ...rest,
    number: before.acked,
    version: Math.max(before.version, version ?? 0),
    atMs,
    state,
    timestamps: { ...timesWithout(before, left), [state]: atMs },
    fields: { ...before.fields, gateTicket: null },
    events: [...kept, ...(event === undefined ? [] : [event])],
    instanceColumns: [],
  };
}
