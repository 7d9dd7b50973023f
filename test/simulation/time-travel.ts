import type { Sqlite } from "./sqlite.ts";

/** D1's Time Travel: the whole database goes back to an earlier moment. One moment can be remembered at a time. */
export class TimeTravel {
  readonly #d1: Sqlite;
  #remembers = false;
  /** The states of the deployments that D1 had when it went back: it has lost a part of their stories, or all. */
  readonly deployments = new Map<string, string>();
  hasGoneBack = false;

  constructor(d1: Sqlite) {
    this.#d1 = d1;
  }

  remember(): void {
    if (this.#remembers) return;
    this.#d1.script("SAVEPOINT remembered");
    this.#remembers = true;
  }

  /** False: no moment was remembered. */
  goBack(): boolean {
    if (!this.#remembers) return false;
    for (const { id, state } of this.#d1.rows("SELECT id, state FROM deployments"))
      this.deployments.set(String(id), String(state));
    this.#d1.script("ROLLBACK TO remembered; RELEASE remembered");
    this.#remembers = false;
    this.hasGoneBack = true;
    return true;
  }
}
