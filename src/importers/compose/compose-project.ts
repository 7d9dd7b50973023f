/**
 * Collects the documents of a Compose project in the order in which Compose merges them: the files that it includes, the
 * documents of the file itself, and those of its override file.
 */
import { folderOf } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { joinedPath } from "#importers/joined-path.ts";
import {
  lineOf,
  memberOf,
  textIn,
  type DataMap,
  type DataNode,
} from "#importers/text/data-node.ts";

export interface ComposeSource {
  file: string;
  root: DataMap;
}

/** The documents of each file that could be read. */
export type ComposeDocuments = ReadonlyMap<string, readonly DataMap[]>;

/** Files that include each other are no project. Real chains are short. */
const MAX_INCLUDED = 200;
/** The limit on documents of all projects: many projects may include the same files. */
const MAX_DOCUMENTS = 5_000;

export class ComposeProjects {
  readonly #documents: ComposeDocuments;
  readonly #log: ImportLog;
  /** Files with a warning for an included file that the import lacks. */
  readonly #told = new Set<string>();
  #left = MAX_DOCUMENTS;

  constructor(documents: ComposeDocuments, log: ImportLog) {
    this.#documents = documents;
    this.#log = log;
  }

  /** The files that others include. */
  included(): ReadonlySet<string> {
    return new Set(
      [...this.#documents.keys()].flatMap((file) =>
        this.#includedBy(file).map(({ path }) => path ?? ""),
      ),
    );
  }

  /** The documents of a file and of the files that it includes, directly or through others. */
  sourcesOf(file: string, override: string | undefined): readonly ComposeSource[] {
    const seen = new Set<string>();
    const sources: ComposeSource[] = [];
    const add = (path: string): void => {
      if (seen.has(path) || seen.size > MAX_INCLUDED) return;
      seen.add(path);
      for (const one of this.#includedBy(path))
        if (one.path !== undefined && this.#documents.has(one.path)) add(one.path);
        else this.#warnOfMissing(path, one.line);
      for (const root of this.#documents.get(path) ?? []) {
        this.#left -= 1;
        // The files of a project itself are always read.
        if (this.#left >= 0 || path === file || path === override)
          sources.push({ file: path, root });
      }
    };
    add(file);
    if (override !== undefined) add(override);
    return sources;
  }

  /** The service that `extends` names, with the file that has it. `around`: the file of the service itself. */
  extended(
    service: DataNode,
    around: string,
    services: ReadonlyMap<string, readonly { file: string; node: DataNode }[]>,
  ): readonly { file: string; node: DataNode }[] {
    const given = memberOf(service, "extends");
    if (given === undefined) return [];
    const name = textIn(given) ?? textIn(memberOf(given, "service"));
    const file = memberOf(given, "file");
    if (name === undefined) return [];
    const path = file === undefined ? around : joinedPath(folderOf(around), textIn(file) ?? "");
    const inFile = (this.#documents.get(path ?? "") ?? []).flatMap((root) => {
      const node = memberOf(memberOf(root, "services"), name);
      return node === undefined ? [] : [{ file: path ?? "", node }];
    });
    const found = inFile.length > 0 || file !== undefined ? inFile : (services.get(name) ?? []);
    if (found.length === 0) {
      const message =
        "The import does not have the service that this one extends: what it takes from there is missing.";
      this.#log.add("warning", "extends_not_found", message, {
        file: around,
        line: lineOf(given),
      });
    }
    return found;
  }

  #includedBy(file: string): readonly { path: string | undefined; line: number }[] {
    return (this.#documents.get(file) ?? []).flatMap((root) => {
      const given = memberOf(root, "include");
      return itemsOf(given).flatMap((item) => {
        const paths = memberOf(item, "path");
        return (paths === undefined ? [item] : itemsOf(paths)).map((path) => ({
          path: joinedPath(folderOf(file), textIn(path) ?? ""),
          line: item.line,
        }));
      });
    });
  }

  #warnOfMissing(file: string, line: number): void {
    const place = `${file}:${line}`;
    if (this.#told.has(place)) return;
    this.#told.add(place);
    const message = "The import does not have the file that this one includes: send it too.";
    this.#log.add("warning", "include_not_found", message, { file, line });
  }
}

function itemsOf(node: DataNode | undefined): readonly DataNode[] {
  if (node === undefined) return [];
  return node.kind === "list" ? node.items : [node];
}
