import type { DataNode } from "./data-node.ts";

/** Whether two nodes have the same content, wherever they stand. Takes time linear to the smaller one. */
export function isSameValue(one: DataNode, other: DataNode): boolean {
  switch (one.kind) {
    case "scalar":
      return other.kind === "scalar" && one.value === other.value;
    case "alias":
      return false;
    case "list":
      return (
        other.kind === "list" &&
        one.items.length === other.items.length &&
        one.items.every((item, at) => {
          const same = other.items[at];
          return same !== undefined && isSameValue(item, same);
        })
      );
    case "map":
      return (
        other.kind === "map" &&
        one.members.size === other.members.size &&
        [...one.members].every(([name, value]) => {
          const same = other.members.get(name);
          return same !== undefined && isSameValue(value, same);
        })
      );
  }
}
