import type { DataNode } from "#importers/text/data-node.ts";
import type { Json } from "#platform/json.ts";

export interface PlacedJson {
  value: Json;
  /** The lines of a map of the value. */
  placeOf: (map: object) => { line: number; endLine: number };
}

/** Converts a node of a JSON file to plain JSON for the readers of reports, and remembers the lines of its maps. */
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
        // `Object.fromEntries` makes own members even of `__proto__`.
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
