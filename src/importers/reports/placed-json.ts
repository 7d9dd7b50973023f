import type { DataNode } from "#importers/text/data-node.ts";
import type { Json } from "#platform/json.ts";

export interface PlacedJson {
  value: Json;
  /** Where a map of the value is written. */
  placeOf: (map: object) => { line: number; endLine: number };
}

/** A node of a JSON file as plain JSON, which the readers of reports take, with the places of its maps. */
export function placedJson(node: DataNode): PlacedJson {
  const places = new Map<object, DataNode>();
  const plain = (at: DataNode): Json => {
    switch (at.kind) {
      case "scalar":
        return at.value;
      case "alias":
        return null;
      case "list":
        return at.items.map(plain);
      case "map": {
        // Own members even for `__proto__`.
        const map = Object.fromEntries(
          [...at.members].map(([name, value]) => [name, plain(value)]),
        );
        places.set(map, at);
        return map;
      }
    }
  };
  return {
    value: plain(node),
    placeOf: (map) => {
      const { line, endLine } = places.get(map) ?? node;
      return { line, endLine };
    },
  };
}
