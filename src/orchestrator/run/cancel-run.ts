/**
 * The cancel of a run, by its phase. The request commits CANCELING or CANCELED in D1, then marks the run
 * (`InstanceRunner.cancel`); the sweep repeats a lost mark. From then on the run makes no call, and only a call in flight
 * is awaited.
 *
 *   waiting    is loaded, finds that D1 has ended it, and closes
 *   gate       approved: ends; else closes as D1 says, and its place in the queue is released
 *   planning   ends
 *   parked     ends: the cancel came during planning, so that D1 says CANCELING and nobody can approve the plan
 *   applying   the scheduler makes no move any more, and every open step stops (steps/stop-steps.ts)
 *   closed     nothing
 */
import type { Run } from "#orchestrator/storage/run.ts";
import type { RunPhase } from "#schema/lists/run-phases.ts";
import type { Ending } from "./end-run.ts";

/** `goes on`: the phase itself ends the run. */
export type CancelMove =
  | { kind: "ends"; ending: Ending }
  | { kind: "closes" }
  | { kind: "goes on" };

const goesOn: CancelMove = { kind: "goes on" };

const moves: { readonly [phase in RunPhase]: (run: Pick<Run, "approved">) => CancelMove } = {
  waiting: () => goesOn,
  gate: ({ approved }) => (approved ? ends("Canceled before it was applied.") : { kind: "closes" }),
  planning: () => ends("Canceled while planning."),
  parked: () => ends("Canceled while planning."),
  applying: () => goesOn,
  closed: () => goesOn,
};

/** The next move of a canceled run. */
export function cancelMove(run: Pick<Run, "phase" | "approved">): CancelMove {
  return moves[run.phase](run);
}

/** The end of a canceled run. */
export function canceled(message: string): Ending {
  return { state: "CANCELED", message };
}

function ends(message: string): CancelMove {
  return { kind: "ends", ending: canceled(message) };
}
