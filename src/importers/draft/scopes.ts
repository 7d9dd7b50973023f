/** The modules of a draft: the root, and what it calls inside the import, each with its own names. */
import type { Expression } from "#importers/expression.ts";
import type {
  ModuleCall,
  SourceLocal,
  SourceModule,
  SourceOutput,
  SourceResource,
  SourceVariable,
} from "#importers/source-module.ts";

export interface Scope {
  module: SourceModule;
  /** Before the address of what is in it: `module.network.`; empty for the root. */
  prefix: string;
  /** What calls it; undefined for the root. */
  caller: { scope: Scope; settings: ReadonlyMap<string, Expression> } | undefined;
  /** By the name of the call; null: its module is not in the import, or stands for several. */
  calls: ReadonlyMap<string, { call: ModuleCall; scope: Scope | null }>;
  resources: ReadonlyMap<string, SourceResource>;
  variables: ReadonlyMap<string, SourceVariable>;
  locals: ReadonlyMap<string, SourceLocal>;
  outputs: ReadonlyMap<string, SourceOutput>;
}

const MAX_DEPTH = 10;
const MAX_SCOPES = 200;
/** Of all scopes of a draft; a module that is called often is there as often. */
const MAX_RESOURCES = 20_000;

/** The scope of a root module and of all modules below it. `all` has the root first. */
export function scopesOf(
  root: SourceModule,
  modules: ReadonlyMap<string, SourceModule>,
): { root: Scope; all: Scope[] } {
  const all: Scope[] = [];
  let resources = 0;
  const open = (
    module: SourceModule,
    prefix: string,
    caller: Scope["caller"],
    above: readonly SourceModule[],
  ): Scope => {
    const calls = new Map<string, { call: ModuleCall; scope: Scope | null }>();
    const scope: Scope = {
      module,
      prefix,
      caller,
      calls,
      resources: new Map(module.resources.map((one) => [one.address, one])),
      variables: new Map(module.variables.map((one) => [one.name, one])),
      locals: new Map(module.locals.map((one) => [one.name, one])),
      outputs: new Map(module.outputs.map((one) => [one.name, one])),
    };
    all.push(scope);
    resources += module.resources.length;
    for (const call of module.moduleCalls) {
      const called = call.target === null ? undefined : modules.get(call.target);
      const isOpen =
        called !== undefined &&
        !call.repeated &&
        all.length < MAX_SCOPES &&
        resources + called.resources.length <= MAX_RESOURCES &&
        above.length < MAX_DEPTH &&
        called !== module &&
        !above.includes(called);
      const settings = new Map(call.settings.members.map(({ name, value }) => [name, value]));
      calls.set(call.name, {
        call,
        scope: isOpen
          ? open(called, `${prefix}module.${call.name}.`, { scope, settings }, [...above, module])
          : null,
      });
    }
    return scope;
  };
  return { root: open(root, "", undefined, []), all };
}

/** A setting of the provider that a resource of the module names, which the module or one that calls it configures. */
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
