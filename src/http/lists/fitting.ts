import { jsonBytes } from "#platform/json.ts";

/** The most that the items of a page take as JSON, unless one alone takes more. */
export const MAX_PAGE_BYTES = 400 * 1_024;

/** As many of the items, in their order, as fit into so many bytes of JSON; at least the first. */
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
