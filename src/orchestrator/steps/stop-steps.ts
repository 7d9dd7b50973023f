/**
 * Stops steps of a canceled run, or of a run whose template, journal or state is unreadable. Needs no program. No
 * object that may exist at a provider is forgotten: an object that a create may have made stays in the state, and the
 * next run reads it, looks for it or deletes it.
 *
 * The state after an open call, by its verb and progress:
 *
 *            refused for now   not answered             under way
 *   create   nothing           lost                     unready, or lost without an id
 *   update   unsure            unsure                   unsure
 *   delete   nothing           deleting; of a replaced object: deleted again
 *   read     nothing           nothing                  nothing
 *
 * A create that looks for a lost object in order to delete it leaves it lost.
 */
import type { Step } from "#engine/plan/steps.ts";
import { findObject } from "#engine/state/find-object.ts";
import { type InstanceState, objectKey, type StoredResource } from "#engine/state/state.ts";
import type { ValueMap } from "#engine/value.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import {
  type Entry,
  fold,
  type KeptAs,
  markInterrupted,
  type OpenCall,
  type StepRecord,
  UnknownEntry,
} from "#orchestrator/storage/journal.ts";
import type { ResourceState } from "#orchestrator/storage/resource-state.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { decodeValue, type EncodedValues, sentPlace } from "#orchestrator/storage/state-codec.ts";
import { SealBroken } from "#platform/crypto/seal.ts";
import { foundUnfinished, lostAs, maybeDeleted, stillLost } from "./conclude-failure.ts";
import { namesOf, type StateChange, union } from "./state-change.ts";

type Sealer = Pick<RunnerParts, "sealer">;

/** The change of state that keeps the possible effect of a step's open call. */
export async function unfinished(
  parts: Sealer,
  run: Run,
  step: Step,
  { call }: StepRecord,
  state: InstanceState,
): Promise<StateChange> {
  const stored = state.current.get(step.resource);
  switch (call?.verb) {
    case "create":
      return step.kind === "apply" ? unfinishedCreate(parts, run, step, call, stored) : undefined;
    case "update":
      return unfinishedUpdate(call, stored);
    case "delete":
      return isSent(call) && isCurrent(step, stored) ? maybeDeleted(stored) : undefined;
    case "read":
    case undefined:
      return undefined;
  }
}

async function unfinishedCreate(
  { sealer }: Sealer,
  run: Run,
  step: Step,
  call: OpenCall,
  stored: StoredResource | undefined,
): Promise<StateChange> {
  if (!isSent(call)) return undefined;
  const id = call.pending?.id;
  if (stored?.state === "lost" && stored.token === call.token)
    return {
      put: id === undefined ? stillLost(stored, call) : foundUnfinished(stored, id, "unready"),
    };
  const { inputs, sealedInputs } = await sentInputs(call.sentInputs, sealer, run);
  const made = {
    name: step.resource,
    type: step.type,
    objectName: call.objectName,
    inputs,
    dependsOn: call.dependsOn ?? [],
    protect: stored?.protect ?? false,
    retainOnDelete: stored?.retainOnDelete ?? false,
    deleteSeconds: null,
    ...call.options,
    ...namesOf(stored),
  };
  const put: StoredResource =
    id === undefined
      ? { ...made, ...lostAs(call), ...(sealedInputs === undefined ? {} : { sealedInputs }) }
      : { ...made, state: "unready", id, outputs: {} };
  return stored === undefined ? { put } : { put, replaced: stored };
}

function unfinishedUpdate(call: OpenCall, stored: StoredResource | undefined): StateChange {
  if (stored === undefined || stored.state === "lost") return undefined;
  const dependsOn = union(stored.dependsOn, call.dependsOn ?? []);
  return { put: { ...stored, dependsOn, state: "unsure" } };
}

/** Whether the call may have had an unseen effect. */
function isSent({ pending, unknown }: OpenCall): boolean {
  return pending !== undefined || unknown;
}

/** Whether the step concerns the resource's own object, not a replaced one. */
function isCurrent({ objectId }: Step, stored: StoredResource | undefined): boolean {
  return objectId === undefined || (stored !== undefined && objectKey(stored) === objectId);
}

/** The properties that a create sent; encrypted, if they cannot be decrypted. */
async function sentInputs(
  sent: EncodedValues | undefined,
  sealer: RunnerParts["sealer"],
  run: Run,
): Promise<{ inputs: ValueMap; sealedInputs?: EncodedValues }> {
  if (sent === undefined) return { inputs: {} };
  try {
    return { inputs: (await decodeValue(sent, sealer, sentPlace(run))) as ValueMap };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return { inputs: {}, sealedInputs: sent };
  }
}

/** The entry of a step that a cancel stopped. `change`: the result of `unfinished`; `state`: the state before it. */
export function stoppedEntry(
  step: Step,
  record: StepRecord,
  change: StateChange,
  state: InstanceState,
  nowMs: number,
): Entry {
  const { verb = "read" } = record.call ?? {};
  const keeps = keptAs(step, record, change, state);
  const elapsedMs = nowMs - record.startedAtMs;
  return { kind: "stopped", verb, elapsedMs, ...(keeps === undefined ? {} : { keeps }) };
}

function keptAs(
  step: Step,
  { call }: StepRecord,
  change: StateChange,
  state: InstanceState,
): KeptAs | undefined {
  const object =
    change !== undefined && "put" in change
      ? change.put
      : findObject(state, step.resource, step.objectId);
  if (object?.state === "lost") return "lost";
  const isChanged = change !== undefined || (call?.verb === "delete" && isSent(call));
  if (object === undefined || !isChanged) return undefined;
  if (!isCurrent(step, state.current.get(step.resource))) return "pendingDelete";
  return object.state === "ready" ? undefined : object.state;
}

/**
 * Ends every open step of a run that is canceled or cannot continue. Returns the names of the resources whose journal
 * is unreadable, so that the effect of their steps is unknown. Safe to repeat.
 */
export async function keepUnfinished(
  parts: RunnerParts,
  run: Run,
  resources: ResourceState,
  why: { code: string; message: string } | "canceled",
): Promise<string[]> {
  const { records, unknown } = readableRecords(parts, run);
  for (const step of run.plan?.steps ?? []) {
    const record = records.get(step.id);
    if (record?.progress.status !== "waiting" || record.call === undefined) continue;
    const { verb, objectName, token } = record.call;
    const stored = resources.view.current.get(step.resource);
    const isLost = stored?.state === "lost" && stored.token === token;
    const isMade = stored?.objectName === objectName && !isLost;
    // The entry about the end of the create is unreadable, but the state has its object.
    const change =
      verb === "create" && isMade
        ? undefined
        : await unfinished(parts, run, step, record, resources.view);
    const entry: Entry =
      why === "canceled"
        ? stoppedEntry(step, record, change, resources.view, parts.now())
        : { kind: "failed", verb, ...why, elapsedMs: parts.now() - record.startedAtMs };
    const put =
      change !== undefined && "put" in change
        ? await resources.put(change.put, change.replaced)
        : undefined;
    const mark = markOf(step, record.call);
    await parts.commit(() => {
      put?.();
      if (mark !== undefined && resources.isUnreadable(step.resource, mark.key))
        resources.mark(step.resource, mark.as);
      parts.append(run.deploymentId, step, entry);
    });
  }
  return unknown;
}

/** The state of an unreadable object after an open call. `key`: the object's, if known. */
function markOf(
  step: Step,
  call: OpenCall,
): { as: "unsure" | "deleting"; key?: string } | undefined {
  if (call.verb === "update") return { as: "unsure" };
  if (call.verb !== "delete" || !isSent(call)) return undefined;
  return { as: "deleting", ...(step.objectId === undefined ? {} : { key: step.objectId }) };
}

/** The records of the steps whose journal is readable, and the resources of the unreadable entries. */
function readableRecords(
  { store }: RunnerParts,
  run: Run,
): { records: Map<string, StepRecord>; unknown: string[] } {
  const records = new Map<string, StepRecord>();
  const unknown = new Set<string>();
  for (const { entry, ...row } of store.journal.readable(run.deploymentId))
    try {
      if (entry === undefined) throw new UnknownEntry("The entry is not JSON");
      fold(records, { ...row, entry });
    } catch (error) {
      if (!(error instanceof UnknownEntry)) throw error;
      if (row.resource !== null) unknown.add(row.resource);
    }
  markInterrupted(records);
  return { records, unknown: [...unknown].sort() };
}
