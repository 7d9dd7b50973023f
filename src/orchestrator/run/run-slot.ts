import type { CallShare } from "#orchestrator/gate/call-share.ts";
import type { Caller } from "#orchestrator/gate/call-shares.ts";
import { type CallPermit, RunCalls } from "#orchestrator/gate/run-calls.ts";
import { SLOT_LEASE_MS } from "#orchestrator/gate/slot-lease.ts";
import type { SlotAnswer } from "#orchestrator/gate/target-gate.ts";
import type { Projection } from "#orchestrator/projection/projection.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { isReadOnly, type Run, specOf } from "#orchestrator/storage/run.ts";
import { describeError, log } from "#platform/log.ts";
import { providerFor } from "#providers/registry.ts";
import { currentCapacity } from "./load-run.ts";

/** The concurrency of a provider that this version does not have. */
const DEFAULT_CONCURRENCY = 6;

/** The slot is lost, or its calls are in flight. */
const ASK_AGAIN_MS = 1_000;

/** Acquires and renews a run's slot at its target, and its share of calls. Read-only operations need no slot. */
export class RunSlot {
  readonly #parts: Pick<RunnerParts, "db" | "gate" | "now">;
  readonly #run: Run;
  readonly calls: RunCalls;
  /** When the gate last granted the slot; undefined: not since this object started. */
  #heldAtMs: number | undefined;
  /** The newest version of the target whose capacity this object sent to the gate. */
  #sentVersion = 0;

  constructor(parts: RunnerParts, run: Run) {
    this.#parts = parts;
    this.#run = run;
    this.calls = new RunCalls(parts.now);
  }

  /** Maximum interval between calls of `renew`. */
  readonly renewEveryMs = SLOT_LEASE_MS / 3;

  /** Acquires the slot. Repeated, it renews the lease of the slot or of the place in the queue. Calls only the gate. */
  async acquire(): Promise<SlotAnswer> {
    const { operation, inputs } = specOf(this.#run);
    if (isReadOnly(operation)) return { granted: true };
    const { target } = inputs;
    const concurrency = this.#concurrency();
    const nowMs = this.#parts.now();
    const answer = await this.#parts.gate(target.id).acquire({
      ...this.#caller(),
      capacity: target.maxConcurrentDeployments,
      targetVersion: target.version,
      share: this.calls.request(concurrency),
    });
    this.#heldAtMs = answer.granted ? nowMs : undefined;
    if (answer.granted && answer.share !== undefined) this.calls.accept(answer.share, nowMs);
    return answer;
  }

  /**
   * Asks the gate for the next share of calls. Returns the reason if there is none; undefined: there is one, or the
   * slot is lost.
   */
  async share(): Promise<CallShare["wait"]> {
    const { operation, inputs } = specOf(this.#run);
    if (!isReadOnly(operation)) {
      const answer = await this.acquire();
      return answer.granted ? answer.share?.wait : undefined;
    }
    const concurrency = this.#concurrency();
    const nowMs = this.#parts.now();
    const share = await this.#parts
      .gate(inputs.target.id)
      .shareCalls(this.#caller(), this.calls.request(concurrency));
    this.calls.accept(share, nowMs);
    return share.wait;
  }

  /**
   * Rights to up to `most` calls outside the steps, as many as there are now. None: the reason for the run's wait. Asks
   * the gate if the share is used up. A canceled run gets none.
   */
  async permits(most: number): Promise<CallPermit[] | NonNullable<CallShare["wait"]>> {
    if (this.#run.canceling) return { forMs: 1, for: "turn" };
    const wait = this.calls.due ? await this.share() : undefined;
    const permits: CallPermit[] = [];
    while (permits.length < most) {
      const permit = this.calls.begin();
      if (permit === undefined) break;
      permits.push(permit);
    }
    if (permits.length > 0) return permits;
    const nowMs = this.#parts.now();
    const untilMs = this.calls.waitsUntilMs ?? nowMs + ASK_AGAIN_MS;
    return wait ?? { forMs: Math.max(1, untilMs - nowMs), for: "turn" };
  }

  /** Reports the calls of a rate budget, and returns the unused ones. Never throws: a share lapses in any case. */
  async returnCalls(): Promise<void> {
    if (!this.calls.counts) return;
    const { deploymentId } = this.#run;
    try {
      const { target } = specOf(this.#run).inputs;
      await this.#parts.gate(target.id).returnCalls(deploymentId, this.calls.giveUp());
    } catch (error) {
      log("warn", "A share of calls could not be given back; it lapses", {
        deploymentId,
        error: describeError(error),
      });
    }
  }

  #caller(): Caller {
    const { deploymentId, instanceId, tenantId } = this.#run;
    return { deploymentId, instanceId, ...(this.isShared && { tenantId }) };
  }

  /** Other tenants may deploy to the target. */
  get isShared(): boolean {
    return specOf(this.#run).inputs.target.tenantId !== this.#run.tenantId;
  }

  #concurrency(): number {
    const provider = providerFor(specOf(this.#run).inputs.target.provider);
    return provider?.concurrency ?? DEFAULT_CONCURRENCY;
  }

  /**
   * Renews the slot lease at a third of its life. False: it lapsed and another run has the slot, so no step may be
   * started. A restarted runner always asks the gate first: its lease may have lapsed meanwhile.
   */
  async renew(): Promise<boolean> {
    const heldForMs = this.#parts.now() - (this.#heldAtMs ?? -Infinity);
    // A clock that was set back does not tell the age of the grant.
    if (heldForMs >= 0 && heldForMs < this.renewEveryMs) return true;
    return (await this.acquire()).granted;
  }

  /**
   * Sends the gate the target's current capacity, in case the notification of its change was lost. Never throws: a run
   * waits without D1 too.
   */
  async sendCapacity(): Promise<void> {
    const { target } = specOf(this.#run).inputs;
    try {
      const current = await currentCapacity(this.#parts.db, target);
      const knownVersion = Math.max(this.#sentVersion, target.version);
      if (current === undefined || current.version <= knownVersion) return;
      await this.#parts.gate(target.id).resize(current.maxConcurrentDeployments, current.version);
      this.#sentVersion = current.version;
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
