/**
 * What a runner keeps in its own SQLite. Every method of a table is one synchronous piece of a transaction;
 * `atomically` makes several one.
 */
import { firstIdAt } from "#platform/ids.ts";
import { FactsTable } from "./facts-table.ts";
import { JournalTable } from "./journal-table.ts";
import { ProjectionsTable } from "./projections-table.ts";
import { ResourcesTable } from "./resources-table.ts";
import { RunsTable } from "./runs-table.ts";

/** The logs that are kept of an instance's deployments. */
const KEPT_LOGS = 50;
const KEPT_LOGS_MS = 30 * 24 * 60 * 60 * 1000;
/** What is forgotten at a time, at most: runs, and entries of each. */
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

  /** Something is yet to be done: a run, or a projection that D1 has not taken in. */
  hasWork(): boolean {
    return this.runs.nextId() !== undefined || this.projections.first() !== undefined;
  }

  /**
   * Forgets the logs, and the runs, of old deployments: those that ended and are older than 30 days or not among the
   * newest 50. A bounded piece of it each time.
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
