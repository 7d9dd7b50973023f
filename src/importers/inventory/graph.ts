import { referencesIn, type ReferenceExpression } from "#importers/expression.ts";
import { inShares, smallFirst } from "#importers/fair-shares.ts";
import type { Place } from "#importers/import-file.ts";
import type { SafeModule } from "#importers/source-module.ts";
import { NamedTargets } from "./named-targets.ts";

/** The maximum number of edges of an import. */
export const MAX_EDGES = 50_000;

/** `from` depends on `to`. The place is where the source declares it. */
export interface Edge extends Place {
  from: string;
  to: string;
}

/** The dependencies in each module, at most 50,000 in all, and the number of those that were found. */
export function edgesOfModules(
  modules: readonly SafeModule[],
  nodeId: (path: string, address: string) => string,
): { edges: readonly (readonly Edge[])[]; found: number } {
  const targets = new NamedTargets(modules, nodeId);
  let edges: Edge[][] = modules.map(() => []);
  let kept = 0;
  let found = 0;
  for (const [at, module] of smallFirst([...modules.entries()], ([, module]) => sizeOf(module))) {
    const own = edgesOf(module, (address) => nodeId(module.path, address), targets);
    edges[at] = own;
    found += own.length;
    kept += own.length;
    // More modules only make shares smaller, so the excess is dropped early.
    if (kept < 2 * MAX_EDGES) continue;
    edges = inShares(edges, MAX_EDGES);
    kept = MAX_EDGES;
  }
  return { edges: inShares(edges, MAX_EDGES), found };
}

function sizeOf({ resources, moduleCalls, outputs, locals }: SafeModule): number {
  return resources.length + moduleCalls.length + outputs.length + locals.length;
}

/**
 * The dependencies in a module, each pair once, at its first place in the source; at most 50,000. Locals, outputs of
 * called modules and variables with a value from a call are followed, also into other modules. A dependency on a whole
 * module leads to everything in it. Other variables are left out, because they say nothing of the cloud.
 */
function edgesOf(
  module: SafeModule,
  nodeId: (address: string) => string,
  targets: NamedTargets,
): Edge[] {
  const names = targets.in(module);
  const edges: Edge[] = [];
  if (names === undefined) return edges;
  const addReferences = (
    from: string,
    file: string,
    references: readonly ReferenceExpression[],
    waitsFor: SafeModule["resources"][number]["dependsOn"] = [],
  ) => {
    const found = new Set([from]);
    const add = (to: string, line: number, at = file) => {
      if (found.has(to) || edges.length === MAX_EDGES) return;
      found.add(to);
      edges.push({ from, to, file: at, line });
    };
    const followed = new Set<string>();
    for (const reference of references) {
      const { target, path, line } = reference;
      const what = JSON.stringify([target, target.kind === "module" ? path : 0]);
      if (followed.has(what) || edges.length === MAX_EDGES) continue;
      followed.add(what);
      for (const to of targets.of(reference, names)) add(to, line);
    }
    for (const dependency of waitsFor) {
      const { address, path, line, file: at } = dependency;
      const what =
        path === undefined || path.length === 0 ? address : JSON.stringify([address, path]);
      if (followed.has(what) || edges.length === MAX_EDGES) continue;
      followed.add(what);
      for (const to of targets.at(dependency, names)) add(to, line, at);
    }
  };
  for (const { address, file, settings, dependsOn } of module.resources)
    addReferences(nodeId(address), file, referencesIn(settings), dependsOn);
  for (const call of module.moduleCalls)
    addReferences(
      nodeId(`module.${call.name}`),
      call.file,
      referencesIn(call.settings),
      call.dependsOn,
    );
  for (const output of module.outputs)
    addReferences(
      nodeId(`output.${output.name}`),
      output.file,
      referencesIn(output.value),
      output.dependsOn,
    );
  return edges;
}
