/** The parts of a Compose file that declare no object. */
import type { LeftOutPart } from "#importers/source-module.ts";
import { lineOf, memberOf, membersOf, oneOrMany } from "#importers/text/data-node.ts";
import { composeSections } from "./compose-dependencies.ts";
import type { ComposeSource } from "./compose-project.ts";

/** Sections that are read in another way, or that Compose itself ignores. */
const known: ReadonlySet<string> = new Set([...composeSections, "include", "version"]);

/** The members of an include that change how Compose reads the file. */
const ofInclude: Readonly<Record<string, string>> = {
  project_directory: "The import reads the paths of an included file from that file's own folder.",
  env_file: "An import keeps no values of environment files: give them to the draft's variables.",
};

/** The parts of a document for which a draft has nothing, besides the gap of each object. */
export function leftOutOf({ file, root }: ComposeSource): LeftOutPart[] {
  const sections = [...root.members].flatMap(([name, node]): LeftOutPart[] => {
    // Other tools read `x-` members, and aliases repeat them.
    if (known.has(name) || name.startsWith("x-")) return [];
    const reason = name === "name" ? ownName : unknown;
    return [{ address: name.slice(0, 256), file, line: lineOf(node), path: null, reason }];
  });
  const includes = oneOrMany(memberOf(root, "include")).flatMap((item) =>
    [...membersOf(item)].flatMap(([path, node]): LeftOutPart[] => {
      const reason = Object.hasOwn(ofInclude, path) ? ofInclude[path] : undefined;
      return reason === undefined
        ? []
        : [{ address: "include", file, line: lineOf(node), path, reason }];
    }),
  );
  return [...sections, ...includes];
}

const ownName = "Compose names objects after the project. A draft's instance has its own name.";
const unknown = "Compose has no section of this name.";
