/**
 * The runs that wait for approval or for a slot. D1 decides the end of a wait by the first commit: an approval, a
 * discard, the expiry or a newer run. The runner then follows D1. Needless and repeated calls are safe.
 */
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { endingNote } from "#orchestrator/log/narrate.ts";
import {
  type EndedWaiting,
  endWaiting,
  type StandingInD1,
  standingInD1,
} from "#orchestrator/run/end-waiting.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { note } from "#orchestrator/storage/journal.ts";
import { type DeploymentState, isFinal } from "#schema/lists/deployment-states.ts";
import type { RunPhase } from "#schema/lists/run-phases.ts";

export class WaitingRuns {
  readonly #parts: Pick<
    RunnerParts,
    "db" | "env" | "store" | "now" | "newId" | "commit" | "append"
  >;
  readonly #cancel: (deploymentId: string) => Promise<boolean>;
  readonly #suspect: (deploymentId: string) => void;

  /**
   * `cancel`: marks a run as canceling, whatever its phase; false: it is marked already. `suspect`: marks the
   * deployment's row for comparison with its snapshot.
   */
  constructor(
    parts: RunnerParts,
    effects: {
      cancel: (deploymentId: string) => Promise<boolean>;
      suspect: (deploymentId: string) => void;
    },
  ) {
    this.#parts = parts;
    this.#cancel = effects.cancel;
    this.#suspect = effects.suspect;
  }

  /**
   * Applies the state in D1 to a waiting run: resumes an approved run, closes a run that D1 has ended. False: the run
   * does not wait, or nothing changed.
   */
  async refresh(deploymentId: string): Promise<boolean> {
    const run = this.#parts.store.runs.readable(deploymentId);
    if (run?.phase !== "parked" && run?.phase !== "gate") return false;
    return this.#apply(deploymentId, await standingInD1(this.#parts.db, run));
  }

  /**
   * Ends the plans that can no longer be approved: expired plans, and plans made from an older state of the instance.
   * Passes the resulting deliveries to `notify`.
   */
  async endOutdated(notify: (deliveries: readonly DeliveryRef[]) => void): Promise<void> {
    const { store, now, newId } = this.#parts;
    if (store.runs.isBusy()) return;
    const serial = store.serial();
    for (const parked of store.runs.parked()) {
      const endState =
        parked.stateSerial !== serial
          ? "SUPERSEDED"
          : parked.untilMs <= now()
            ? "EXPIRED"
            : undefined;
      if (endState === undefined) continue;
      const ended = await endWaiting(this.#parts, parked, parked.operation, endState, {
        id: newId(),
        atMs: now(),
      });
      notify(ended.deliveries);
      await this.#apply(parked.deploymentId, ended.standing, ended.written);
    }
  }

  /** Applies the deployment's state in D1. True: the run changed. */
  async #apply(
    deploymentId: string,
    standing: StandingInD1 | undefined,
    written?: EndedWaiting["written"],
  ): Promise<boolean> {
    const state = standing?.state;
    const { store, commit, append, now } = this.#parts;
    const phase = store.runs.phaseOf(deploymentId);
    if (isLost(phase, state) && (store.snapshots.get(deploymentId)?.acked ?? 0) > 0) {
      this.#suspect(deploymentId);
      return false;
    }
    const action = actionFor(phase, state);
    if (action === undefined) return false;
    if (action === "cancel") return this.#cancel(deploymentId);
    let changed = false;
    await commit(() => {
      const run = store.runs.readable(deploymentId);
      if (run?.phase !== "parked" || run.canceling) return;
      // An unreadable plan is not applied: its run ends with the reason.
      if (action === "approve" && (run.spec === null || run.plan === null)) return;
      changed = true;
      if (standing?.decisions !== undefined)
        store.snapshots.keepDecisions(deploymentId, standing.decisions);
      append(deploymentId, null, note(action === "close" ? endingNote(standing) : "Approved."));
      if (action === "close") {
        store.runs.closeUnreadable(run, false);
        if (state !== undefined) store.endInD1(run, { state, atMs: now(), ...written });
      } else store.runs.save({ ...run, approved: true, phase: "gate" });
    });
    return changed;
  }
}

/** Whether D1 shows a state from before the run began to wait, or has no row any more. */
function isLost(phase: RunPhase | undefined, state: DeploymentState | undefined): boolean {
  if (state === undefined) return true;
  return phase === "parked" && (state === "QUEUED" || state === "PLANNING");
}

/** The action of a run in this phase for its state in D1; undefined: none. */
function actionFor(
  phase: RunPhase | undefined,
  state: DeploymentState | undefined,
): "cancel" | "close" | "approve" | undefined {
  const ended = state === undefined || isFinal(state);
  // A run that waits for a slot must release its place at the gate. A cancel does that.
  if (state === "CANCELING" || (phase === "gate" && ended)) return "cancel";
  if (phase !== "parked") return undefined;
  return ended ? "close" : state === "APPLYING" ? "approve" : undefined;
}
