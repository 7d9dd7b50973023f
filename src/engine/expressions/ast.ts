/** Offsets of UTF-16 units in the text that holds the expression; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

export interface Identifier extends Range {
  name: string;
}

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";
export type OrderOperator = "<" | "<=" | ">" | ">=";
export type BinaryOperator = ArithmeticOperator | OrderOperator | "==" | "!=" | "in";

export type LoopKind =
  | "all"
  | "exists"
  | "exists_one"
  | "filter"
  | "map"
  | "transformList"
  | "transformMap"
  | "transformMapEntry";

export interface ListItem {
  value: Node;
  /** `[?item]`: left out if the optional has no value. */
  optional: boolean;
}

export interface MapEntry {
  key: Node;
  value: Node;
  /** `{?key: value}`: left out if the optional has no value. */
  optional: boolean;
}

export type NodeOf<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

export type Node = Range &
  (
    | {
        kind: "literal";
        value: null | boolean | number | string;
        /** A number that was written with a point or an exponent. */
        fraction: boolean;
      }
    | { kind: "name"; name: string }
    | { kind: "member"; of: Node; member: Identifier; optional: boolean }
    | { kind: "index"; of: Node; index: Node; optional: boolean }
    | { kind: "not"; of: Node }
    | { kind: "minus"; of: Node }
    | { kind: "binary"; operator: BinaryOperator; left: Node; right: Node }
    /** `a && b && c` is one node: the order of the sides does not matter. */
    | { kind: "logic"; operator: "&&" | "||"; sides: Node[] }
    | { kind: "choice"; condition: Node; met: Node; otherwise: Node }
    | { kind: "list"; items: ListItem[] }
    | { kind: "map"; entries: MapEntry[] }
    /** `of` is the value before the dot of a method; the name of a function may have a namespace: `json.encode`. */
    | { kind: "call"; function: Identifier; of: Node | undefined; arguments: Node[] }
    | {
        kind: "loop";
        loop: LoopKind;
        of: Node;
        /** One: an item of a list or a key of a map. Two: index and item, or key and value. */
        variables: Identifier[];
        filter: Node | undefined;
        body: Node;
      }
    | { kind: "has"; of: Node }
    | { kind: "bind"; variable: Identifier; value: Node; body: Node }
    /** `optMap` and, with `flat`, `optFlatMap`. */
    | { kind: "optional-map"; flat: boolean; of: Node; variable: Identifier; body: Node }
  );

/** The nodes directly below, in text order. */
export function childrenOf(node: Node): Node[] {
  switch (node.kind) {
    case "literal":
    case "name":
      return [];
    case "member":
    case "not":
    case "minus":
    case "has":
      return [node.of];
    case "index":
      return [node.of, node.index];
    case "binary":
      return [node.left, node.right];
    case "logic":
      return node.sides;
    case "choice":
      return [node.condition, node.met, node.otherwise];
    case "list":
      return node.items.map(({ value }) => value);
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "call":
      return node.of === undefined ? node.arguments : [node.of, ...node.arguments];
    case "loop":
      return [node.of, ...(node.filter === undefined ? [] : [node.filter]), node.body];
    case "bind":
      return [node.value, node.body];
    case "optional-map":
      return [node.of, node.body];
  }
}
