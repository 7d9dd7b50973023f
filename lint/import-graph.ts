/** The imports of `src`, types included: which file knows which, and which folder which. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export interface ImportGraph {
  /** Every file of `src` but tests, below the project. */
  files: readonly string[];
  /** From a file to the files of `src` that it imports. */
  imports: ReadonlyMap<string, readonly string[]>;
}

const statement = /^(?:import|export)\s[^;]*?from\s+"([^"]+)";/gm;
const dynamic = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** Reads the sources. `root`: the project. */
export function readImportGraph(root: string): ImportGraph {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => normalize(join("src", path)).replaceAll("\\", "/"))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .toSorted();
  const known = new Set(files);
  const imports = new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const specifiers = [...text.matchAll(statement), ...text.matchAll(dynamic)];
      const targets = specifiers.flatMap(([, specifier = ""]) => resolve(file, specifier) ?? []);
      return [file, [...new Set(targets)].filter((target) => known.has(target))] as const;
    }),
  );
  return { files, imports };
}

function resolve(file: string, specifier: string): string | undefined {
  if (specifier.startsWith("./")) return normalize(join(dirname(file), specifier));
  return specifier.startsWith("#") ? `src/${specifier.slice(1)}` : undefined;
}

/** The graph of what `groupOf` makes of files: undefined leaves a file out; a group does not import itself. */
export function groupGraph(
  { files, imports }: ImportGraph,
  groupOf: (file: string) => string | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const file of files) {
    const from = groupOf(file);
    if (from === undefined) continue;
    const known = groups.get(from) ?? new Set();
    groups.set(from, known);
    for (const target of imports.get(file) ?? []) {
      const to = groupOf(target);
      if (to !== undefined && to !== from) known.add(to);
    }
  }
  return groups;
}

/** The groups that import one another round in a circle, one circle an entry; none where there is none. */
export function circlesIn(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (at: string, path: readonly string[]): void => {
    const before = path.indexOf(at);
    if (before >= 0) {
      circles.push([...path.slice(before), at]);
      return;
    }
    if (done.has(at)) return;
    for (const next of graph.get(at) ?? []) visit(next, [...path, at]);
    done.add(at);
  };
  for (const start of graph.keys()) visit(start, []);
  return circles;
}
