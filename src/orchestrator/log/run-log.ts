import type { RunnerStore } from "#orchestrator/storage/runner-store.ts";
import { type LogEntry, narrate } from "./narrate.ts";

/** Maximum entries per page. */
const PAGE = 500;

export interface LogPage {
  entries: LogEntry[];
  /** The log is complete: no further entries will follow. */
  ended: boolean;
  /** The log of the deployment has no entries. */
  empty: boolean;
}

export interface LogQuery {
  limit?: number;
  /** Maximum wait for a new entry, in milliseconds. Default: no wait. */
  waitMs?: number;
  /** The deployment has ended according to D1. */
  over?: boolean;
}

/** Serves the log of the runs, and wakes the readers that wait for its next entry. */
export class RunLog {
  readonly #store: RunnerStore;
  readonly #refresh: (deploymentId: string) => Promise<boolean>;
  #readers: (() => void)[] = [];

  /** `refresh`: has the runner read a waiting deployment's state from D1. Returns true if the state changed. */
  constructor(store: RunnerStore, refresh: (deploymentId: string) => Promise<boolean>) {
    this.#store = store;
    this.#refresh = refresh;
  }

  /** Wakes the waiting readers, because something changed. */
  notifyReaders(): void {
    for (const wake of this.#readers.splice(0)) wake();
  }

  /** A page of a deployment's log. Refreshes the run first if the deployment has ended according to D1. */
  async read(deploymentId: string, afterSeq: number, query: LogQuery): Promise<LogPage> {
    const { limit = PAGE, waitMs = 0, over = false } = query;
    if (over) await this.#refresh(deploymentId);
    const read = () => this.#page(deploymentId, afterSeq, Math.min(limit, PAGE), over);
    const page = read();
    if (page.entries.length > 0 || page.ended || waitMs === 0) return page;
    await this.#nextLine(waitMs);
    const later = read();
    // The whole wait brought nothing new: a notification may have been lost.
    if (later.entries.length > 0 || later.ended || !(await this.#refresh(deploymentId)))
      return later;
    return read();
  }

  /** The newest warning or error among the last entries of a deployment's log. */
  lastProblem(deploymentId: string): LogEntry | undefined {
    return this.#store.journal
      .lastRows(deploymentId, PAGE)
      .map(narrate)
      .find(({ level }) => level !== "info");
  }

  /**
   * Waits up to `waitMs` until D1 shows that the deployment has ended or waits for approval. True: it does. Also waits
   * for a deployment whose notification has not arrived yet.
   */
  async untilEnded(deploymentId: string, waitMs: number): Promise<boolean> {
    const untilMs = Date.now() + waitMs;
    for (;;) {
      const phase = this.#store.runs.phaseOf(deploymentId);
      const stands = phase === "closed" || phase === "parked";
      if (stands && !this.#store.snapshots.isPending(deploymentId)) return true;
      const leftMs = untilMs - Date.now();
      if (leftMs <= 0) return false;
      await this.#nextLine(leftMs);
    }
  }

  #page(deploymentId: string, afterSeq: number, limit: number, over: boolean): LogPage {
    const rows = this.#store.journal.page(deploymentId, afterSeq, limit);
    const phase = this.#store.runs.phaseOf(deploymentId);
    // The log has ended only when D1 says so too: a client that then reads the deployment must see its final state.
    const ended =
      phase === undefined || phase === "waiting"
        ? over
        : phase === "closed" && !this.#store.snapshots.isPending(deploymentId);
    return {
      entries: rows.map(narrate),
      ended: ended && rows.length < limit,
      empty: rows.length === 0 && !this.#store.journal.has(deploymentId),
    };
  }

  async #nextLine(waitMs: number): Promise<void> {
    let wake: (() => void) | undefined;
    const line = new Promise<void>((resolve) => {
      wake = resolve;
      this.#readers.push(resolve);
    });
    const timeout = new AbortController();
    await Promise.race([
      line,
      scheduler.wait(waitMs, { signal: timeout.signal }).catch(() => undefined),
    ]);
    timeout.abort();
    this.#readers = this.#readers.filter((reader) => reader !== wake);
  }
}
