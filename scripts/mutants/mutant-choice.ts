/** The choice of a run's mutants. */
import type { Mutant } from "#test/mutants/mutant.ts";

export type Catalogue = Readonly<Record<string, readonly Mutant[]>>;

export interface Choice {
  /** Ids. */
  only?: readonly string[] | undefined;
  /** Keys of the catalogue. */
  area?: readonly string[] | undefined;
  /** Changed files: takes the mutants in them, and the mutants that tests in them notice. */
  changed?: ReadonlySet<string> | undefined;
  slice?: Slice | undefined;
}

/** One of `of` equal parts; `part` counts from 1. */
export interface Slice {
  part: number;
  of: number;
}

/** Reads `3/8`, the third of eight parts, or `any/8`, which takes a random one. Throws on anything else. */
export function sliceFrom(text: string, random: () => number = Math.random): Slice {
  const [, part = "", size = ""] = /^([1-9]\d?|any)\/([1-9]\d?)$/.exec(text) ?? [];
  const of = Number(size);
  const slice = { part: part === "any" ? 1 + Math.floor(random() * of) : Number(part), of };
  if (size === "" || slice.part > of)
    throw new Error(`MUTANTS_SLICE=${text} is not a part of a whole, such as 1/8 or any/8`);
  return slice;
}

/** The chosen mutants, those of one test file together. Throws for an id or an area that does not exist. */
export function chosen(catalogue: Catalogue, { only, area, changed, slice }: Choice): Mutant[] {
  const all = Object.values(catalogue).flat();
  const wrongId = only?.find((id) => !all.some((mutant) => mutant.id === id));
  if (wrongId !== undefined) throw new Error(`There is no mutant ${wrongId}`);
  const wrongArea = area?.find((name) => !Object.hasOwn(catalogue, name));
  if (wrongArea !== undefined)
    throw new Error(
      `There is no area ${wrongArea}. The areas are: ${Object.keys(catalogue).join(", ")}`,
    );
  return Object.entries(catalogue)
    .flatMap(([name, mutants]) => mutants.filter(() => area === undefined || area.includes(name)))
    .filter(({ id }) => only === undefined || only.includes(id))
    .filter(({ file, test }) => changed === undefined || changed.has(file) || changed.has(test))
    .toSorted((a, b) => (a.test < b.test ? -1 : a.test > b.test ? 1 : 0))
    .filter(
      (_, at, all) =>
        slice === undefined || Math.floor((at * slice.of) / all.length) === slice.part - 1,
    );
}
