import { folderOf } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { joinedPath } from "#importers/joined-path.ts";
import { lineOf, memberOf, nameIn, textIn, type DataNode } from "#importers/text/data-node.ts";

/** What a file of Kustomize says about other files. */
export interface Kustomization {
  file: string;
  folder: string;
  /** The paths of files and folders whose objects it takes, from the root of the import. */
  resources: readonly string[];
  /** The paths of files that change or make objects. */
  patches: readonly string[];
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
  const names = root?.kind === "map" ? [...root.members] : [];
  for (const [name, value] of names) {
    if (listing.has(name)) continue;
    const message = `The draft does not have what \`${name.slice(0, MAX_SHOWN)}\` changes or makes: import the output of \`kubectl kustomize\`.`;
    log.add("warning", "kustomization_not_applied", message, { file, line: lineOf(value) });
  }
  const listed = (name: string) =>
    itemsOf(memberOf(root, name)).flatMap((item) => textIn(item) ?? pathsIn(item));
  const placed = (paths: readonly string[]) =>
    paths.flatMap((path) => joinedPath(folder, path) ?? []);
  return {
    file,
    folder,
    resources: placed([...listed("resources"), ...listed("bases"), ...listed("components")]),
    patches: placed(changing.flatMap(listed)),
  };
}

function pathsIn(item: DataNode): readonly string[] {
  const path = nameIn(memberOf(item, "path"));
  return path === undefined ? [] : [path];
}

function itemsOf(node: DataNode | undefined): readonly DataNode[] {
  return node?.kind === "list" ? node.items : [];
}
