import type { ReferenceTarget } from "#importers/expression.ts";

/** The names of one program, by what they name. */
export interface PulumiNames {
  /** The name of the project, if the file tells it. */
  project: string | undefined;
  resources: ReadonlySet<string>;
  variables: ReadonlySet<string>;
  config: ReadonlySet<string>;
}

/** What a name refers to; undefined: nothing, or a provider's configuration. */
export function targetOf(name: string, names: PulumiNames): ReferenceTarget | undefined {
  if (names.resources.has(name)) return { kind: "resource", address: name };
  if (names.variables.has(name)) return { kind: "local", name };
  return names.config.has(name) ? { kind: "variable", name } : undefined;
}
