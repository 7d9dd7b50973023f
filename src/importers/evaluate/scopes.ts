/** The modules of a draft: the root and the modules of the import that it calls, each with its own names. */
import type { Expression } from "#importers/expression.ts";
import type { ImportWork } from "#importers/import-work.ts";
import type { ModuleCall, SafeModule } from "#importers/source-module.ts";
import { DecidedValues } from "./decided-values.ts";
import { eachInstance } from "./instances.ts";
import type { Called, Scope } from "./scope.ts";

type NamesOfModule = Pick<Scope, "resources" | "variables" | "locals" | "outputs" | "calls">;

const MAX_DEPTH = 10;
const MAX_SCOPES = 200;
/** The limit for all scopes of a draft. A module counts once for each call. */
const MAX_RESOURCES = 20_000;
const MAX_CALLS = 5_000;

/** The scopes of a root module and of all modules below it. `all` starts with the root. */
export function scopesOf(
  root: SafeModule,
  modules: ReadonlyMap<string, SafeModule>,
  work: ImportWork,
): { root: Scope; all: Scope[] } {
  const tree = new ScopeTree(modules, work);
  const top = tree.open(root, "", "", undefined);
  const all: Scope[] = [];
  const waiting = [top];
  let calls = MAX_CALLS;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    all.push(at);
    const below: Scope[] = [];
    for (const { name } of at.module.moduleCalls.slice(0, calls))
      for (const scope of tree.calledBy(at, name)?.scopes.values() ?? []) below.push(scope);
    calls = Math.max(0, calls - at.module.moduleCalls.length);
    for (const scope of below.toReversed()) waiting.push(scope);
  }
  return { root: top, all };
}

/** Opens the scope of a module on first use: the number of a call's instances may depend on the output of another. */
class ScopeTree {
  readonly #modules: ReadonlyMap<string, SafeModule>;
  readonly #decided: DecidedValues;
  readonly #names = new Map<SafeModule, NamesOfModule>();
  readonly #called = new Map<Scope, Map<string, Called | undefined>>();
  #scopes = 0;
  #resources = 0;

  constructor(modules: ReadonlyMap<string, SafeModule>, work: ImportWork) {
    this.#modules = modules;
    this.#decided = new DecidedValues((scope, name) => this.calledBy(scope, name), work);
  }

  open(module: SafeModule, prefix: string, label: string, caller: Scope["caller"]): Scope {
    this.#scopes += 1;
    this.#resources += module.resources.length;
    const scope: Scope = {
      module,
      prefix,
      label,
      caller,
      ...this.#namesOf(module),
      decided: this.#decided,
      get home() {
        return scope;
      },
    };
    return scope;
  }

  /** Shared by all scopes of a module. */
  #namesOf(module: SafeModule): NamesOfModule {
    const known = this.#names.get(module);
    if (known !== undefined) return known;
    const names: NamesOfModule = {
      resources: new Map(module.resources.map((one) => [one.address, one])),
      variables: new Map(module.variables.map((one) => [one.name, one])),
      locals: new Map(module.locals.map((one) => [one.name, one])),
      outputs: new Map(module.outputs.map((one) => [one.name, one])),
      calls: new Map(module.moduleCalls.map((one) => [one.name, one])),
    };
    this.#names.set(module, names);
    return names;
  }

  /** Undefined: the import lacks the module, or the number of instances is unknown. */
  calledBy({ home }: Scope, name: string): Called | undefined {
    const own = this.#called.get(home) ?? new Map<string, Called | undefined>();
    this.#called.set(home, own);
    if (own.has(name)) return own.get(name);
    // The number of instances of a call that depends on itself is unknown.
    own.set(name, undefined);
    const call = home.calls.get(name);
    const called = call && this.#open(call, home);
    own.set(name, called);
    return called;
  }

  #open(call: ModuleCall, home: Scope): Called | undefined {
    const module = call.target === null ? undefined : this.#modules.get(call.target);
    if (module === undefined || !mayCall(home, module)) return undefined;
    const instances = this.#decided.instances(call, home);
    if (instances === undefined) return undefined;
    const each = eachInstance(instances, home);
    const isTooMuch =
      this.#scopes + each.length > MAX_SCOPES ||
      this.#resources + each.length * module.resources.length > MAX_RESOURCES;
    if (isTooMuch) return undefined;
    const settings = new Map(call.settings.members.map((member) => [member.name, member.value]));
    const scopes = each.map(({ key, label, scope }): [string, Scope] => [
      key,
      this.open(
        module,
        `${home.prefix}module.${call.name}${key}.`,
        [home.label, call.name, label].filter((word) => word !== "").join(" "),
        { scope, call, settings },
      ),
    ]);
    return { instances, scopes: new Map(scopes) };
  }
}

/** Prevents recursion, and calls deeper than real modules. */
function mayCall(from: Scope, module: SafeModule): boolean {
  let depth = 0;
  for (let at: Scope | undefined = from; at !== undefined; at = at.caller?.scope) {
    depth += 1;
    if (at.module === module || depth > MAX_DEPTH) return false;
  }
  return true;
}

/** A setting of a resource's provider, from the module or its nearest caller that configures it. */
export function settingOfProvider(
  scope: Scope,
  provider: string,
  name: string,
): { value: Expression; scope: Scope } | undefined {
  const [own = "", alias] = provider.split(".");
  for (let at: Scope | undefined = scope; at !== undefined; at = at.caller?.scope) {
    const found = at.module.providers.find((one) => one.name === own);
    const aliased = found?.aliases.find((one) => one.name === alias)?.settings;
    const settings = alias === undefined ? found?.settings : aliased;
    const member = settings?.members.find((one) => one.name === name);
    if (member !== undefined) return { value: member.value, scope: at };
  }
  return undefined;
}
