/**
 * The runs that wait: for approval, or for a slot. D1 decides what becomes of them, by whoever comes first (an
 * approval, a discard, the passing of time, another run), and the runner follows what D1 says. Being asked twice, or
 * for nothing, does no harm.
 */
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { endingNote } from "#orchestrator/log/narrate.ts";
import { endWaiting, stateInD1 } from "#orchestrator/run/end-waiting.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { note } from "#orchestrator/storage/journal.ts";
import { close, type Phase } from "#orchestrator/storage/run.ts";
import { type DeploymentState, isFinal } from "#schema/deployment-states.ts";

export class WaitingRuns {
  readonly #parts: Pick<RunnerParts, "db" | "store" | "now" | "newId" | "commit" | "append">;
  readonly #stop: (deploymentId: string) => Promise<boolean>;

  /** `stop`: has the run end as canceled, wherever it stands; false: it does already. */
  constructor(parts: RunnerParts, stop: (deploymentId: string) => Promise<boolean>) {
    this.#parts = parts;
    this.#stop = stop;
  }

  /**
   * What became of a deployment that waits, by D1: an approved one goes on, one that D1 has ended is closed.
   * False: it does not wait, or nothing became of it.
   */
  async ask(deploymentId: string): Promise<boolean> {
    const run = this.#parts.store.runs.get(deploymentId);
    if (run?.phase !== "parked" && run?.phase !== "gate") return false;
    return this.#hear(deploymentId, await stateInD1(this.#parts.db, run));
  }

  /**
   * Ends plans that wait for approval in vain: for too long, or of a state that is no more. What has to be delivered
   * by that is told to `delivers`.
   */
  async endVain(delivers: (deliveries: readonly DeliveryRef[]) => void): Promise<void> {
    const { db, store, now, newId } = this.#parts;
    if (store.runs.isBusy()) return;
    const serial = store.facts.serial();
    for (const parked of store.runs.parked()) {
      const verdict =
        parked.stateSerial !== serial
          ? "SUPERSEDED"
          : parked.untilMs <= now()
            ? "EXPIRED"
            : undefined;
      if (verdict === undefined) continue;
      const ended = await endWaiting(db, parked, parked.operation, verdict, {
        id: newId(),
        atMs: now(),
      });
      delivers(ended.deliveries);
      await this.#hear(parked.deploymentId, ended.state);
    }
  }

  /** `state`: what D1 says. True: that is news, and written down. */
  async #hear(deploymentId: string, state: DeploymentState | undefined): Promise<boolean> {
    const { store, commit, append } = this.#parts;
    const verdict = verdictOf(store.runs.phaseOf(deploymentId), state);
    if (verdict === undefined) return false;
    if (verdict === "stop") return this.#stop(deploymentId);
    let heard = false;
    await commit(() => {
      const run = store.runs.get(deploymentId);
      if (run?.phase !== "parked" || run.canceling) return;
      heard = true;
      if (verdict === "close") close(run);
      else {
        run.approved = true;
        run.phase = "gate";
      }
      append(deploymentId, null, note(verdict === "close" ? endingNote(state) : "Approved."));
      store.runs.save(run);
    });
    return heard;
  }
}

/** What a run in this phase makes of what D1 says of it; undefined: nothing. */
function verdictOf(
  phase: Phase | undefined,
  state: DeploymentState | undefined,
): "stop" | "close" | "approve" | undefined {
  const ended = state === undefined || isFinal(state);
  // What waits for a slot has a place at the gate to give back.
  if (state === "CANCELING" || (phase === "gate" && ended)) return "stop";
  if (phase !== "parked") return undefined;
  return ended ? "close" : state === "APPLYING" ? "approve" : undefined;
}
