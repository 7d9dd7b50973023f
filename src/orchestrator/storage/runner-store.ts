/**
 * The runner's SQLite storage. Every method of a table is synchronous, so that `atomically` can combine several into
 * one transaction.
 */
import { firstIdAt } from "#platform/ids.ts";
import { FactsTable } from "./facts-table.ts";
import { JournalTable } from "./journal-table.ts";
import { ProjectionsTable } from "./projections-table.ts";
import { ResourcesTable } from "./resources-table.ts";
import { RunsTable } from "./runs-table.ts";

/** Logs kept per instance. */
const KEPT_LOGS = 50;
const KEPT_LOGS_MS = 30 * 24 * 60 * 60 * 1000;
/** Maximum runs pruned at once, and maximum entries of each. */
const PRUNED_RUNS = 5;
const PRUNED_ENTRIES = 1_000;

export class RunnerStore {
  readonly runs: RunsTable;
  readonly journal: JournalTable;
  readonly resources: ResourcesTable;
  readonly projections: ProjectionsTable;
  readonly facts: FactsTable;
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    const { sql } = storage;
    this.runs = new RunsTable(sql);
    this.journal = new JournalTable(sql);
    this.resources = new ResourcesTable(sql);
    this.projections = new ProjectionsTable(sql);
    this.facts = new FactsTable(sql);
  }

  atomically<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  /** Whether there is an open run, also one that waits for approval, or a projection that D1 does not have yet. */
  hasWork(): boolean {
    return this.runs.anyOpen() || !this.projections.isEmpty();
  }

  /**
   * Removes the logs and runs of ended deployments that are older than 30 days or not among the newest 50. Each call
   * removes a bounded amount.
   */
  prune(nowMs: number): void {
    const kept = this.runs.nthNewestId(KEPT_LOGS);
    const oldest = firstIdAt(nowMs - KEPT_LOGS_MS);
    const before = kept !== undefined && kept > oldest ? kept : oldest;
    for (const id of this.runs.closedBefore(before, PRUNED_RUNS))
      this.atomically(() => {
        this.journal.removeFirst(id, PRUNED_ENTRIES);
        if (!this.journal.has(id)) this.runs.remove(id);
      });
  }
}
