import { mockRows } from "#providers/mock/types.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

/**
 * Makes look-ups at the mock cloud search for the mark of a create, as those of most clouds do; a name from a template
 * proves nothing. Returns a function that undoes this.
 */
export function findByMark(): () => void {
  const rows: RestType[] = Object.values(mockRows);
  const before = rows.map(({ find }) => find);
  for (const row of rows) row.find = { by: "tag", property: "tags" };
  return () => {
    for (const [at, row] of rows.entries()) Object.assign(row, { find: before[at] });
  };
}
