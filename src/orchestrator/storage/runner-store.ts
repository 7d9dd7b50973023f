/**
 * The runner's SQLite storage. Every method of a table is synchronous, so that `atomically` can combine several into
 * one transaction.
 */
import type { Ending } from "#orchestrator/projection/snapshot.ts";
import { createdAtMs, firstIdAt } from "#platform/ids.ts";
import { FactsTable } from "./facts-table.ts";
import { JournalTable } from "./journal-table.ts";
import { ResourcesTable } from "./resources-table.ts";
import { RunsTable } from "./runs-table.ts";
import { SnapshotsTable } from "./snapshots-table.ts";

/** Logs kept per instance. */
const KEPT_LOGS = 50;
const KEPT_LOGS_MS = 30 * 24 * 60 * 60 * 1000;
/** The most runs pruned at once, and the most entries of each. */
const PRUNED_RUNS = 5;
const PRUNED_ENTRIES = 1_000;
/**
 * The time over which D1 can be restored: https://developers.cloudflare.com/d1/reference/time-travel/. Snapshots are
 * kept as long, up to a maximum for each instance (each has less than 2 MB, the object's storage 10 GB).
 */
const RESTORE_WINDOW_MS = 30 * 24 * 60 * 60 * 1000;
const KEPT_SNAPSHOTS = 2_000;
const PRUNED_SNAPSHOTS = 100;

export class RunnerStore {
  readonly runs: RunsTable;
  readonly journal: JournalTable;
  readonly resources: ResourcesTable;
  readonly snapshots: SnapshotsTable;
  readonly facts: FactsTable;
  readonly #storage: DurableObjectStorage;
  readonly #ended: (deploymentId: string, ending: Ending) => void;

  /** `ended`: called once for a deployment that D1 has ended. */
  constructor(
    storage: DurableObjectStorage,
    ended: (deploymentId: string, ending: Ending) => void = () => undefined,
  ) {
    this.#storage = storage;
    this.#ended = ended;
    const { sql } = storage;
    this.runs = new RunsTable(sql);
    this.journal = new JournalTable(sql);
    this.resources = new ResourcesTable(sql);
    this.snapshots = new SnapshotsTable(sql);
    this.facts = new FactsTable(sql);
  }

  atomically<T>(work: () => T): T {
    return this.#storage.transactionSync(() => this.facts.during(work));
  }

  /** The state serial: the number of changes of the resources so far. */
  serial(): number {
    return Math.max(Number(this.facts.get("serial") ?? "0"), this.resources.last().serial);
  }

  /** Whether the instance has an open run, even one that waits for approval, or a projection that D1 lacks. */
  hasWork(): boolean {
    return this.runs.anyOpen() || this.snapshots.firstPending() !== undefined;
  }

  /** Whether the run is closed and D1 has all its projections. */
  isOver(deploymentId: string): boolean {
    return this.runs.phaseOf(deploymentId) === "closed" && !this.snapshots.isPending(deploymentId);
  }

  /**
   * Follows D1, in which the deployment has ended, and reverts the changes that D1 rejected. Run inside a transaction.
   */
  endInD1(run: Parameters<SnapshotsTable["end"]>[0], ending: Ending): void {
    const { deploymentId } = run;
    const { instanceColumns = [], previousDeploymentId } = this.snapshots.get(deploymentId) ?? {};
    if (instanceColumns.includes("lastDeploymentId"))
      this.facts.takeBackDeployment(deploymentId, previousDeploymentId);
    const isKnown =
      this.snapshots.hasEnded(deploymentId) && !this.snapshots.isPending(deploymentId);
    if (!isKnown) this.#ended(deploymentId, ending);
    this.snapshots.end(run, ending);
  }

  /**
   * Removes logs and runs of ended deployments that are older than 30 days or not among the newest 50, and snapshots
   * that D1 can no longer need. Each call removes a bounded amount; false: nothing was left to remove.
   */
  prune(nowMs: number): boolean {
    const kept = this.runs.nthNewestId(KEPT_LOGS);
    const oldest = firstIdAt(nowMs - KEPT_LOGS_MS);
    const before = kept !== undefined && kept > oldest ? kept : oldest;
    const closed = this.runs
      .closedBefore(before, PRUNED_RUNS)
      .filter((id) => !this.snapshots.isPending(id));
    for (const id of closed)
      this.atomically(() => {
        this.journal.removeFirst(id, PRUNED_ENTRIES);
        if (!this.journal.has(id)) this.runs.remove(id);
      });
    const removed = this.snapshots.prune(
      nowMs - RESTORE_WINDOW_MS,
      KEPT_SNAPSHOTS,
      PRUNED_SNAPSHOTS,
    );
    return closed.length > 0 || removed > 0;
  }

  /** The time at which the oldest log or snapshot can be removed; undefined: there is none. */
  pruneAtMs(): number | undefined {
    const log = this.runs.firstClosedId();
    const snapshot = this.snapshots.oldestAtMs();
    const times = [
      ...(log === undefined ? [] : [createdAtMs(log) + KEPT_LOGS_MS]),
      ...(snapshot === undefined ? [] : [snapshot + RESTORE_WINDOW_MS]),
    ];
    return times.length === 0 ? undefined : Math.min(...times);
  }
}
