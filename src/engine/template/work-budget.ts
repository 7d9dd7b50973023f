/**
 * What one check may cost, so that no template keeps the Worker busy: about a third of a second. A unit is a
 * step of a pattern's match; dearer work is worth several.
 */
const BUDGET = 20_000_000;

export class WorkBudget {
  #left: number;

  constructor(units = BUDGET) {
    this.#left = units;
  }

  /** False, from then on for ever, when there is not so much left. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }
}
