import { jsonBytes } from "#platform/json.ts";

/** The limit for the items of a page as JSON, unless a single item is larger. */
export const MAX_PAGE_BYTES = 400 * 1_024;

/** The first items that fit into this many bytes of JSON; at least one. */
export function fitting<T>(items: Iterable<T>, maxBytes: number): { items: T[]; bytes: number } {
  const taken: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const more = jsonBytes(item) + 1;
    if (taken.length > 0 && bytes + more > maxBytes) break;
    taken.push(item);
    bytes += more;
  }
  return { items: taken, bytes };
}
