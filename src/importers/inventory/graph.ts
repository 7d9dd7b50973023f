import { referencesIn, type ReferenceExpression } from "#importers/expression.ts";
import type { Place } from "#importers/import-file.ts";
import type { SourceModule } from "#importers/source-module.ts";

/** Locals that are followed from one: real chains are short, and a hostile one must not cost its square. */
const MAX_FOLLOWED = 100;
/** What one local stands for, and what all of a module do. */
const MAX_TARGETS = 1_000;
const MAX_ALL_TARGETS = 200_000;
const MAX_EDGES = 50_000;

/** `from` needs `to`; the place is where it says so. */
export interface Edge extends Place {
  from: string;
  to: string;
}

/**
 * What needs what in a module, each pair once, at the first place that says it. Locals are followed to what they stand
 * for; variables are left out, as a graph of them says nothing of the cloud. At most 50,000 of a module.
 */
export function edgesOf(module: SourceModule, addressIn: (address: string) => string): Edge[] {
  const known = new Set(module.resources.map(({ address }) => address));
  const throughLocals = localTargets(module, known);
  const ids = new Map<string, string>();
  const idOf = (address: string): string => {
    const id = ids.get(address) ?? addressIn(address);
    ids.set(address, id);
    return id;
  };
  const edges: Edge[] = [];
  const addReferences = (
    from: string,
    file: string,
    references: readonly ReferenceExpression[],
    waitsFor: SourceModule["resources"][number]["dependsOn"] = [],
  ) => {
    const found = new Set([from]);
    const add = (to: string, line: number) => {
      if (found.has(to) || edges.length === MAX_EDGES) return;
      found.add(to);
      edges.push({ from: idOf(from), to: idOf(to), file, line });
    };
    const followed = new Set<string>();
    for (const { target, line } of references)
      if (target.kind !== "local") for (const to of addressesOf(target, known)) add(to, line);
      else if (!followed.has(target.name) && edges.length < MAX_EDGES) {
        followed.add(target.name);
        for (const to of throughLocals.get(target.name) ?? []) add(to, line);
      }
    for (const { address, line } of waitsFor) if (known.has(address)) add(address, line);
  };
  for (const { address, file, settings, dependsOn } of module.resources)
    addReferences(address, file, referencesIn(settings), dependsOn);
  for (const call of module.moduleCalls)
    addReferences(`module.${call.name}`, call.file, referencesIn(call.settings));
  for (const output of module.outputs)
    addReferences(`output.${output.name}`, output.file, referencesIn(output.value));
  return edges;
}

function addressesOf(target: ReferenceExpression["target"], known: ReadonlySet<string>): string[] {
  if (target.kind === "resource" && known.has(target.address)) return [target.address];
  if (target.kind === "module") return [`module.${target.name}`];
  return [];
}

interface Direct {
  addresses: readonly string[];
  locals: readonly string[];
}

/** The resources and modules that locals stand for, through other locals. */
function localTargets(
  module: SourceModule,
  known: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map<string, Direct>();
  for (const { name, value } of module.locals) {
    const references = referencesIn(value);
    if (references.length === 0) continue;
    const locals = new Set<string>();
    const addresses = new Set<string>();
    for (const { target } of references)
      if (target.kind !== "local")
        for (const address of addressesOf(target, known)) addresses.add(address);
      else if (locals.size < MAX_FOLLOWED) locals.add(target.name);
    direct.set(name, { addresses: [...addresses].slice(0, MAX_TARGETS), locals: [...locals] });
  }
  const reached = new Map<string, ReadonlySet<string>>();
  let left = MAX_ALL_TARGETS;
  for (const name of direct.keys()) {
    const addresses = targetsOf(name, direct);
    left -= addresses.size;
    if (left < 0) break;
    if (addresses.size > 0) reached.set(name, addresses);
  }
  return reached;
}

function targetsOf(local: string, direct: ReadonlyMap<string, Direct>): Set<string> {
  const addresses = new Set<string>();
  const seen = new Set([local]);
  for (const one of seen) {
    const { addresses: own = [], locals = [] } = direct.get(one) ?? {};
    for (const address of own) {
      if (addresses.size === MAX_TARGETS) return addresses;
      addresses.add(address);
    }
    for (const next of locals) {
      if (seen.size > MAX_FOLLOWED) break;
      seen.add(next);
    }
  }
  return addresses;
}
