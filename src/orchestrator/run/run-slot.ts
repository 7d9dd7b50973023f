import { SLOT_LEASE_MS } from "#orchestrator/gate/slot-lease.ts";
import type { SlotAnswer } from "#orchestrator/gate/target-gate.ts";
import type { Projection } from "#orchestrator/projection/projection.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { onlyLooks, type Run, specOf } from "#orchestrator/storage/run.ts";
import { currentSize } from "./load-run.ts";

/** A run's slot at its target: asked for, kept, and told of when it can be given back. Who only looks needs none. */
export class RunSlot {
  readonly #parts: Pick<RunnerParts, "db" | "gate" | "now">;
  readonly #run: Run;
  /** When the gate last said that the slot is ours; 0: not since this object came to life. */
  #heldAtMs = 0;

  constructor(parts: RunnerParts, run: Run) {
    this.#parts = parts;
    this.#run = run;
  }

  /** `hold` has to be called so often. */
  readonly holdEveryMs = SLOT_LEASE_MS / 3;

  /** Asked again, the gate gives the same answer, and keeps the slot or the place in its queue for longer. */
  async ask(): Promise<SlotAnswer> {
    const { operation, inputs } = specOf(this.#run);
    if (onlyLooks(operation)) return { granted: true };
    const { target } = inputs;
    // Who waits brings the newest word, should the one that changed it not have been heard.
    const size =
      (this.#run.ticket !== null && (await currentSize(this.#parts.db, target))) || target;
    const nowMs = this.#parts.now();
    const answer = await this.#parts.gate(target.id).acquire({
      deploymentId: this.#run.deploymentId,
      instanceId: this.#run.instanceId,
      capacity: size.maxConcurrentDeployments,
      targetVersion: size.version ?? 0,
      now: nowMs,
    });
    this.#heldAtMs = answer.granted ? nowMs : 0;
    return answer;
  }

  /**
   * Keeps it. False: it lapsed and is another's now, so nothing may be started until there is one again. A runner
   * that lost its memory asks before anything else: it may have been dead for long.
   */
  async hold(): Promise<boolean> {
    if (this.#parts.now() - this.#heldAtMs < this.holdEveryMs) return true;
    return (await this.ask()).granted;
  }

  /** What the run may hold at its target's gate. */
  held(): Projection["slot"] {
    const { spec } = this.#run;
    if (spec === null || onlyLooks(spec.operation)) return undefined;
    return { targetId: spec.inputs.target.id };
  }
}
