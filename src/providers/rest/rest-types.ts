import type { ProviderTypes } from "#providers/provider.ts";
import { formatTypeName, isWellFormed, parseTypeName } from "#providers/type-name.ts";
import type { ProviderName } from "#schema/lists/provider-names.ts";
import { factsOf, type RestType } from "./rest-type.ts";

/** The types of a provider defined by a table. */
export interface RestTypes extends ProviderTypes {
  /** Undefined when there is no such type. */
  rowOf(type: string): RestType | undefined;
}

/**
 * The types of a provider, one per row; the key of a row is the vendor's name of the type. `others`: the row of every
 * other well-formed type, of which there are no facts here.
 */
export function restTypes(
  provider: ProviderName,
  rows: Readonly<Record<string, RestType>>,
  others?: RestType,
): RestTypes {
  const ownRow = (type: string): RestType | undefined => {
    const name = parseTypeName(type);
    if (name === undefined || name.provider !== provider || name.version !== undefined)
      return undefined;
    return Object.hasOwn(rows, name.name) ? rows[name.name] : undefined;
  };
  const isOther = (type: string): boolean => {
    const name = parseTypeName(type);
    return name !== undefined && name.provider === provider && isWellFormed(name);
  };
  return {
    name: provider,
    openTypes: others !== undefined,
    types: () => Object.keys(rows).map((name) => formatTypeName({ provider, name })),
    facts: (type) => {
      const row = ownRow(type);
      return row && factsOf(row);
    },
    rowOf: (type) => ownRow(type) ?? (isOther(type) ? others : undefined),
  };
}
