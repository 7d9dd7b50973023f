/**
 * The work that one import may cost, shared by all its parts: an import computes in an isolate that answers other tenants
 * too. Files are read first and leave a share to the drafts, so that no file takes their drafts from the others.
 */
import type { ImportLog } from "./import-log.ts";

/** Units. One takes about a microsecond of a processor: all of them less than three seconds. */
export const MAX_WORK = 2_300_000;
/** What reading files leaves to the drafts. */
const KEPT_FOR_DRAFTS = 900_000;
/** What reading may take: 10 MiB of what people write in HCL take nearly as much. */
export const MAX_READING = MAX_WORK - KEPT_FOR_DRAFTS;

/** Characters of a draft that are checked in a unit; a check is repeated in each round. */
const CHECKED_IN_UNIT = 5;
/** Writing a character takes as long as checking so many. */
const WRITING = 2;

export class ImportWork {
  #left = MAX_WORK;
  #isSpent = false;

  /** Units that reading may still take. */
  get readable(): number {
    return Math.max(0, this.#left - KEPT_FOR_DRAFTS);
  }

  /** Pays for what was read whatever it took. */
  reads(units: number): void {
    this.#left = Math.max(KEPT_FOR_DRAFTS, this.#left - units);
  }

  /** False: it is too much, and so is all that follows. */
  takes(units: number): boolean {
    this.#left -= units;
    this.#isSpent ||= this.#left < 0;
    return !this.#isSpent;
  }

  /** False: a draft of so many characters cannot be checked any more. */
  checks(characters: number): boolean {
    return this.takes(Math.ceil(characters / CHECKED_IN_UNIT));
  }

  /** False: it cannot be written any more. */
  writes(characters: number): boolean {
    return this.checks(WRITING * characters);
  }

  get isSpent(): boolean {
    return this.#isSpent;
  }
}

const works = new WeakMap<ImportLog, ImportWork>();

/** The work of the import that this is the log of. */
export function workOf(log: ImportLog): ImportWork {
  const known = works.get(log) ?? new ImportWork();
  works.set(log, known);
  return known;
}
