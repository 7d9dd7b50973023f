/** The maximum length of the texts in all lists of an import, in characters. */
export const MAX_CHARACTERS = 20_000_000;

/** The budget for the lists of one import: paths and addresses occur in them very often. */
export class ListBudget {
  #left = MAX_CHARACTERS;

  /** Spends the texts. False: the budget is spent, now and for every later text. */
  spend(texts: readonly unknown[]): boolean {
    for (const text of texts) if (typeof text === "string") this.#left -= text.length;
    return this.#left >= 0;
  }
}
