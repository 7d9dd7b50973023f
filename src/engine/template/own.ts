/** The map's own member with a user-chosen name; never an inherited one such as `constructor`. */
export function own<T>(map: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
