/** The import graph of `src`, by file and by folder, including type imports. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export interface ImportGraph {
  /** Every file of `src` except tests, relative to the project. */
  files: readonly string[];
  /** For each file, the files of `src` that it imports. */
  imports: ReadonlyMap<string, readonly string[]>;
}

const statement = /^(?:import|export)\s[^;]*?from\s+"([^"]+)";/gm;
const dynamic = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** Reads the sources of the project at `root`. */
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

/** The import graph of groups of files, without imports inside a group. `groupOf` returns undefined to omit a file. */
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

/** The import cycles of a graph. */
export function cyclesIn(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (at: string, path: readonly string[]): void => {
    const before = path.indexOf(at);
    if (before >= 0) {
      cycles.push([...path.slice(before), at]);
      return;
    }
    if (done.has(at)) return;
    for (const next of graph.get(at) ?? []) visit(next, [...path, at]);
    done.add(at);
  };
  for (const start of graph.keys()) visit(start, []);
  return cycles;
}
