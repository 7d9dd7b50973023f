import type { ProviderTypes } from "#providers/provider.ts";
import { formatTypeName, isWellFormed, parseTypeName } from "#providers/type-name.ts";
import type { ProviderName } from "#schema/lists/provider-names.ts";
import { factsOf } from "./rest-facts.ts";
import type { RestType } from "./rest-type.ts";

/** The types of a provider defined by a table. */
export interface RestTypes extends ProviderTypes {
  /** Undefined when there is no such type. */
  rowOf(type: string): RestType | undefined;
}

/** The rows of a provider; the key of each is the vendor's name of the type. */
export type RestRows = Readonly<Record<string, RestType>>;

/**
 * The types of a provider, one per row. The rows are made on first use, and once (docs/decisions/0071). `others` makes
 * the row of every other well-formed type, of which there are no facts here.
 */
export function restTypes(
  provider: ProviderName,
  makeRows: () => RestRows,
  others?: () => RestType,
): RestTypes {
  let made: RestRows | undefined;
  let other: RestType | undefined;
  const rows = (): RestRows => (made ??= makeRows());
  const ownRow = (type: string): RestType | undefined => {
    const name = parseTypeName(type);
    if (name === undefined || name.provider !== provider || name.version !== undefined)
      return undefined;
    return Object.hasOwn(rows(), name.name) ? rows()[name.name] : undefined;
  };
  const isOther = (type: string): boolean => {
    const name = parseTypeName(type);
    return name !== undefined && name.provider === provider && isWellFormed(name);
  };
  return {
    name: provider,
    openTypes: others !== undefined,
    types: () => Object.keys(rows()).map((name) => formatTypeName({ provider, name })),
    facts: (type) => {
      const row = ownRow(type);
      return row && factsOf(row);
    },
    rowOf: (type) => ownRow(type) ?? (isOther(type) ? (other ??= others?.()) : undefined),
  };
}
