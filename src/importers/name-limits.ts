/**
 * Limits the names and the number of things in an import. Lists, edges and messages repeat names often, and every later
 * part goes through all resources.
 */
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

/** Returns the modules within the limits, and warns of everything left out. */
export function withinNameLimits(modules: readonly SourceModule[], log: ImportLog): SourceModule[] {
  const fits =
    <One extends Place>(namesOf: (one: One) => readonly string[]) =>
    (one: One): boolean => {
      if (namesOf(one).every((name) => name.length <= MAX_NAME)) return true;
      const { file, line } = one;
      const message = `A name here is longer than ${MAX_NAME} characters: what has it was left out.`;
      log.add("warning", "name_too_long", message, { file, line });
      return false;
    };
  const left = { resources: MAX_RESOURCES, named: MAX_NAMED };
  const first =
    <One extends Place>(of: keyof typeof left, isFit: (one: One) => boolean) =>
    (one: One): boolean => {
      if (!isFit(one)) return false;
      left[of] -= 1;
      return left[of] >= 0;
    };
  const isNamed = fits((one: Place & { name: string }) => [one.name]);
  const named = first("named", isNamed);
  const isKept = first(
    "resources",
    fits(({ address, type, name, provider }: SourceResource) => [address, type, name, provider]),
  );
  const kept = modules.map((module) => ({
    ...module,
    resources: module.resources.filter(isKept),
    variables: module.variables.filter(named),
    outputs: module.outputs.filter(named),
    locals: module.locals.filter(named),
    moduleCalls: module.moduleCalls.filter(named),
    providers: module.providers.filter(isNamed).map((provider): SourceProvider => ({
      ...provider,
      constraints: provider.constraints.slice(0, MAX_CONSTRAINTS),
      aliases: provider.aliases.filter(isNamed),
    })),
  }));
  const more = { resources: -left.resources, named: -left.named };
  if (more.resources > 0)
    log.add(
      "warning",
      "too_many_resources",
      `${more.resources} more resources were left out: an import has at most ${MAX_RESOURCES}.`,
    );
  if (more.named > 0)
    log.add(
      "warning",
      "too_many_names",
      `${more.named} more variables, locals, outputs and calls were left out: an import has at most ${MAX_NAMED} of them.`,
    );
  return kept;
}
