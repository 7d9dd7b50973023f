import type { ProviderTypes } from "#providers/provider.ts";
import { formatTypeName, parseTypeName } from "#providers/type-name.ts";
import type { ProviderName } from "#schema/lists/provider-names.ts";
import { factsOf, type RestType } from "./rest-type.ts";

/** The types of a provider defined by a table. */
export interface RestTypes extends ProviderTypes {
  /** Undefined when there is no such type. */
  rowOf(type: string): RestType | undefined;
}

/** The rows of a provider; the key of each is the vendor's name of the type. */
export type RestRows = Readonly<Record<string, RestType>>;

/** The types of a provider, one per row. The rows are made on first use, and once (docs/decisions/0071). */
export function restTypes(provider: ProviderName, makeRows: () => RestRows): RestTypes {
  let made: RestRows | undefined;
  const rows = (): RestRows => (made ??= makeRows());
  const rowOf = (type: string): RestType | undefined => {
    const name = parseTypeName(type);
    if (name === undefined || name.provider !== provider || name.version !== undefined)
      return undefined;
    return Object.hasOwn(rows(), name.name) ? rows()[name.name] : undefined;
  };
  return {
    name: provider,
    openTypes: false,
    types: () => Object.keys(rows()).map((name) => formatTypeName({ provider, name })),
    facts: (type) => {
      const row = rowOf(type);
      return row && factsOf(row);
    },
    rowOf,
  };
}
