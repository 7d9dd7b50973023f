import type { ImportFormatName } from "./format-names.ts";
import type { ImportFile } from "./import-file.ts";

/** The files of an import by path, for a format whose files read others. */
export class ImportedFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #readers = new Map<string, ImportFormatName>();
  #paths: readonly string[] | undefined;
  #pathCharacters = 0;

  constructor(files: readonly ImportFile[]) {
    this.#texts = new Map(files.map(({ path, text }) => [path, text]));
  }

  /** All paths, sorted. */
  get paths(): readonly string[] {
    return (this.#paths ??= [...this.#texts.keys()].toSorted());
  }

  /** The length of all paths together. */
  get pathCharacters(): number {
    if (this.#pathCharacters === 0)
      for (const path of this.paths) this.#pathCharacters += path.length;
    return this.#pathCharacters;
  }

  /** The text of a file that a file of this format reads; undefined: the import lacks it. */
  read(path: string, by: ImportFormatName): string | undefined {
    const text = this.#texts.get(path);
    if (text !== undefined) this.#readers.set(path, by);
    return text;
  }

  /** The format of a file that reads this one. */
  readerOf(path: string): ImportFormatName | undefined {
    return this.#readers.get(path);
  }
}
