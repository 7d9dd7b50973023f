import type { DataNode } from "#importers/text/data-node.ts";

/** The characters of a text that take the time of a value. */
const OF_TEXT = 64;

/** The number of values in a node, as the time of reading it. */
export function nodeSize(node: DataNode): number {
  const known = sizes.get(node);
  if (known !== undefined) return known;
  let size = 0;
  const waiting: Iterable<DataNode>[] = [[node]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const at of next) {
      size += 1;
      if (at.kind === "scalar") size += Math.floor(String(at.value).length / OF_TEXT);
      else if (at.kind === "list") waiting.push(at.items);
      else if (at.kind === "map") waiting.push(at.members.values());
    }
  sizes.set(node, size);
  return size;
}

/** A loop or a nested template is often measured several times. */
const sizes = new WeakMap<DataNode, number>();
