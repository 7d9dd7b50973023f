/** Every resource type of every provider: what templates are checked against and editors complete. */
import type { TypeFacts } from "#providers/provider.ts";
import { providerTypes } from "#providers/registry.ts";
import { parseTypeName } from "#providers/type-name.ts";

export interface Catalogue {
  /** Undefined: no provider has such a type. */
  facts(type: string): TypeFacts | undefined;
  /** All type names, by provider. */
  types(): readonly string[];
  /** Providers that take types beyond those listed. */
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

/** From the tables of types alone: no provider is loaded. Built once, always the same. */
export function catalogue(): Catalogue {
  built ??= buildCatalogue();
  return built;
}
