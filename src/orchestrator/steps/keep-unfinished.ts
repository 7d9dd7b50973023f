/**
 * Ends steps that are not waited for: the run is canceled, or they can no longer be decided, because the template, the
 * journal or the state is unreadable. Needs no program. It forgets nothing that may exist at a provider: an object that a
 * create may have made is in the state afterwards, and the next run reads it, looks for it or deletes it.
 */
import type { Step } from "#engine/plan/steps.ts";
import { findObject } from "#engine/state/find-object.ts";
import type { InstanceState, StoredResource } from "#engine/state/state.ts";
import type { ValueMap } from "#engine/value.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import {
  type Entry,
  fold,
  type KeptAs,
  markInterrupted,
  type StepRecord,
  UnknownEntry,
} from "#orchestrator/storage/journal.ts";
import type { ResourceState } from "#orchestrator/storage/resource-state.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { decodeValue, type EncodedValues, sentPlace } from "#orchestrator/storage/state-codec.ts";
import { SealBroken } from "#platform/crypto/seal.ts";
import { maybeDeleted, stillUnfinished, unfinishedMarks } from "./conclude-failure.ts";
import { namesOf, type StateChange } from "./state-change.ts";

/** The change of state that keeps the possible effect of a step's open call. */
export async function unfinished(
  { sealer }: Pick<RunnerParts, "sealer">,
  run: Run,
  step: Step,
  record: StepRecord,
  state: InstanceState,
): Promise<StateChange> {
  const { intent, pending } = record;
  const stored = state.current.get(step.resource);
  if (isSentDelete(step, record)) {
    const isCurrent = step.objectId === undefined || step.objectId === stored?.id;
    return isCurrent ? maybeDeleted(stored) : undefined;
  }
  if (step.kind !== "apply" || intent === undefined) return undefined;
  const { dependsOn: needed = [] } = intent;
  if (intent.verb === "update")
    return stored === undefined
      ? undefined
      : {
          put: {
            ...stored,
            dependsOn: [...new Set([...stored.dependsOn, ...needed])],
            unsure: true,
          },
        };
  const id = pending?.id;
  if (intent.verb !== "create" || (id === undefined && pending === undefined && !record.unknown))
    return undefined;
  const marks = unfinishedMarks(record, intent.token, id, false);
  if (stored?.lostToken === intent.token)
    return { put: stillUnfinished(stored, marks, id ?? intent.token) };
  const made: StoredResource = {
    name: step.resource,
    type: step.type,
    id: id ?? intent.token,
    objectName: intent.objectName,
    ...(await sentInputs(intent.sent, sealer, run, id === undefined)),
    outputs: {},
    dependsOn: needed,
    protect: stored?.protect ?? false,
    retainOnDelete: stored?.retainOnDelete ?? false,
    ...intent.options,
    unsure: false,
    ...namesOf(stored),
    ...marks,
  };
  return { put: made, ...(stored === undefined ? {} : { replaced: stored }) };
}

/** The entry of a step that a cancel stopped. `change`: what `unfinished` keeps of it; `state`: before that. */
export function stoppedEntry(
  step: Step,
  record: StepRecord,
  change: StateChange,
  state: InstanceState,
  nowMs: number,
): Entry {
  const { verb = "read" } = record.intent ?? {};
  const keeps = keptAs(step, record, change, state);
  const elapsedMs = nowMs - record.startedAtMs;
  return { kind: "stopped", verb, elapsedMs, ...(keeps === undefined ? {} : { keeps }) };
}

function keptAs(
  step: Step,
  record: StepRecord,
  change: StateChange,
  state: InstanceState,
): KeptAs | undefined {
  if (change !== undefined && "put" in change) {
    const { lostToken, unready } = change.put;
    if (lostToken !== undefined) return "lost";
    return unready === true ? "unready" : "unsure";
  }
  const object = findObject(state, step.resource, step.objectId);
  if (object?.lostToken !== undefined) return "lost";
  return isSentDelete(step, record) ? "condemned" : undefined;
}

/** Whether the step has sent a delete that was not seen to end. */
function isSentDelete({ kind }: Step, { intent, pending, unknown }: StepRecord): boolean {
  return kind === "delete" && intent?.verb === "delete" && (pending !== undefined || unknown);
}

/** The properties that a create sent. If they cannot be decrypted, those of a lost one are kept as they are. */
async function sentInputs(
  sent: EncodedValues | undefined,
  sealer: RunnerParts["sealer"],
  run: Run,
  isLost: boolean,
): Promise<Pick<StoredResource, "inputs" | "lostSealed">> {
  if (sent === undefined) return { inputs: {} };
  try {
    return { inputs: (await decodeValue(sent, sealer, sentPlace(run))) as ValueMap };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return { inputs: {}, ...(isLost ? { lostSealed: sent } : {}) };
  }
}

/**
 * Ends every open step of a run that cannot go on, or is canceled. Returns the names of the resources whose journal
 * cannot be read, so that what their steps did is not known. Safe to repeat.
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
    if (record?.progress.status !== "waiting" || record.intent === undefined) continue;
    const { verb, objectName, token } = record.intent;
    const stored = resources.view.current.get(step.resource);
    const made = stored?.objectName === objectName && stored.lostToken !== token;
    // The entry that says how the create ended cannot be read, but the state has its object.
    const change =
      verb === "create" && made
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
    await parts.commit(() => {
      put?.();
      if (verb === "update" && resources.isUnreadable(step.resource))
        resources.markUnsure(step.resource);
      if (isSentDelete(step, record) && resources.isUnreadable(step.resource, step.objectId))
        resources.markMaybeDeleted(step.resource);
      parts.append(run.deploymentId, step, entry);
    });
  }
  return unknown;
}

/** The records of the steps, as far as the journal can be read, and the resources of the entries that cannot. */
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
