import type { ImportLog } from "#importers/import-log.ts";
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
function targetOf(source: string | null, from: string, paths: ReadonlySet<string>): string | null {
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

function rootsOf(
  paths: readonly string[],
  called: ReadonlySet<string>,
  calls: ReadonlyMap<string, readonly ModuleCall[]>,
  log: ImportLog,
): ReadonlySet<string> {
  const roots = new Set(paths.filter((path) => !called.has(path)));
  const reached = new Set<string>();
  const reach = (root: string): void => {
    const waiting = [root];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (reached.has(path)) continue;
      reached.add(path);
      for (const { target } of calls.get(path) ?? []) if (target !== null) waiting.push(target);
    }
  };
  for (const root of roots) reach(root);
  for (const path of paths.toSorted()) {
    if (reached.has(path)) continue;
    roots.add(path);
    reach(path);
    const [call] = calls.get(path) ?? [];
    const message = `The modules that \`${path}\` calls call it in turn, and no other module calls them: it is taken as their root.`;
    const place = call === undefined ? {} : { file: call.file, line: call.line };
    log.add("warning", "module_cycle", message, place);
  }
  return roots;
}
