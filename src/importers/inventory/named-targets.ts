/** Follows names to the resources behind them: through locals, arguments of calls, and outputs of called modules. */
import { referencesIn, type Expression, type ReferenceExpression } from "#importers/expression.ts";
import type { Dependency, ModuleCall, SafeModule, SourceOutput } from "#importers/source-module.ts";

/**
 * The maximum number of names followed from one name. Real chains are short, and a hostile chain must not cost its
 * square.
 */
const MAX_FOLLOWED = 100;
/** The maximum number of targets of one name, and of all names of an import. */
const MAX_TARGETS = 1_000;
const MAX_ALL_TARGETS = 500_000;

/** A name, with the expressions that give it a value, each in the module that contains it. */
interface Named {
  given: Given[];
}

interface Given {
  expression: Expression;
  inside: ModuleNames;
  /** Further dependencies of an output. */
  dependsOn?: readonly Dependency[] | undefined;
}

/** The targets of a reference: direct ones, and a name to follow. */
interface Target {
  ids: readonly string[];
  named?: Named | undefined;
}

interface Direct {
  ids: readonly string[];
  next: readonly Named[];
}

/** The names of one module. */
export interface ModuleNames {
  /** The id in the whole import of a resource or call of the module; undefined for an unknown address. */
  idOf: (address: string) => string | undefined;
  /** The addresses of all resources and calls. */
  addresses: ReadonlySet<string>;
  locals: ReadonlyMap<string, Named>;
  /** Variables with a value from a call. */
  variables: Map<string, Named>;
  outputs: ReadonlyMap<string, Named>;
  calls: ReadonlyMap<string, ModuleCall>;
}

export class NamedTargets {
  readonly #modules = new Map<string, ModuleNames>();
  readonly #direct = new Map<Named, Direct>();
  readonly #reached = new Map<Named, readonly string[]>();
  readonly #inside = new Map<ModuleNames, readonly string[]>();
  #left = MAX_ALL_TARGETS;

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
          const given = { expression: value, inside };
          if (known === undefined) called?.variables.set(name, { given: [given] });
          else if (known.given.length < MAX_FOLLOWED) known.given.push(given);
        }
      }
  }

  in({ path }: SafeModule): ModuleNames | undefined {
    return this.#modules.get(path);
  }

  /** The ids of the resources and calls that a reference leads to. */
  of(reference: ReferenceExpression, inside: ModuleNames): readonly string[] {
    const { ids, named } = this.#target(reference, inside);
    return named === undefined ? ids : [...ids, ...this.#behind(named)];
  }

  /** The ids that a dependency leads to: a resource, or a call with the named part of the called module. */
  at(dependency: Dependency, inside: ModuleNames): readonly string[] {
    const { ids, named } = this.#waitedFor(dependency, inside);
    return named === undefined ? ids : [...ids, ...this.#behind(named)];
  }

  /** The target of a dependency on a module: one of its outputs, or everything in it. */
  #waitedFor({ address, path = [] }: Dependency, inside: ModuleNames): Target {
    const own = present(inside.idOf(address));
    const call = own.length === 0 ? undefined : inside.calls.get(address.replace(/^module\./, ""));
    const called = address.startsWith("module.") && this.#modules.get(call?.target ?? "");
    if (!called) return { ids: own };
    const output = outputOf(path, called);
    return output === undefined
      ? { ids: [...own, ...this.#within(called)] }
      : { ids: own, named: output };
  }

  /** The ids of a module's resources and calls, and of those in the modules that it calls. */
  #within(module: ModuleNames): readonly string[] {
    const known = this.#inside.get(module);
    if (known !== undefined) return known;
    const ids = new Set<string>();
    const seen = new Set([module]);
    for (const one of this.#left > 0 ? seen : []) {
      for (const address of one.addresses)
        if (ids.size < MAX_TARGETS) for (const id of present(one.idOf(address))) ids.add(id);
      for (const { target } of one.calls.values()) {
        const called = this.#modules.get(target ?? "");
        if (called !== undefined && seen.size <= MAX_FOLLOWED) seen.add(called);
      }
    }
    this.#left -= ids.size + 1;
    this.#inside.set(module, [...ids]);
    return [...ids];
  }

  #target({ target, path }: ReferenceExpression, inside: ModuleNames): Target {
    switch (target.kind) {
      case "resource":
        return { ids: present(inside.idOf(target.address)) };
      case "local":
        return { ids: [], named: inside.locals.get(target.name) };
      case "variable":
        return { ids: [], named: inside.variables.get(target.name) };
      case "module": {
        const call = inside.calls.get(target.name);
        const called = this.#modules.get(call?.target ?? "");
        return {
          ids: present(inside.idOf(`module.${target.name}`)),
          named: called && outputOf(path, called),
        };
      }
      case "item":
      case "each":
      case "count":
        return { ids: [] };
    }
  }

  #behind(named: Named): readonly string[] {
    const known = this.#reached.get(named);
    if (known !== undefined) return known;
    const found = this.#left > 0 ? [...this.#follow(named)] : [];
    this.#left -= found.length + 1;
    this.#reached.set(named, found);
    return found;
  }

  #follow(named: Named): ReadonlySet<string> {
    const ids = new Set<string>();
    const seen = new Set([named]);
    for (const one of seen) {
      const { ids: own, next } = this.#directOf(one);
      for (const id of own) {
        if (ids.size === MAX_TARGETS) return ids;
        ids.add(id);
      }
      for (const other of next) {
        if (seen.size > MAX_FOLLOWED) break;
        seen.add(other);
      }
    }
    return ids;
  }

  #directOf(named: Named): Direct {
    const known = this.#direct.get(named);
    if (known !== undefined) return known;
    const ids = new Set<string>();
    const next = new Set<Named>();
    const add = (found: Target): void => {
      for (const id of found.ids) if (ids.size < MAX_TARGETS) ids.add(id);
      if (found.named !== undefined && next.size < MAX_FOLLOWED) next.add(found.named);
    };
    for (const { expression, inside, dependsOn = [] } of named.given) {
      for (const reference of referencesIn(expression)) add(this.#target(reference, inside));
      for (const dependency of dependsOn) add(this.#waitedFor(dependency, inside));
    }
    const direct = { ids: [...ids], next: [...next] };
    this.#direct.set(named, direct);
    return direct;
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
      of.map(({ name, value, dependsOn }): [string, Named] => [
        name,
        { given: [{ expression: value, inside: names, dependsOn }] },
      ]),
    );
  return Object.assign(names, { locals: named(module.locals), outputs: named(module.outputs) });
}

/** The output that a path below a call, or below one of its instances, reads. */
function outputOf(path: readonly (string | number)[], called: ModuleNames): Named | undefined {
  const name = path.find((step) => called.outputs.has(String(step)));
  return name === undefined ? undefined : called.outputs.get(String(name));
}

function present(id: string | undefined): string[] {
  return id === undefined ? [] : [id];
}
