import type { Sqlite } from "./sqlite.ts";

/** D1's Time Travel: the whole database goes back to an earlier moment. One moment can be remembered at a time. */
export class TimeTravel {
  readonly #d1: Sqlite;
  #remembers = false;
  /** When the database last went back, by the platform's clock. */
  restoredAtMs: number | undefined;

  constructor(d1: Sqlite) {
    this.#d1 = d1;
  }

  remember(): void {
    if (this.#remembers) return;
    this.#d1.script("SAVEPOINT remembered");
    this.#remembers = true;
  }

  /** False: no moment was remembered. */
  goBack(nowMs: number): boolean {
    if (!this.#remembers) return false;
    this.#d1.script("ROLLBACK TO remembered; RELEASE remembered");
    this.#remembers = false;
    this.restoredAtMs = nowMs;
    return true;
  }
}
