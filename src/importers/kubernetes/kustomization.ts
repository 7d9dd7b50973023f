import { folderOf } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { joinedPath } from "#importers/joined-path.ts";
import {
  itemsOf,
  lineOf,
  memberOf,
  membersOf,
  nameIn,
  textIn,
  type DataNode,
} from "#importers/text/data-node.ts";

/** What a file of Kustomize says about other files. */
export interface Kustomization {
  file: string;
  folder: string;
  /** The paths of files and folders whose objects it takes, from the root of the import. */
  resources: readonly string[];
  /** The paths of files that change or make objects. */
  patches: readonly string[];
  /** The lines of listed resources, with their paths. Undefined: the path of no file of an import. */
  listed: readonly { path: string | undefined; line: number }[];
}

/** Members that name files with changes, in texts or in the member `path`. */
const changing: readonly string[] = [
  "configurations",
  "generators",
  "patches",
  "patchesJson6902",
  "patchesStrategicMerge",
  "replacements",
  "transformers",
  "validators",
];
/** Members that describe the file itself, or only list resources. */
const listing: ReadonlySet<string> = new Set([
  "apiVersion",
  "bases",
  "buildMetadata",
  "kind",
  "metadata",
  "resources",
  "sortOptions",
]);

const MAX_SHOWN = 80;

/** Reads a file of Kustomize, and warns of each member that changes or makes objects: imports do not run it. */
export function readKustomization(
  documents: readonly DataNode[],
  file: string,
  log: ImportLog,
): Kustomization {
  const folder = folderOf(file);
  const root = documents.find(({ kind }) => kind === "map");
  for (const [name, value] of membersOf(root)) {
    if (listing.has(name)) continue;
    const message = `The draft does not have what \`${name.slice(0, MAX_SHOWN)}\` changes or makes: import the output of \`kubectl kustomize\`.`;
    log.add("warning", "kustomization_not_applied", message, { file, line: lineOf(value) });
  }
  const listed = (name: string) =>
    itemsOf(memberOf(root, name)).flatMap((item) =>
      (textIn(item) === undefined ? pathsIn(item) : [textIn(item) ?? ""]).map((path) => ({
        path: joinedPath(folder, path),
        line: item.line,
      })),
    );
  const placed = (all: readonly { path: string | undefined }[]) =>
    all.flatMap(({ path }) => path ?? []);
  const resources = ["resources", "bases", "components"].flatMap(listed);
  return {
    file,
    folder,
    resources: placed(resources),
    patches: placed(changing.flatMap(listed)),
    listed: resources,
  };
}

function pathsIn(item: DataNode): readonly string[] {
  const path = nameIn(memberOf(item, "path"));
  return path === undefined ? [] : [path];
}
