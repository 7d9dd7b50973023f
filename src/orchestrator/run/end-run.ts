/** The end of a run and its effects: the instance's state, outputs and drift, events, and triggers that become due. */
import type { Plan } from "#engine/plan/steps.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import type { Move } from "#orchestrator/projection/projection.ts";
import { WaitsForCalls } from "#orchestrator/steps/object-reads.ts";
import { Unread } from "#orchestrator/steps/unread.ts";
import { type Entry, note } from "#orchestrator/storage/journal.ts";
import { close } from "#orchestrator/storage/run.ts";
import type { UnclassifiedError, OutputsError } from "#schema/deployments.ts";
import { faultOf } from "#schema/lists/deployment-faults.ts";
import type { DeploymentState } from "#schema/lists/deployment-states.ts";
import { type DriftUpdate, driftUpdate } from "./drift-update.ts";
import { statusAfter } from "./instance-status.ts";
import { keepOptions } from "./keep-options.ts";
import type { OpenRun } from "./open-run.ts";
import { type RunOutputs, runOutputs } from "./run-outputs.ts";
import { shownState } from "./shown-state.ts";

/** Reads of an object that only the outputs need. They do not wait, because the run holds its slot. */
const LAST_TRIES = 3;
/** Maximum outputs named in an event. */
const MAX_NAMED_OUTPUTS = 50;

const KEY_LOST =
  "The sealing key of the outputs' hashes is missing: they have a new one, and every output counts as changed.";

export interface Ending {
  state: "SUCCEEDED" | "NO_CHANGES" | "FAILED" | "CANCELED";
  /** The last line of the log. */
  message: string;
  error?: UnclassifiedError;
  /** The reason why a successful run has no outputs. */
  outputsError?: OutputsError;
  /** Moves and log lines before those of the end. */
  before?: Move[];
  lines?: Entry[];
  plan?: Plan;
  /** Something at the provider may have changed. */
  touched?: boolean;
}

export function failure(error: UnclassifiedError): Ending {
  return { state: "FAILED", message: `Failed: ${error.message}`, error };
}

/**
 * Writes the run's last commit. A success whose options cannot be stored becomes a failure. A success whose outputs
 * cannot be computed or stored stays one, keeps the last outputs and wakes no readers. Throws `WaitsForCalls` before
 * anything is written: safe to repeat.
 */
export async function endRun(open: OpenRun, intended: Ending): Promise<void> {
  const { run, parts, writer, slot } = open;
  const { spec } = open;
  const { operation, instanceState } = spec;
  const applied = run.phase === "applying" && operation !== "drift_check";
  const { ending, outputs } = await withOutputs(open, intended);
  const { state, message, before = [], lines = [], plan, touched = false, outputsError } = ending;
  const why = {
    ...(ending.error && { error: { ...ending.error, fault: faultOf(ending.error) } }),
    ...(outputsError && { outputsError: { ...outputsError } }),
  };
  // With no change left, the instance is complete, however earlier runs ended.
  const status =
    applied || (state === "NO_CHANGES" && !open.readOnly)
      ? statusAfter(operation, instanceState, state, touched)
      : undefined;
  const staleSinceMs =
    outputsError === undefined
      ? undefined
      : Number(parts.store.facts.get("outputsStaleSince") || parts.now());
  const destroyed = status === "DESTROYED";
  const drift = await driftLeft(open, state);
  const instance: Move["instance"] =
    operation === "plan"
      ? undefined
      : {
          stateSerial: parts.store.serial(),
          ...(status === undefined ? {} : { state: status }),
          ...(outputs === undefined
            ? {}
            : {
                outputs: outputs.shown,
                secretOutputs: outputs.sealed,
                outputHashes: outputs.hashes,
                outputsStaleSinceMs: null,
              }),
          ...(staleSinceMs === undefined ? {} : { outputsStaleSinceMs: staleSinceMs }),
          ...(drift === undefined ? {} : { drift: drift.status }),
          // Without changes the run needed no approval.
          ...(applied && state === "SUCCEEDED" && spec.inputs.taken !== undefined
            ? { deployed: spec.inputs.taken }
            : {}),
        };
  const changed = outputs?.changed ?? [];
  if (applied) await open.claims.match((await parts.resources()).view);
  const rekeyed = outputs?.keyLost === true ? [note(KEY_LOST, "warn")] : [];
  const last = note(message, state === "FAILED" ? "error" : "info");
  await writer.commit([...lines, ...rekeyed, last], () => {
    const from = shownState(run, operation);
    outputs?.keep();
    if (outputs !== undefined || staleSinceMs !== undefined)
      parts.store.facts.set("outputsStaleSince", String(staleSinceMs ?? ""));
    if (drift !== undefined) parts.store.facts.set("drift", drift.findings);
    const instanceEvent = destroyed
      ? writer.instanceEvent("instance.destroyed")
      : changed.length > 0
        ? writer.instanceEvent("instance.outputs_changed", {
            outputs: changed.slice(0, MAX_NAMED_OUTPUTS),
          })
        : undefined;
    writer.project(
      [
        ...before,
        ...(drift?.event === undefined || destroyed ? [] : [driftMove(open, drift.event)]),
        {
          state,
          deployment: { gateTicket: null, ...why },
          event: writer.event(state.toLowerCase(), from, state, why),
          ...(instance === undefined ? {} : { instance }),
          ...(instanceEvent === undefined ? {} : { instanceEvent }),
          ...(changed.length === 0
            ? {}
            : { wakesReaders: { outputs: changed, hops: (spec.inputs.hops ?? 0) + 1 } }),
        },
      ],
      { plan, slot: slot.held() },
    );
    close(run);
  });
}

/** The ending with its outputs, or with the reason for their absence. */
async function withOutputs(
  open: OpenRun,
  intended: Ending,
): Promise<{ ending: Ending; outputs?: RunOutputs }> {
  const succeeds = intended.state === "SUCCEEDED" || intended.state === "NO_CHANGES";
  if (!succeeds || open.readOnly) return { ending: intended };
  const unread = await readLast(open);
  try {
    await keepOptions(open);
  } catch (cause) {
    return { ending: { ...intended, ...failure(reasonIn(cause)) } };
  }
  try {
    if (unread !== undefined) throw unread;
    return { ending: intended, outputs: await outputsLeft(open) };
  } catch (cause) {
    const outputsError = reasonIn(cause);
    const line = `${outputsError.message} The outputs stay as they were.`;
    const lines = [...(intended.lines ?? []), note(line, "warn")];
    return { ending: { ...intended, lines, outputsError } };
  }
}

/** Reads the objects that only the outputs need. Returns the reason if one cannot be read. Throws `WaitsForCalls`. */
async function readLast(open: OpenRun): Promise<unknown> {
  if (open.spec.operation === "destroy") return undefined;
  const { view } = await open.parts.resources();
  for (let tries = 1; ; tries += 1)
    try {
      await (await open.reads()).readFor(undefined, view);
      return undefined;
    } catch (error) {
      if (error instanceof WaitsForCalls) {
        if (!open.run.canceling) throw error;
        return new ProgramError("object_unread", `An object was not read: ${error.message}`);
      }
      const isLate = error instanceof Unread && error.retryAfterMs !== undefined;
      if (!isLate || tries === LAST_TRIES) return error;
    }
}

/** The mistake of the template or its values. Rethrows any other error. */
function reasonIn(cause: unknown): OutputsError {
  if (!(cause instanceof ResolveError || cause instanceof ProgramError)) throw cause;
  const { code, message } = cause;
  const output = cause instanceof ResolveError ? cause.output : undefined;
  return { code, message, ...(output === undefined ? {} : { output }) };
}

async function outputsLeft(open: OpenRun): Promise<RunOutputs> {
  const { view } = await open.parts.resources();
  const values = open.spec.operation === "destroy" ? {} : (await open.program()).outputs(view);
  return runOutputs(open.parts, open.run, values);
}

/** The change of the instance's drift; undefined: the run learned nothing about it. */
async function driftLeft(open: OpenRun, state: DeploymentState): Promise<DriftUpdate | undefined> {
  const { run, parts, spec } = open;
  const previous = parts.store.facts.get("drift") ?? "";
  const resolved = state === "NO_CHANGES" && previous !== "" && !open.readOnly;
  if (run.phase !== "applying" && !resolved) return undefined;
  const { view } = await parts.resources();
  const complete = state === "SUCCEEDED" || state === "NO_CHANGES";
  const update = await driftUpdate(view, previous, complete);
  // A canceled check does not overwrite an earlier result with UNKNOWN.
  const stopped = spec.operation === "drift_check" && state === "CANCELED";
  return stopped && update.status === "UNKNOWN" ? undefined : update;
}

function driftMove(
  { writer }: OpenRun,
  { type, resources }: NonNullable<DriftUpdate["event"]>,
): Move {
  return { instance: {}, instanceEvent: writer.instanceEvent(type, { resources }) };
}
