/**
 * The work budget of one import, shared by all its parts: an import computes in an isolate that answers other tenants
 * too. Reading comes first and leaves a share to the drafts, so that no file starves the drafts of others.
 */
import type { ImportLog } from "./import-log.ts";

/** In units of one to three microseconds of a processor: about five seconds in all. */
export const MAX_WORK = 2_300_000;
/** Units that reading leaves to the drafts. */
const KEPT_FOR_DRAFTS = 900_000;
/** Units for reading: 10 MiB of ordinary HCL take nearly as much. */
export const MAX_READING = MAX_WORK - KEPT_FOR_DRAFTS;

/** Characters of a draft that one unit checks. Each round checks a draft again. */
const CHECKED_IN_UNIT = 5;
/** Writing a character costs as much as checking so many. */
const WRITING = 2;

export class ImportWork {
  #left = MAX_WORK;
  #isSpent = false;

  /** Units that reading may still take. */
  get readable(): number {
    return Math.max(0, this.#left - KEPT_FOR_DRAFTS);
  }

  /** Pays for reading, down to the share of the drafts. */
  spendReading(units: number): void {
    this.#left = Math.max(KEPT_FOR_DRAFTS, this.#left - units);
  }

  /** Spends units. False: the budget is spent, now and for every later call. */
  spend(units: number): boolean {
    this.#left -= units;
    this.#isSpent ||= this.#left < 0;
    return !this.#isSpent;
  }

  /** Spends the check of a draft of so many characters. False: the budget is spent. */
  spendCheck(characters: number): boolean {
    return this.spend(Math.ceil(characters / CHECKED_IN_UNIT));
  }

  /** Spends the writing of so many characters. False: the budget is spent. */
  spendWriting(characters: number): boolean {
    return this.spendCheck(WRITING * characters);
  }

  get isSpent(): boolean {
    return this.#isSpent;
  }
}

const works = new WeakMap<ImportLog, ImportWork>();

/** The budget of the import with this log. */
export function workOf(log: ImportLog): ImportWork {
  const known = works.get(log) ?? new ImportWork();
  works.set(log, known);
  return known;
}
