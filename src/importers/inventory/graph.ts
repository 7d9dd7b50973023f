import { referencesIn, type ReferenceExpression } from "#importers/expression.ts";
import type { Place } from "#importers/import-file.ts";
import type { SourceModule } from "#importers/source-module.ts";

/** Locals that are followed from one: real chains are short, and a hostile one must not cost its square. */
const MAX_FOLLOWED = 100;
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
  const throughLocals = localTargets(module);
  const found = new Map<string, Edge>();
  const add = (from: string, to: string, place: Place) => {
    if (from === to || found.size === MAX_EDGES) return;
    const key = JSON.stringify([from, to]);
    if (!found.has(key))
      found.set(key, {
        from: addressIn(from),
        to: addressIn(to),
        file: place.file,
        line: place.line,
      });
  };
  const addReferences = (
    from: string,
    file: string,
    references: readonly ReferenceExpression[],
  ) => {
    for (const { target, line } of references)
      for (const to of target.kind === "local"
        ? (throughLocals.get(target.name) ?? [])
        : addressesOf(target, known))
        add(from, to, { file, line });
  };
  for (const resource of module.resources) {
    addReferences(resource.address, resource.file, referencesIn(resource.settings));
    for (const { address, line } of resource.dependsOn)
      if (known.has(address)) add(resource.address, address, { file: resource.file, line });
  }
  for (const call of module.moduleCalls)
    addReferences(`module.${call.name}`, call.file, referencesIn(call.settings));
  for (const output of module.outputs)
    addReferences(`output.${output.name}`, output.file, referencesIn(output.value));
  return [...found.values()];
}

function addressesOf(target: ReferenceExpression["target"], known: ReadonlySet<string>): string[] {
  if (target.kind === "resource" && known.has(target.address)) return [target.address];
  if (target.kind === "module") return [`module.${target.name}`];
  return [];
}

/** The resources and modules that each local stands for, through other locals. */
function localTargets(module: SourceModule): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Set(module.resources.map(({ address }) => address));
  const direct = new Map<string, { addresses: Set<string>; locals: Set<string> }>();
  for (const { name, value } of module.locals) {
    const found = direct.get(name) ?? { addresses: new Set(), locals: new Set() };
    for (const { target } of referencesIn(value)) {
      if (target.kind === "local") found.locals.add(target.name);
      else for (const address of addressesOf(target, known)) found.addresses.add(address);
    }
    direct.set(name, found);
  }
  const reached = new Map<string, ReadonlySet<string>>();
  for (const name of direct.keys()) {
    const addresses = new Set<string>();
    const seen = new Set([name]);
    for (const one of seen) {
      if (seen.size > MAX_FOLLOWED) break;
      const { addresses: own, locals } = direct.get(one) ?? {};
      for (const address of own ?? []) addresses.add(address);
      for (const next of locals ?? []) seen.add(next);
    }
    reached.set(name, addresses);
  }
  return reached;
}
