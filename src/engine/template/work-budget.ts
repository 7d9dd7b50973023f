/**
 * Work allowed per check, about a third of a second, so that no template blocks the Worker. One unit is one step
 * of a pattern match; more expensive work costs several.
 */
const BUDGET = 20_000_000;

export class WorkBudget {
  #left: number;

  constructor(units = BUDGET) {
    this.#left = units;
  }

  /** Returns false once the budget is exhausted, and on every later call. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }
}
