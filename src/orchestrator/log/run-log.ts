import type { RunnerStore } from "#orchestrator/storage/runner-store.ts";
import { type LogEntry, narrate } from "./narrate.ts";

/** Entries of a page, at most. */
const PAGE = 500;

export interface LogPage {
  entries: LogEntry[];
  /** Nothing more will come after these. */
  ended: boolean;
  /** The deployment has no entry at all. */
  empty: boolean;
}

export interface LogQuery {
  limit?: number;
  /** Waits so long for something new to say. */
  waitMs?: number;
  /** D1 calls the deployment ended. */
  over?: boolean;
}

/** The runs as people follow them: the log, and the readers who wait for its next line. */
export class RunLog {
  readonly #store: RunnerStore;
  readonly #ask: (deploymentId: string) => Promise<boolean>;
  #readers: (() => void)[] = [];

  /** `ask`: has the runner look what became of a deployment that waits; true: something did. */
  constructor(store: RunnerStore, ask: (deploymentId: string) => Promise<boolean>) {
    this.#store = store;
    this.#ask = ask;
  }

  /** Something is new: whoever waits reads again. */
  tell(): void {
    for (const tell of this.#readers.splice(0)) tell();
  }

  /** A page of a deployment's log. What D1 calls over and the runner has not heard of, it hears of now. */
  async read(deploymentId: string, afterSeq: number, query: LogQuery): Promise<LogPage> {
    const { limit = PAGE, waitMs = 0, over = false } = query;
    if (over) await this.#ask(deploymentId);
    const read = () => this.#page(deploymentId, afterSeq, Math.min(limit, PAGE), over);
    const page = read();
    if (page.entries.length > 0 || page.ended || waitMs === 0) return page;
    await this.#nextLine(waitMs);
    const later = read();
    // So long without a word: perhaps a bell was lost.
    if (later.entries.length > 0 || later.ended || !(await this.#ask(deploymentId))) return later;
    return read();
  }

  /**
   * Waits up to `waitMs` until the deployment has ended or waits for approval, and D1 says so. True: it does; of a
   * deployment that nobody rang for yet it waits to hear.
   */
  async untilEnded(deploymentId: string, waitMs: number): Promise<boolean> {
    const untilMs = Date.now() + waitMs;
    for (;;) {
      const phase = this.#store.runs.phaseOf(deploymentId);
      if (
        (phase === "closed" || phase === "parked") &&
        !this.#store.projections.hasOf(deploymentId)
      )
        return true;
      const leftMs = untilMs - Date.now();
      if (leftMs <= 0) return false;
      await this.#nextLine(leftMs);
    }
  }

  #page(deploymentId: string, afterSeq: number, limit: number, over: boolean): LogPage {
    const rows = this.#store.journal.page(deploymentId, afterSeq, limit);
    const phase = this.#store.runs.phaseOf(deploymentId);
    // Over only when D1 says so too: who reads the deployment after the log's end reads its end.
    const ended =
      phase === undefined || phase === "waiting"
        ? over
        : phase === "closed" && !this.#store.projections.hasOf(deploymentId);
    return {
      entries: rows.map(narrate),
      ended: ended && rows.length < limit,
      empty: rows.length === 0 && !this.#store.journal.has(deploymentId),
    };
  }

  async #nextLine(waitMs: number): Promise<void> {
    let told: (() => void) | undefined;
    const line = new Promise<void>((resolve) => {
      told = resolve;
      this.#readers.push(resolve);
    });
    const enough = new AbortController();
    await Promise.race([
      line,
      scheduler.wait(waitMs, { signal: enough.signal }).catch(() => undefined),
    ]);
    enough.abort();
    this.#readers = this.#readers.filter((reader) => reader !== told);
  }
}
