/** Every resource type of every provider, for template checks and editors. */
import type { TypeFacts } from "#providers/provider.ts";
import { providerTypes } from "#providers/registry.ts";
import { parseTypeName } from "#providers/type-name.ts";

export interface Catalogue {
  /** Undefined when no provider has such a type. */
  facts(type: string): TypeFacts | undefined;
  /** All type names, grouped by provider. */
  types(): readonly string[];
  /** Providers that accept types beyond those listed. */
  openProviders: ReadonlySet<string>;
}

function buildCatalogue(): Catalogue {
  const byProvider = new Map(providerTypes().map((types) => [types.name as string, types]));
  const all = [...byProvider.values()];
  const names = all.flatMap((types) => types.types());
  return {
    facts: (type) => byProvider.get(parseTypeName(type)?.provider ?? "")?.facts(type),
    types: () => names,
    openProviders: new Set(all.filter(({ openTypes }) => openTypes).map(({ name }) => name)),
  };
}

let built: Catalogue | undefined;

/** The catalogue, built once from the type tables without loading any provider. */
export function catalogue(): Catalogue {
  built ??= buildCatalogue();
  return built;
}
