import { fairShares, inShares } from "#importers/fair-shares.ts";

/** The maximum length of the texts in all lists of an import, in characters. */
export const MAX_CHARACTERS = 20_000_000;
/** The maximum number of rows of one list. */
const MAX_ROWS = 20_000;

type Row = string | object;
/** The rows of a list, by module. */
export type RowsByModule<T extends Row = Row> = readonly (readonly T[])[];

/** The budget for the lists of one import, shared by its modules: paths and addresses occur in them very often. */
export class ListBudget {
  readonly #left: number[];

  constructor(modules: number, lists: readonly RowsByModule[]) {
    const wanted = Array.from({ length: modules }, (_, at) =>
      lists.reduce((sum, rows) => sum + charactersOf(rows[at] ?? []), 0),
    );
    this.#left = fairShares(wanted, MAX_CHARACTERS);
  }

  /** Spends the first rows of each module within its shares of the list and of all characters. */
  spend<T extends Row>(list: RowsByModule<T>, maxRows = MAX_ROWS): T[] {
    return inShares(list, maxRows).flatMap((rows, at) => {
      let left = this.#left[at] ?? 0;
      const end = rows.findIndex((row) => (left -= charactersIn(row)) < 0);
      this.#left[at] = Math.max(0, left);
      return end === -1 ? rows : rows.slice(0, end);
    });
  }
}

function charactersOf(rows: readonly Row[]): number {
  return rows.reduce<number>((sum, row) => sum + charactersIn(row), 0);
}

function charactersIn(row: Row): number {
  if (typeof row === "string") return row.length;
  let characters = 0;
  for (const value of Object.values(row)) {
    if (typeof value === "string") characters += value.length;
    else if (Array.isArray(value)) characters += charactersOf(value as string[]);
  }
  return characters;
}
