import type { ImportLog } from "#importers/import-log.ts";
import { rootsOf } from "#importers/root-modules.ts";
import type { ModuleCall, SourceModule } from "#importers/source-module.ts";
import type { UnplacedModule } from "./read-module.ts";

/** Resolves the calls between the modules of an import, and finds the root modules. */
export function placeModules(modules: readonly UnplacedModule[], log: ImportLog): SourceModule[] {
  const paths = new Set(modules.map(({ path }) => path));
  const calls = new Map<string, ModuleCall[]>();
  const called = new Set<string>();
  for (const { path, moduleCalls } of modules) {
    const own = moduleCalls.map((call) => ({
      ...call,
      target: targetOf(call.source, path, paths),
    }));
    calls.set(path, own);
    for (const { target } of own) if (target !== null && target !== path) called.add(target);
  }
  const roots = rootsOf([...paths], called, calls, log);
  return modules.map((module) => ({
    ...module,
    isRoot: roots.has(module.path),
    moduleCalls: calls.get(module.path) ?? [],
  }));
}

/** The folder of a relative source, if the import contains it. */
export function targetOf(
  source: string | null,
  from: string,
  paths: ReadonlySet<string>,
): string | null {
  if (source === null || !/^\.\.?(?:\/|$)/.test(source)) return null;
  const parts = from === "." ? [] : from.split("/");
  for (const part of source.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  const path = parts.length === 0 ? "." : parts.join("/");
  return paths.has(path) ? path : null;
}
