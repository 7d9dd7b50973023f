import type { ImportLog } from "#importers/import-log.ts";
import { spendRepeated } from "#importers/text/value-budget.ts";

/** The values that one template may write out at further places. A file has at most 250,000 values. */
const MAX_VALUES = 20_000;

/** A text counts once more for every so many characters. */
const CHARACTERS_OF_VALUE = 32;

/** The values that a template writes once and reads at several places, such as the turns of a loop. The import pays. */
export class RepeatedValues {
  readonly #log: ImportLog;
  #left = MAX_VALUES;

  constructor(log: ImportLog) {
    this.#log = log;
  }

  /** Takes the values of one more place. False: too many, and the place cannot have them. */
  take(count: number): boolean {
    if (count > this.#left || !spendRepeated(count, this.#log)) return false;
    this.#left -= count;
    return true;
  }

  takeText(characters: number): boolean {
    return this.take(characters / CHARACTERS_OF_VALUE);
  }
}
