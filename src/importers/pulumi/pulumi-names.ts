import type { ReferenceTarget } from "#importers/expression.ts";

/** The names of one program, by kind. */
export interface PulumiNames {
  /** The name of the project, if the file contains it. */
  project: string | undefined;
  resources: ReadonlySet<string>;
  variables: ReadonlySet<string>;
  config: ReadonlySet<string>;
}

/** The target of a name. Undefined for an unknown name and for a provider's configuration. */
export function targetOf(name: string, names: PulumiNames): ReferenceTarget | undefined {
  if (names.resources.has(name)) return { kind: "resource", address: name };
  if (names.variables.has(name)) return { kind: "local", name };
  return names.config.has(name) ? { kind: "variable", name } : undefined;
}
