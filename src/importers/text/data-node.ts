/** A value of a JSON or YAML file with its place. Members have unique names; an alias is never expanded. */
export type DataNode = DataScalar | DataList | DataMap | DataAlias;

interface Placed {
  /** From 1. */
  line: number;
  endLine: number;
  /** The line of the name that it has in its map, where that is another one. */
  nameLine?: number | undefined;
  /** A YAML tag that is not a core one, as written: `!Ref`, `!GetAtt`. */
  tag?: string | undefined;
}

export interface DataScalar extends Placed {
  kind: "scalar";
  value: string | number | boolean | null;
}

export interface DataList extends Placed {
  kind: "list";
  items: readonly DataNode[];
}

export interface DataMap extends Placed {
  kind: "map";
  members: ReadonlyMap<string, DataNode>;
}

/** `*name`: what it stands for is not looked up. */
export interface DataAlias extends Placed {
  kind: "alias";
  name: string;
}

/** The member of a map; undefined for any other node and for a name it has not. */
export function memberOf(node: DataNode | undefined, name: string): DataNode | undefined {
  return node?.kind === "map" ? node.members.get(name) : undefined;
}

/** The text of a scalar that is one. */
export function textIn(node: DataNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The line where a member starts: that of its name. */
export function lineOf(node: DataNode): number {
  return node.nameLine ?? node.line;
}
