/** Steps of deciding and converting values. Ten MiB of what people write take a million. */
const MAX_STEPS = 4_000_000;
/** Characters of drafts that are checked, again in each round, or written; a million takes a fifth of a second. */
const MAX_CHECKED = 6_000_000;
/** Writing a character takes as long as checking so many. */
const WRITING = 2;

/**
 * What all drafts of an import may cost together: a few lines of a module can say a lot, and a hundred roots that call it
 * say it again.
 */
export class DraftWork {
  #steps = 0;
  #checked = 0;

  /** False: it is too much, and so is all that follows. */
  takes(steps: number): boolean {
    this.#steps += steps;
    return this.#steps <= MAX_STEPS;
  }

  /** False: a draft of so many characters cannot be checked any more. */
  checks(characters: number): boolean {
    this.#checked += characters;
    return this.#checked <= MAX_CHECKED;
  }

  /** False: it cannot be written any more. */
  writes(characters: number): boolean {
    return this.checks(WRITING * characters);
  }

  get isSpent(): boolean {
    return this.#steps > MAX_STEPS || this.#checked > MAX_CHECKED;
  }
}
