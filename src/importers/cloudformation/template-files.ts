import { fileNameOf } from "#importers/import-file.ts";

/** The limit on paths that addresses are compared with: files may share their name. */
const MAX_COMPARED = 200_000;

/** The paths of all templates of an import. */
export class TemplateFiles {
  readonly #paths: ReadonlySet<string>;
  readonly #named: ReadonlyMap<string, readonly string[]>;
  #left = MAX_COMPARED;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    this.#named = Map.groupBy(paths, fileNameOf);
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** The only file, other than `from`, whose path and an address have the same end. */
  endingAs(address: string, from: string): string | undefined {
    const named = this.#named.get(fileNameOf(address)) ?? [];
    this.#left -= named.length;
    if (this.#left < 0) return undefined;
    const all = named.filter((file) => file !== from && haveOneEnd(address, file));
    return all.length === 1 ? all[0] : undefined;
  }
}

/** Whether a path is the end of an address, or has all that the address says after its last computed part. */
function haveOneEnd(address: string, file: string): boolean {
  if (address === file || address.endsWith(`/${file}`)) return true;
  return address.startsWith("/") && `/${file}`.endsWith(address);
}
