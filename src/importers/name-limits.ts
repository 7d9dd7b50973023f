/**
 * Limits the names and the number of things in an import. Lists, edges and messages repeat names often, and every later
 * part goes through all resources.
 */
import { fairShares } from "./fair-shares.ts";
import type { Place } from "./import-file.ts";
import type { ImportLog } from "./import-log.ts";
import type { SourceModule, SourceProvider, SourceResource } from "./source-module.ts";

/** The maximum length of a name, a type or an address within its module, in characters. */
export const MAX_NAME = 500;
/** The maximum number of version constraints of one provider. */
const MAX_CONSTRAINTS = 20;

/** The maximum number of resources in an import, and of its variables, locals, outputs and calls together. */
export const MAX_RESOURCES = 20_000;
const MAX_NAMED = 50_000;

/** Returns the modules within the limits, each with its share, and warns of everything left out. */
export function withinNameLimits(modules: readonly SourceModule[], log: ImportLog): SourceModule[] {
  const named = modules.map((module) => withFittingNames(module, log));
  const resourceShares = fairShares(named.map(resourcesIn), MAX_RESOURCES);
  const nameShares = fairShares(named.map(namesIn), MAX_NAMED);
  const kept = named.map((module, at) =>
    withinShares(module, resourceShares[at] ?? 0, nameShares[at] ?? 0),
  );
  const more = (count: (module: SourceModule) => number) =>
    total(named, count) - total(kept, count);
  const resources = more(resourcesIn);
  const names = more(namesIn);
  if (resources > 0)
    log.add(
      "warning",
      "too_many_resources",
      `${resources} more resources were left out: an import has at most ${MAX_RESOURCES}.`,
    );
  if (names > 0)
    log.add(
      "warning",
      "too_many_names",
      `${names} more variables, locals, outputs and calls were left out: an import has at most ${MAX_NAMED} of them.`,
    );
  return kept;
}

function withFittingNames(module: SourceModule, log: ImportLog): SourceModule {
  const fits =
    <One extends Place>(namesOf: (one: One) => readonly string[]) =>
    (one: One): boolean => {
      if (namesOf(one).every((name) => name.length <= MAX_NAME)) return true;
      const { file, line } = one;
      const message = `A name here is longer than ${MAX_NAME} characters: what has it was left out.`;
      log.add("warning", "name_too_long", message, { file, line });
      return false;
    };
  const isNamed = fits((one: Place & { name: string }) => [one.name]);
  return {
    ...module,
    resources: module.resources.filter(
      fits(({ address, type, name, provider }: SourceResource) => [address, type, name, provider]),
    ),
    variables: module.variables.filter(isNamed),
    outputs: module.outputs.filter(isNamed),
    locals: module.locals.filter(isNamed),
    moduleCalls: module.moduleCalls.filter(isNamed),
    providers: module.providers.filter(isNamed).map((provider): SourceProvider => ({
      ...provider,
      constraints: provider.constraints.slice(0, MAX_CONSTRAINTS),
      aliases: provider.aliases.filter(isNamed),
    })),
  };
}

function withinShares(module: SourceModule, resources: number, names: number): SourceModule {
  let left = names;
  const first = <One>(all: readonly One[]): One[] => {
    const kept = all.slice(0, left);
    left -= kept.length;
    return kept;
  };
  return {
    ...module,
    resources: module.resources.slice(0, resources),
    variables: first(module.variables),
    outputs: first(module.outputs),
    locals: first(module.locals),
    moduleCalls: first(module.moduleCalls),
  };
}

function total(modules: readonly SourceModule[], count: (module: SourceModule) => number): number {
  return modules.reduce((sum, module) => sum + count(module), 0);
}

function resourcesIn({ resources }: SourceModule): number {
  return resources.length;
}

function namesIn({ variables, outputs, locals, moduleCalls }: SourceModule): number {
  return variables.length + outputs.length + locals.length + moduleCalls.length;
}
