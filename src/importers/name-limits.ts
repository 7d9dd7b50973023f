/** Leaves out what has a longer name than people write: lists, edges and messages repeat names very often. */
import type { Place } from "./import-file.ts";
import type { ImportLog } from "./import-log.ts";
import type { SourceModule, SourceProvider } from "./source-module.ts";

/** Characters of a name, a type or an address within its module. */
export const MAX_NAME = 500;
/** Version constraints of one provider. */
const MAX_CONSTRAINTS = 20;

/** The modules without what has too long a name, each of which is a warning. */
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
  const named = fits((one: Place & { name: string }) => [one.name]);
  return modules.map((module) => ({
    ...module,
    resources: module.resources.filter(
      fits(({ address, type, name, provider }) => [address, type, name, provider]),
    ),
    variables: module.variables.filter(named),
    outputs: module.outputs.filter(named),
    locals: module.locals.filter(named),
    moduleCalls: module.moduleCalls.filter(named),
    providers: module.providers.filter(named).map((provider): SourceProvider => ({
      ...provider,
      constraints: provider.constraints.slice(0, MAX_CONSTRAINTS),
      aliases: provider.aliases.filter(named),
    })),
  }));
}
