/** The keys of a map in their only order: by UTF-16 units. An object puts keys that look like numbers first. */
export function sortedKeys(map: { readonly [key: string]: unknown }): string[] {
  return Object.keys(map).sort();
}
