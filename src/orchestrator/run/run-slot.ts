import { SLOT_LEASE_MS } from "#orchestrator/gate/slot-lease.ts";
import type { SlotAnswer } from "#orchestrator/gate/target-gate.ts";
import type { Projection } from "#orchestrator/projection/projection.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { isReadOnly, type Run, specOf } from "#orchestrator/storage/run.ts";
import { describeError, log } from "#platform/log.ts";
import { currentCapacity } from "./load-run.ts";

/** Acquires and renews a run's slot at its target. Read-only operations need none. */
export class RunSlot {
  readonly #parts: Pick<RunnerParts, "db" | "gate" | "now">;
  readonly #run: Run;
  /** When the gate last granted the slot; undefined: not since this object started. */
  #heldAtMs: number | undefined;
  /** The newest version of the target whose capacity this object repaired. */
  #repairedVersion = 0;

  constructor(parts: RunnerParts, run: Run) {
    this.#parts = parts;
    this.#run = run;
  }

  /** Maximum interval between calls of `renew`. */
  readonly renewEveryMs = SLOT_LEASE_MS / 3;

  /** Acquires the slot. Repeated, it renews the lease of the slot or of the place in the queue. Asks the gate alone. */
  async acquire(): Promise<SlotAnswer> {
    const { operation, inputs } = specOf(this.#run);
    if (isReadOnly(operation)) return { granted: true };
    const { target } = inputs;
    const nowMs = this.#parts.now();
    const answer = await this.#parts.gate(target.id).acquire({
      deploymentId: this.#run.deploymentId,
      instanceId: this.#run.instanceId,
      capacity: target.maxConcurrentDeployments,
      targetVersion: target.version ?? 0,
    });
    this.#heldAtMs = answer.granted ? nowMs : undefined;
    return answer;
  }

  /**
   * Renews the slot lease at a third of its life. False: it lapsed and another run has the slot, so no step may be
   * started. A restarted runner always asks the gate first: its lease may have lapsed meanwhile.
   */
  async renew(): Promise<boolean> {
    const heldForMs = this.#parts.now() - (this.#heldAtMs ?? -Infinity);
    // A clock that was set back says nothing about how long ago the slot was granted.
    if (heldForMs >= 0 && heldForMs < this.renewEveryMs) return true;
    return (await this.acquire()).granted;
  }

  /**
   * Sends the gate the target's current capacity, in case the notification of its change was lost. Never throws: a
   * run waits without D1 too.
   */
  async repairCapacity(): Promise<void> {
    const { target } = specOf(this.#run).inputs;
    try {
      const current = await currentCapacity(this.#parts.db, target);
      const knownVersion = Math.max(this.#repairedVersion, target.version ?? 0);
      if (current === undefined || current.version <= knownVersion) return;
      await this.#parts.gate(target.id).resize(current.maxConcurrentDeployments, current.version);
      this.#repairedVersion = current.version;
    } catch (error) {
      log("warn", "The capacity of a target could not be checked; the run asks again", {
        deploymentId: this.#run.deploymentId,
        error: describeError(error),
      });
    }
  }

  /** The slot to release when the run ends or waits for approval; undefined: it needs none. */
  held(): Projection["slot"] {
    const { spec } = this.#run;
    if (spec === null || isReadOnly(spec.operation)) return undefined;
    return { targetId: spec.inputs.target.id };
  }
}
