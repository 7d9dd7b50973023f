/** The number of labels of each block type at the top of a Terraform file. */
export const labelsOfBlock: ReadonlyMap<string, number> = new Map([
  ["resource", 2],
  ["data", 2],
  ["ephemeral", 2],
  ["variable", 1],
  ["output", 1],
  ["module", 1],
  ["provider", 1],
  ["check", 1],
  ["locals", 0],
  ["terraform", 0],
  ["moved", 0],
  ["import", 0],
  ["removed", 0],
]);
