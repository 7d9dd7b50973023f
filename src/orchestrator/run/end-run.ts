/** The end of a run and its effects: the instance's state, outputs and drift, events, and triggers that become due. */
import type { Plan } from "#engine/plan/steps.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import type { Move } from "#orchestrator/projection/projection.ts";
import { type Entry, note } from "#orchestrator/storage/journal.ts";
import { close } from "#orchestrator/storage/run.ts";
import type { DeploymentError } from "#schema/deployments.ts";
import { faultOf } from "#schema/lists/deployment-faults.ts";
import type { DeploymentState } from "#schema/lists/deployment-states.ts";
import { type DriftUpdate, driftUpdate } from "./drift-update.ts";
import { statusAfter } from "./instance-status.ts";
import { keepOptions } from "./keep-options.ts";
import type { OpenRun } from "./open-run.ts";
import { type RunOutputs, runOutputs } from "./run-outputs.ts";

/** Maximum outputs named in an event. */
const MAX_NAMED_OUTPUTS = 50;

const KEY_LOST =
  "The sealing key of the outputs' hashes is missing: they have a new one, and every output counts as changed.";

export interface Ending {
  state: "SUCCEEDED" | "NO_CHANGES" | "FAILED" | "CANCELED";
  /** The last line of the log. */
  message: string;
  error?: DeploymentError;
  /** Moves and log lines that precede those of the end. */
  before?: Move[];
  lines?: Entry[];
  plan?: Plan;
  /** Something at the provider may have changed. */
  touched?: boolean;
}

export function failure(error: DeploymentError): Ending {
  return { state: "FAILED", message: `Failed: ${error.message}`, error };
}

/** Writes the run's last commit. A success whose options or outputs cannot be stored becomes a failure. */
export async function endRun(open: OpenRun, intended: Ending): Promise<void> {
  const { run, parts, writer, slot } = open;
  const { operation, instanceState } = open.spec;
  const applied = run.phase === "applying" && operation !== "drift_check";
  const { ending, outputs } = await withOutputs(open, intended);
  const { state, message, before = [], lines = [], plan, touched = false } = ending;
  const error = ending.error && { ...ending.error, fault: faultOf(ending.error) };
  // With nothing left to change the instance is complete, however earlier runs ended.
  const status =
    applied || (state === "NO_CHANGES" && !open.readOnly)
      ? statusAfter(operation, instanceState, state, touched)
      : undefined;
  const destroyed = status === "DESTROYED";
  const drift = await driftLeft(open, state);
  const instance: Move["instance"] =
    operation === "plan"
      ? undefined
      : {
          stateSerial: parts.store.facts.serial(),
          ...(status === undefined ? {} : { state: status }),
          ...(outputs === undefined
            ? {}
            : {
                outputs: outputs.shown,
                secretOutputs: outputs.sealed,
                outputHashes: outputs.hashes,
              }),
          ...(drift === undefined ? {} : { drift: drift.status }),
        };
  const wakesReaders = readersToWake(open, state, outputs);
  if (applied) await open.claims.match((await parts.resources()).view);
  const rekeyed = outputs?.keyLost === true ? [note(KEY_LOST, "warn")] : [];
  const last = note(message, state === "FAILED" ? "error" : "info");
  await writer.commit([...lines, ...rekeyed, last], () => {
    const working = applied || run.approved ? "APPLYING" : "PLANNING";
    const from = run.canceling ? "CANCELING" : working;
    outputs?.keep();
    if (drift !== undefined) parts.store.facts.set("drift", drift.findings);
    const instanceEvent = destroyed
      ? writer.instanceEvent("instance.destroyed")
      : outputs !== undefined && outputs.changed.length > 0
        ? writer.instanceEvent("instance.outputs_changed", {
            outputs: outputs.changed.slice(0, MAX_NAMED_OUTPUTS),
          })
        : undefined;
    writer.project(
      [
        ...before,
        ...(drift?.event === undefined || destroyed ? [] : [driftMove(open, drift.event)]),
        {
          state,
          deployment: { gateTicket: null, ...(error === undefined ? {} : { error }) },
          event: writer.event(
            state.toLowerCase(),
            from,
            state,
            error === undefined ? {} : { error },
          ),
          ...(instance === undefined ? {} : { instance }),
          ...(instanceEvent === undefined ? {} : { instanceEvent }),
          ...(wakesReaders === undefined ? {} : { wakesReaders }),
        },
      ],
      { plan, slot: slot.held() },
    );
    close(run);
  });
}

/** The ending with its outputs; a failure if the options or outputs of a success cannot be stored. */
async function withOutputs(
  open: OpenRun,
  intended: Ending,
): Promise<{ ending: Ending; outputs?: RunOutputs }> {
  const succeeds = intended.state === "SUCCEEDED" || intended.state === "NO_CHANGES";
  if (!succeeds || open.readOnly) return { ending: intended };
  try {
    await keepOptions(open);
    return { ending: intended, outputs: await outputsLeft(open) };
  } catch (cause) {
    if (!(cause instanceof ResolveError || cause instanceof ProgramError)) throw cause;
    const { code, message } = cause;
    return { ending: { ...intended, ...failure({ code, message }) } };
  }
}

async function outputsLeft(open: OpenRun): Promise<RunOutputs> {
  const { view } = await open.parts.resources();
  const values = open.spec.operation === "destroy" ? {} : (await open.program()).outputs(view);
  return runOutputs(open.parts, open.run, values);
}

/** The change of the instance's drift; undefined: the run found out nothing about it. */
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

/** The outputs whose readers' triggers become due: those that changed, or all after a failed deploy. */
function readersToWake(
  { spec, readOnly }: OpenRun,
  state: DeploymentState,
  outputs: RunOutputs | undefined,
): Move["wakesReaders"] {
  const hops = (spec.inputs.hops ?? 0) + 1;
  if (outputs !== undefined && outputs.changed.length > 0)
    return { outputs: outputs.changed, hops };
  const deploys = !readOnly && spec.operation !== "destroy";
  return state === "FAILED" && deploys ? { outputs: "all", hops } : undefined;
}
