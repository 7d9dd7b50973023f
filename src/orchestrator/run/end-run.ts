/** The end of a run, and what it leaves: the instance's status, outputs and drift, who is told, and whose turn it is. */
import type { Plan } from "#engine/plan/steps.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import { ProgramError } from "#orchestrator/program/program-error.ts";
import type { Move } from "#orchestrator/projection/projection.ts";
import { type Entry, note } from "#orchestrator/storage/journal.ts";
import { close } from "#orchestrator/storage/run.ts";
import type { DeploymentState } from "#schema/deployment-states.ts";
import type { DeploymentError } from "#schema/deployments.ts";
import { type DriftNews, driftNews } from "./drift-news.ts";
import { statusAfter } from "./instance-status.ts";
import { keepOptions } from "./keep-options.ts";
import type { OpenRun } from "./open-run.ts";
import { type RunOutputs, runOutputs } from "./run-outputs.ts";

/** An event names so many outputs at most. */
const MAX_NAMED_OUTPUTS = 50;

export interface Ending {
  state: "SUCCEEDED" | "NO_CHANGES" | "FAILED" | "CANCELED";
  /** The last line of the log. */
  message: string;
  error?: DeploymentError;
  /** What D1 is to know first, and the log is to say. */
  before?: Move[];
  lines?: Entry[];
  plan?: Plan;
  /** Something at the provider may have changed. */
  touched?: boolean;
}

export function failure(error: DeploymentError): Ending {
  return { state: "FAILED", message: `Failed: ${error.message}`, error };
}

/** The run's last commit. What is desired and cannot be left (outputs that are no values) makes the end a failure. */
export async function endRun(open: OpenRun, wanted: Ending): Promise<void> {
  const { run, parts, writer, slot } = open;
  const { operation, instanceState } = open.spec;
  const applied = run.phase === "applying" && operation !== "drift_check";
  const { ending, outputs } = await withOutputs(open, wanted);
  const { state, message, error, before = [], lines = [], plan, touched = false } = ending;
  // Where nothing is left to change the instance is whole, whatever became of the runs before.
  const status =
    applied || (state === "NO_CHANGES" && !open.onlyLooks)
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
  await writer.commit([...lines, note(message, state === "FAILED" ? "error" : "info")], () => {
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
            error === undefined ? {} : { error: { ...error } },
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

/** The outputs that a success leaves to be read, or the failure that they make of it. */
async function withOutputs(
  open: OpenRun,
  wanted: Ending,
): Promise<{ ending: Ending; outputs?: RunOutputs }> {
  const succeeds = wanted.state === "SUCCEEDED" || wanted.state === "NO_CHANGES";
  if (!succeeds || open.onlyLooks) return { ending: wanted };
  try {
    await keepOptions(open);
    return { ending: wanted, outputs: await outputsLeft(open) };
  } catch (cause) {
    if (!(cause instanceof ResolveError || cause instanceof ProgramError)) throw cause;
    const { code, message } = cause;
    return { ending: { ...wanted, ...failure({ code, message }) } };
  }
}

async function outputsLeft(open: OpenRun): Promise<RunOutputs> {
  const { view } = await open.parts.resources();
  const values = open.spec.operation === "destroy" ? {} : (await open.program()).outputs(view);
  return runOutputs(open.parts, open.run, values);
}

/** Undefined: the run learned nothing of drift. */
async function driftLeft(open: OpenRun, state: DeploymentState): Promise<DriftNews | undefined> {
  const { run, parts, spec } = open;
  const known = parts.store.facts.get("drift") ?? "";
  const mended = state === "NO_CHANGES" && known !== "" && !open.onlyLooks;
  if (run.phase !== "applying" && !mended) return undefined;
  const { view } = await parts.resources();
  const sure = state === "SUCCEEDED" || state === "NO_CHANGES";
  const news = await driftNews(view, known, sure);
  // A check that was stopped has nothing to say against what was known before.
  const stopped = spec.operation === "drift_check" && state === "CANCELED";
  return stopped && news.status === "UNKNOWN" ? undefined : news;
}

function driftMove(
  { writer }: OpenRun,
  { type, resources }: NonNullable<DriftNews["event"]>,
): Move {
  return { instance: {}, instanceEvent: writer.instanceEvent(type, { resources }) };
}

/** Whose triggers are to look at what this end left: those of the instances that read what changed, or hoped for it. */
function readersToWake(
  { spec, onlyLooks }: OpenRun,
  state: DeploymentState,
  outputs: RunOutputs | undefined,
): Move["wakesReaders"] {
  const hops = (spec.inputs.hops ?? 0) + 1;
  if (outputs !== undefined && outputs.changed.length > 0)
    return { outputs: outputs.changed, hops };
  const hoped = !onlyLooks && spec.operation !== "destroy";
  return state === "FAILED" && hoped ? { outputs: "all", hops } : undefined;
}
