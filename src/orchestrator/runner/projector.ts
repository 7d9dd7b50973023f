/**
 * Keeps D1 at the runner's knowledge. Each projection is sent until D1 has it. Afterwards its snapshot is kept,
 * compared with D1 at any sign that D1 has lost rows, and sent again.
 */
import type { TriggerRef } from "#kernel/outbox/notify-triggers.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { endingNote } from "#orchestrator/log/narrate.ts";
import {
  compareSnapshot,
  type Difference,
  type InstanceKnowledge,
} from "#orchestrator/projection/compare-snapshot.ts";
import {
  findInD1,
  knownBeside,
  type Reconciled,
  reconcileSnapshot,
} from "#orchestrator/projection/reconcile-snapshot.ts";
import { acknowledged, type Snapshot } from "#orchestrator/projection/snapshot.ts";
import { type Written, writeSnapshot } from "#orchestrator/projection/write-snapshot.ts";
import type { StandingInD1 } from "#orchestrator/run/end-waiting.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { note } from "#orchestrator/storage/journal.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { noteEnd } from "./note-end.ts";

/** Snapshots compared in one round trip. */
const PAGE = 50;

/** The result of a reconciliation: its comparisons, and the rows that D1 lacked. */
export interface Reconciliation {
  /** The deployments compared. */
  compared: number;
  /** Deployment rows that were written again, and the missing ones among them. */
  deployments: number;
  inserted: number;
  events: number;
  plans: number;
  /** The instance's row was written again. */
  instance: boolean;
  /** Deployments that D1 lacks and that cannot be inserted, because too little of them is known. */
  lost: number;
}

interface Effects {
  /** D1 has rejected the run: the deployment ended there or no longer exists. */
  rejected: (deploymentId: string, ended: StandingInD1 | undefined) => Promise<void>;
  /** D1 shows CANCELING. */
  canceling: (deploymentId: string) => Promise<unknown>;
  notify: (due: { deliveries: DeliveryRef[]; triggers: TriggerRef[] }) => void;
  /** D1 shows something new. */
  changed: () => void;
}

export class Projector {
  readonly #parts: Pick<RunnerParts, "db" | "env" | "store" | "now" | "release">;
  readonly #effects: Effects;
  /** Deployments whose rows may be older than their snapshots. If this object dies, the sweep finds them again. */
  readonly #suspects = new Set<string>();
  /** The running and waiting writes, one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    parts: Pick<RunnerParts, "db" | "env" | "store" | "now" | "release">,
    effects: Effects,
  ) {
    this.#parts = parts;
    this.#effects = effects;
  }

  /** Makes the next flush compare the deployment with D1. */
  suspect(deploymentId: string): void {
    this.#suspects.add(deploymentId);
  }

  /** Sends the pending projections, and compares the suspected deployments. Throws if D1 cannot be reached. */
  async flush(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#sendPending();
      for (const id of this.#suspects) {
        if (this.#parts.store.snapshots.get(id) !== undefined) await this.#reconcileOne(id);
        this.#suspects.delete(id);
      }
    });
  }

  /**
   * Compares every kept snapshot with D1 and writes missing rows. Writes nothing if they agree. With `dryRun` it writes
   * nothing at all, and counts the rows that it would write.
   */
  async reconcile({ dryRun }: { dryRun: boolean }): Promise<Reconciliation> {
    return this.#inTurn(async () => {
      if (!dryRun) await this.#sendPending();
      const { store, db, now } = this.#parts;
      const done: Reconciliation = {
        compared: 0,
        deployments: 0,
        inserted: 0,
        events: 0,
        plans: 0,
        instance: false,
        lost: 0,
      };
      for (let ids = store.snapshots.idsAfter("", PAGE); ids.length > 0;) {
        const snapshots = ids.flatMap((id) => store.snapshots.get(id) ?? []);
        const [first, ...others] = snapshots;
        if (first === undefined) break;
        const foundFor = await findInD1(db, [first, ...others]);
        for (const snapshot of snapshots) {
          done.compared += 1;
          const found = foundFor(snapshot);
          const parts = store.snapshots.partsOf(snapshot.deploymentId);
          const known = knownBeside(parts, this.#knowledge());
          const comparison = compareSnapshot(snapshot, known, found, now());
          if (comparison.is === "missing") done.lost += 1;
          if (comparison.is !== "less") continue;
          const by = dryRun ? comparison.by : await this.#written(snapshot.deploymentId);
          if (by === undefined) continue;
          if (by.deployment !== undefined) {
            done.deployments += 1;
            if (found.deployment === undefined) done.inserted += 1;
          }
          done.events += by.events.length;
          if (by.plan) done.plans += 1;
          if (by.instance !== undefined) done.instance = true;
        }
        ids = store.snapshots.idsAfter(ids.at(-1) ?? "", PAGE);
      }
      return done;
    });
  }

  async #sendPending(): Promise<void> {
    const { store } = this.#parts;
    for (;;) {
      const id = store.snapshots.firstPending();
      const snapshot = id === undefined ? undefined : store.snapshots.get(id);
      if (snapshot === undefined) return;
      const { plan } = store.snapshots.partsOf(snapshot.deploymentId);
      const written = await writeSnapshot(this.#parts, snapshot, store.facts.instance(), plan);
      if (written === undefined) await this.#reconcileOne(snapshot.deploymentId);
      else await this.#accept(snapshot, written);
    }
  }

  async #reconcileOne(deploymentId: string): Promise<Reconciled | undefined> {
    const { store, now } = this.#parts;
    const snapshot = store.snapshots.get(deploymentId);
    if (snapshot === undefined) return undefined;
    const kept = { snapshot, ...store.snapshots.partsOf(deploymentId) };
    const reconciled = await reconcileSnapshot(this.#parts, kept, this.#knowledge(), now());
    if (reconciled.is === "rejected") await this.#reject(snapshot, reconciled.standing);
    else await this.#accept(snapshot, reconciled);
    return reconciled;
  }

  #knowledge(): InstanceKnowledge {
    const { facts, snapshots } = this.#parts.store;
    return { instance: facts.instance(), hasSnapshotOf: (id) => snapshots.has(id) };
  }

  /** Reconciles the deployment, and returns the rows written; undefined: none. */
  async #written(deploymentId: string): Promise<Difference | undefined> {
    const reconciled = await this.#reconcileOne(deploymentId);
    return reconciled?.is === "written" ? reconciled.by : undefined;
  }

  /** `snapshot`: as sent. It may have changed since. */
  async #accept(
    snapshot: Snapshot,
    { ack, state, deliveries, triggers }: Extract<Reconciled, { is: "same" | "written" }> | Written,
  ): Promise<void> {
    const { store } = this.#parts;
    const { deploymentId } = snapshot;
    await this.#release(snapshot);
    const current = store.snapshots.get(deploymentId) ?? snapshot;
    const { state: shown, number, acked, atMs } = snapshot;
    if (number > acked && shown !== undefined && isFinal(shown))
      noteEnd(this.#parts, deploymentId, { state: shown, atMs });
    const { abandoned: error } = ack;
    if (error !== undefined && error.message !== current.fields.error?.message)
      this.#noteAbandoned(deploymentId, error);
    store.snapshots.acknowledge(acknowledged(current, ack));
    this.#effects.changed();
    if (state === "CANCELING") await this.#effects.canceling(deploymentId);
    // An operator has abandoned the deployment, and D1 has taken the rest of the projection.
    if (state === "FAILED" && current.state !== "FAILED")
      await this.#effects.rejected(deploymentId, { state, error: error ?? null });
    this.#effects.notify({ deliveries, triggers });
  }

  /** The last line of the log must be the end that D1 shows, even if the run meanwhile ended differently. */
  #noteAbandoned(deploymentId: string, error: NonNullable<StandingInD1["error"]>): void {
    const { store, now } = this.#parts;
    if (store.runs.phaseOf(deploymentId) !== "closed") return;
    const line = endingNote({ state: "FAILED", error });
    store.journal.append(deploymentId, now(), null, note(line, "error"));
  }

  async #reject(snapshot: Snapshot, ended: StandingInD1 | undefined): Promise<void> {
    const { store, now } = this.#parts;
    const { deploymentId } = snapshot;
    await this.#release(snapshot);
    // Close the run first: D1 rejects every projection after a rejected one, so the run could never end.
    await this.#effects.rejected(deploymentId, ended);
    const current = store.snapshots.get(deploymentId);
    if (current !== undefined && store.snapshots.isPending(deploymentId))
      if (ended === undefined) store.snapshots.put({ ...current, acked: current.number });
      else
        store.atomically(() =>
          store.endInD1(
            { ...current, projected: current.acked },
            { state: ended.state, atMs: now() },
          ),
        );
    this.#effects.changed();
  }

  async #release({ slot, deploymentId }: Snapshot): Promise<void> {
    if (slot !== undefined) await this.#parts.release(slot.targetId, deploymentId);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
