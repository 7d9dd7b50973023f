import { partOfAddress } from "#console/resource-graph.tsx";

/** The dependencies of each resource, by name or address. */
export type Dependencies = ReadonlyMap<string, readonly string[]>;

/**
 * The dependencies of each address. `dependencies` may name a loop or a component, which stands for all addresses that it
 * made; an address without dependencies of its own has those of its loop or component.
 */
export function expandDependencies(
  addresses: readonly string[],
  dependencies: Dependencies,
): Dependencies {
  const made = Map.groupBy(addresses, (address) => partOfAddress(address) ?? address);
  return new Map(
    addresses.map((address) => {
      const own = dependencies.get(address) ?? dependencies.get(partOfAddress(address) ?? "") ?? [];
      return [address, [...new Set(own.flatMap((name) => made.get(name) ?? [name]))]];
    }),
  );
}
