import { MAP_COST, valuesInText } from "./data-limits.ts";
import type { DataNode } from "./data-node.ts";

/** The number of values in a node, as its file pays for them. */
export function valuesIn(root: DataNode): number {
  const known = counted.get(root);
  if (known !== undefined) return known;
  let count = 0;
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    count += costOfNode(node);
    if (node.kind === "list") for (const item of node.items) waiting.push(item);
    if (node.kind === "map") for (const member of node.members.values()) waiting.push(member);
  }
  counted.set(root, count);
  return count;
}

const counted = new WeakMap<DataNode, number>();

/** The cost of a node without those inside it. */
export function costOfNode(node: DataNode): number {
  if (node.kind === "scalar" && typeof node.value === "string") return valuesInText(node.value);
  return node.kind === "map" ? MAP_COST : 1;
}
