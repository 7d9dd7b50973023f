/** Of the texts in all lists of an import. */
export const MAX_CHARACTERS = 20_000_000;

/** What the lists of one import may still have: paths and addresses stand in them very often. */
export class ListBudget {
  #left = MAX_CHARACTERS;

  /** False: the texts are too much, and so is everything after them. */
  takes(texts: readonly unknown[]): boolean {
    for (const text of texts) if (typeof text === "string") this.#left -= text.length;
    return this.#left >= 0;
  }
}
