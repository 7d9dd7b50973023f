/** The resources and calls that the names of an import's modules lead to, whichever call a module is read for. */
import { type Name, Reach, type Target } from "#importers/evaluate/reach.ts";
import type { ReferenceExpression } from "#importers/expression.ts";
import type { Dependency, ModuleCall, SafeModule, SourceOutput } from "#importers/source-module.ts";

/** The maximum number of calls that give values to a module's variable, and of modules below one. */
const MAX_CALLS = 100;
/** The maximum number of objects in a module and below it, and of all modules. */
const MAX_INSIDE = 1_000;
const MAX_ALL_INSIDE = 500_000;

/** The names of one module. */
export interface ModuleNames {
  /** The id in the whole import of a resource or call of the module; undefined for an unknown address. */
  idOf: (address: string) => string | undefined;
  /** The addresses of all resources and calls. */
  addresses: ReadonlySet<string>;
  locals: ReadonlyMap<string, Name<ModuleNames>>;
  /** Variables with a value from a call. */
  variables: Map<string, { given: Name<ModuleNames>["given"][number][] }>;
  outputs: ReadonlyMap<string, Name<ModuleNames>>;
  calls: ReadonlyMap<string, ModuleCall>;
}

export class NamedTargets {
  readonly #modules = new Map<string, ModuleNames>();
  readonly #reach = new Reach<ModuleNames>({
    ofReference: (reference, inside) => this.#target(reference, inside),
    ofDependency: (dependency, inside) => this.#waitedFor(dependency, inside),
  });
  readonly #inside = new Map<ModuleNames, readonly string[]>();
  #left = MAX_ALL_INSIDE;

  constructor(modules: readonly SafeModule[], nodeId: (path: string, address: string) => string) {
    for (const module of modules)
      this.#modules.set(
        module.path,
        namesOf(module, (address) => nodeId(module.path, address)),
      );
    for (const inside of this.#modules.values())
      for (const { target, settings } of inside.calls.values()) {
        const called = this.#modules.get(target ?? "");
        for (const { name, value } of called === undefined ? [] : settings.members) {
          const known = called?.variables.get(name);
          const given = { expressions: [value], dependsOn: [], place: inside };
          if (known === undefined) called?.variables.set(name, { given: [given] });
          else if (known.given.length < MAX_CALLS) known.given.push(given);
        }
      }
  }

  in({ path }: SafeModule): ModuleNames | undefined {
    return this.#modules.get(path);
  }

  /** The ids of the resources and calls that a reference leads to. */
  of(reference: ReferenceExpression, inside: ModuleNames): readonly string[] {
    return this.#all(this.#target(reference, inside));
  }

  /** The ids that a dependency leads to: a resource, or a call with the named part of the called module. */
  at(dependency: Dependency, inside: ModuleNames): readonly string[] {
    return this.#all(this.#waitedFor(dependency, inside));
  }

  #all({ ids, names }: Target<ModuleNames>): readonly string[] {
    return [...ids, ...names.flatMap((name) => [...this.#reach.behind(name).ids])];
  }

  /** The target of a dependency on a module: one of its outputs, or everything in it. */
  #waitedFor({ address, path = [] }: Dependency, inside: ModuleNames): Target<ModuleNames> {
    const own = present(inside.idOf(address));
    const call = own.length === 0 ? undefined : inside.calls.get(address.replace(/^module\./, ""));
    const called = address.startsWith("module.") && this.#modules.get(call?.target ?? "");
    if (!called) return { ids: own, names: [] };
    const output = outputOf(path, called);
    return output === undefined
      ? { ids: [...own, ...this.#within(called)], names: [] }
      : { ids: own, names: [output] };
  }

  /** The ids of a module's resources and calls, and of those in the modules that it calls. */
  #within(module: ModuleNames): readonly string[] {
    const known = this.#inside.get(module);
    if (known !== undefined) return known;
    const ids = new Set<string>();
    const seen = new Set([module]);
    for (const one of this.#left > 0 ? seen : []) {
      for (const address of one.addresses)
        if (ids.size < MAX_INSIDE) for (const id of present(one.idOf(address))) ids.add(id);
      for (const { target } of one.calls.values()) {
        const called = this.#modules.get(target ?? "");
        if (called !== undefined && seen.size <= MAX_CALLS) seen.add(called);
      }
    }
    this.#left -= ids.size + 1;
    this.#inside.set(module, [...ids]);
    return [...ids];
  }

  #target({ target, path }: ReferenceExpression, inside: ModuleNames): Target<ModuleNames> {
    switch (target.kind) {
      case "resource":
        return { ids: present(inside.idOf(target.address)), names: [] };
      case "local":
        return { ids: [], names: present(inside.locals.get(target.name)) };
      case "variable":
        return { ids: [], names: present(inside.variables.get(target.name)) };
      case "module": {
        const called = this.#modules.get(inside.calls.get(target.name)?.target ?? "");
        return {
          ids: present(inside.idOf(`module.${target.name}`)),
          names: present(called && outputOf(path, called)),
        };
      }
      case "item":
      case "each":
      case "count":
        return { ids: [], names: [] };
    }
  }
}

function namesOf(module: SafeModule, nodeId: (address: string) => string): ModuleNames {
  const known = new Set(module.resources.map(({ address }) => address));
  const calls = new Map(module.moduleCalls.map((call) => [call.name, call]));
  for (const name of calls.keys()) known.add(`module.${name}`);
  const ids = new Map<string, string>();
  const idOf = (address: string): string | undefined => {
    if (!known.has(address)) return undefined;
    const id = ids.get(address) ?? nodeId(address);
    ids.set(address, id);
    return id;
  };
  const names: ModuleNames = {
    idOf,
    addresses: known,
    locals: new Map(),
    variables: new Map(),
    outputs: new Map(),
    calls,
  };
  const named = (of: readonly Pick<SourceOutput, "name" | "value" | "dependsOn">[]) =>
    new Map(
      of.map(({ name, value, dependsOn = [] }): [string, Name<ModuleNames>] => [
        name,
        { given: [{ expressions: [value], dependsOn, place: names }] },
      ]),
    );
  return Object.assign(names, { locals: named(module.locals), outputs: named(module.outputs) });
}

/** The output that a path below a call, or below one of its instances, reads. */
function outputOf(
  path: readonly (string | number)[],
  called: ModuleNames,
): Name<ModuleNames> | undefined {
  const name = path.find((step) => called.outputs.has(String(step)));
  return name === undefined ? undefined : called.outputs.get(String(name));
}

function present<One>(one: One | undefined): One[] {
  return one === undefined ? [] : [one];
}
