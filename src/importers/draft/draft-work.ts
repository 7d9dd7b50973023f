/** Steps of deciding and converting values. Ten MiB of what people write take a million. */
const MAX_STEPS = 4_000_000;
/** Characters of templates that are checked, again in each round; a million takes a second. */
const MAX_CHECKED = 3_000_000;

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

  /** False: a template that was written cannot be checked any more. */
  checks(source: string): boolean {
    this.#checked += source.length;
    return this.#checked <= MAX_CHECKED;
  }

  get isSpent(): boolean {
    return this.#steps > MAX_STEPS || this.#checked > MAX_CHECKED;
  }
}
