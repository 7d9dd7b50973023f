import { folderOf } from "#importers/import-file.ts";
import type { ExistingIds, ExistingObject } from "#importers/reports/existing-ids.ts";
import type { SourceModule } from "#importers/source-module.ts";
import type { MappedType } from "./types/mapped-type.ts";

/** What exists already, by the root module's path and the address below it. */
export type ExistingObjects = ReadonlyMap<string, ExistingIds>;

/**
 * Tells which root a state or plan is of: the one in the state's folder, else the one whose resources it names most.
 * `reported` are the ids of the request's report.
 */
export function existingIn(
  modules: readonly SourceModule[],
  reported: ExistingIds,
): ExistingObjects {
  const roots = modules.filter(({ format, isRoot }) => isRoot && format === "terraform");
  const found = new Map<string, Map<string, ExistingObject>>();
  const add = (root: SourceModule | undefined, ids: ExistingIds) => {
    if (root === undefined) return;
    const own = found.get(root.path) ?? new Map<string, ExistingObject>();
    for (const [address, id] of ids) own.set(address, id);
    found.set(root.path, own);
  };
  for (const { format, path, resources } of modules) {
    if (format !== "terraform-state" && format !== "terraform-plan") continue;
    const ids = new Map(
      resources.flatMap(({ address, id, names = new Map() }) =>
        id === undefined ? [] : [[address, { id, names }] as const],
      ),
    );
    const folder = folderOf(path);
    add(roots.find((root) => root.path === folder) ?? mostNamed(roots, ids), ids);
  }
  if (reported.size > 0) add(mostNamed(roots, reported), reported);
  return found;
}

function mostNamed(roots: readonly SourceModule[], ids: ExistingIds): SourceModule | undefined {
  let best: { root: SourceModule; named: number } | undefined;
  for (const root of roots) {
    const inCalls = new Set(root.moduleCalls.map(({ name }) => `module.${name}`));
    const own = new Set(root.resources.map(({ address }) => address));
    const named = [...ids.keys()].filter((address) => {
      // Without the key of its instance.
      const name = /^[^.[]+\.[^.[]+/.exec(address)?.[0] ?? "";
      return own.has(name) || inCalls.has(name);
    }).length;
    if (best === undefined || named > best.named) best = { root, named };
  }
  return best?.root;
}

/** The id that the object has at ours; undefined: the source does not tell it. */
export function importIdOf(
  { id, names }: ExistingObject,
  { id: rule }: MappedType,
): string | undefined {
  if (rule === "none") return undefined;
  if (rule === "whole") return id;
  if (rule === "last") return id.slice(id.lastIndexOf("/") + 1);
  const parts = rule.split(/\{([a-z_]+)\}/).map((part, at) => {
    if (at % 2 === 0) return part;
    return part === "id" ? id : names.get(part);
  });
  return parts.every((part) => part !== undefined) ? parts.join("") : undefined;
}
