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
  oneOrMany,
  textIn,
  type DataMap,
  type DataNode,
} from "#importers/text/data-node.ts";
import { spendRepeated } from "#importers/text/value-budget.ts";
import { valuesIn } from "#importers/text/values-in.ts";

export interface ComposeSource {
  file: string;
  root: DataMap;
}

/** A declaration of a service in a file. */
export interface ServiceDeclaration {
  node: DataNode;
  file: string;
}

/** The documents of each file that could be read. */
export type ComposeDocuments = ReadonlyMap<string, readonly DataMap[]>;

/** Files that include each other are no project. Real chains are short. */
const MAX_INCLUDED = 200;
/** The limit on includes that all projects follow: many may include the same files. */
const MAX_FOLLOWED = 20_000;

interface Include {
  path: string | undefined;
  line: number;
}

export class ComposeProjects {
  readonly #documents: ComposeDocuments;
  readonly #log: ImportLog;
  readonly #includes = new Map<string, readonly Include[]>();
  /** The documents that a project has. Those of later ones are read again. */
  readonly #taken = new Set<DataMap>();
  /** The declarations of services by file and name. */
  readonly #services = new Map<string, readonly ServiceDeclaration[]>();
  /** Files with a warning for an included file that the import lacks. */
  readonly #told = new Set<string>();
  #left = MAX_FOLLOWED;

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
    let isWhole = true;
    const add = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const one of this.#includedBy(path)) {
        this.#left -= 1;
        if (this.#left < 0 || seen.size > MAX_INCLUDED) {
          isWhole = false;
          break;
        }
        if (one.path !== undefined && this.#documents.has(one.path)) add(one.path);
        else this.#warnOfMissing(path, one.line);
      }
      for (const root of this.#documents.get(path) ?? [])
        if (this.#mayTake(root)) sources.push({ file: path, root });
        else isWhole = false;
    };
    add(file);
    if (override !== undefined) add(override);
    if (!isWhole) this.#log.add("warning", "too_many_values", tooMany, { file });
    return sources;
  }

  /** Every document is read once. Each further reading is paid for. */
  #mayTake(root: DataMap): boolean {
    if (this.#taken.has(root)) return spendRepeated(valuesIn(root), this.#log);
    this.#taken.add(root);
    return true;
  }

  /** The service that `extends` names, with the file that has it. `around`: the file of the service itself. */
  extended(
    service: DataNode,
    around: string,
    services: ReadonlyMap<string, readonly ServiceDeclaration[]>,
  ): readonly ServiceDeclaration[] {
    const given = memberOf(service, "extends");
    if (given === undefined) return [];
    const name = textIn(given) ?? textIn(memberOf(given, "service"));
    const file = memberOf(given, "file");
    if (name === undefined) return [];
    const path = file === undefined ? around : joinedPath(folderOf(around), textIn(file) ?? "");
    const inFile = this.#servicesIn(path ?? "", name);
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

  #servicesIn(file: string, name: string): readonly ServiceDeclaration[] {
    const key = `${file}\n${name}`;
    const known = this.#services.get(key);
    if (known !== undefined) return known;
    const found = (this.#documents.get(file) ?? []).flatMap((root) => {
      const node = memberOf(memberOf(root, "services"), name);
      return node === undefined ? [] : [{ file, node }];
    });
    this.#services.set(key, found);
    return found;
  }

  #includedBy(file: string): readonly Include[] {
    const known = this.#includes.get(file);
    if (known !== undefined) return known;
    const found = (this.#documents.get(file) ?? []).flatMap((root) => {
      const given = memberOf(root, "include");
      return oneOrMany(given).flatMap((item) => {
        const paths = memberOf(item, "path");
        return (paths === undefined ? [item] : oneOrMany(paths)).map((path) => ({
          path: joinedPath(folderOf(file), textIn(path) ?? ""),
          line: item.line,
        }));
      });
    });
    this.#includes.set(file, found);
    return found;
  }

  #warnOfMissing(file: string, line: number): void {
    const place = `${file}:${line}`;
    if (this.#told.has(place)) return;
    this.#told.add(place);
    const message = "The import does not have the file that this one includes: send it too.";
    this.#log.add("warning", "include_not_found", message, { file, line });
  }
}

const tooMany =
  "The project includes more than an import reads again for each project: some of it was left out.";
