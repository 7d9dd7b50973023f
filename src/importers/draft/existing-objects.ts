import { folderOf } from "#importers/import-file.ts";
import type { SourceModule } from "#importers/source-module.ts";

/** The ids of what exists already, by the root module's path and the address below it. */
export type ExistingObjects = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Tells which root a state or plan is of: the one in the state's folder, else the one whose resources it names most.
 * `reported` are the ids of the request's report.
 */
export function existingIn(
  modules: readonly SourceModule[],
  reported: ReadonlyMap<string, string>,
): ExistingObjects {
  const roots = modules.filter(({ format, isRoot }) => isRoot && format === "terraform");
  const found = new Map<string, Map<string, string>>();
  const add = (root: SourceModule | undefined, ids: ReadonlyMap<string, string>) => {
    if (root === undefined) return;
    const own = found.get(root.path) ?? new Map<string, string>();
    for (const [address, id] of ids) own.set(address, id);
    found.set(root.path, own);
  };
  for (const { format, path, resources } of modules) {
    if (format !== "terraform-state" && format !== "terraform-plan") continue;
    const ids = new Map(
      resources.flatMap(({ address, id }) => (id === undefined ? [] : [[address, id] as const])),
    );
    const folder = folderOf(path);
    add(roots.find((root) => root.path === folder) ?? mostNamed(roots, ids), ids);
  }
  if (reported.size > 0) add(mostNamed(roots, reported), reported);
  return found;
}

function mostNamed(
  roots: readonly SourceModule[],
  ids: ReadonlyMap<string, string>,
): SourceModule | undefined {
  let best: { root: SourceModule; named: number } | undefined;
  for (const root of roots) {
    const inCalls = new Set(root.moduleCalls.map(({ name }) => `module.${name}`));
    const own = new Set(root.resources.map(({ address }) => address));
    const named = [...ids.keys()].filter(
      (address) => own.has(address) || inCalls.has(/^module\.[^.[]+/.exec(address)?.[0] ?? ""),
    ).length;
    if (best === undefined || named > best.named) best = { root, named };
  }
  return best?.root;
}
