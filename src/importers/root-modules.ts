import type { ImportLog } from "./import-log.ts";
import type { ModuleCall } from "./source-module.ts";

/** The modules that no other module calls, and one of each circle of calls. */
export function rootsOf(
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
