/** A value of a JSON or YAML file with its place. Members have unique names. Aliases may share a value. */
export type DataNode = DataScalar | DataList | DataMap | DataAlias;

interface Placed {
  /** From 1. */
  line: number;
  endLine: number;
  /** The line of its name in the map, if it differs from the value's. */
  nameLine?: number | undefined;
  /** A YAML tag that is not a core tag, as written: `!Ref`, `!GetAtt`. */
  tag?: string | undefined;
}

export interface DataScalar extends Placed {
  kind: "scalar";
  value: string | number | boolean | null;
  /** A boolean's own word, if it is another than `true` or `false`: `Yes` may be a name. */
  written?: string | undefined;
}

export interface DataList extends Placed {
  kind: "list";
  items: readonly DataNode[];
}

export interface DataMap extends Placed {
  kind: "map";
  members: ReadonlyMap<string, DataNode>;
}

/** `*name` without an anchor, or past the limit on repeated values. */
export interface DataAlias extends Placed {
  kind: "alias";
  name: string;
}

/** The member of a map; undefined for another node and for an unknown name. */
export function memberOf(node: DataNode | undefined, name: string): DataNode | undefined {
  return node?.kind === "map" ? node.members.get(name) : undefined;
}

/** The members of a map; none for another node. */
export function membersOf(node: DataNode | undefined): ReadonlyMap<string, DataNode> {
  return node?.kind === "map" ? node.members : noMembers;
}

const noMembers: ReadonlyMap<string, DataNode> = new Map();

/** The items of a list; none for another node. */
export function itemsOf(node: DataNode | undefined): readonly DataNode[] {
  return node?.kind === "list" ? node.items : [];
}

/** The items of a list, or the value itself. */
export function oneOrMany(node: DataNode | undefined): readonly DataNode[] {
  if (node === undefined) return [];
  return node.kind === "list" ? node.items : [node];
}

/** The text of a scalar; undefined for another node. */
export function textIn(node: DataNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The text of a scalar where a name stands: a name may be a word that is a boolean elsewhere. */
export function nameIn(node: DataNode | undefined): string | undefined {
  return node?.kind === "scalar" ? (node.written ?? textIn(node)) : undefined;
}

/** The line where a member starts, which is the line of its name. */
export function lineOf(node: DataNode): number {
  return node.nameLine ?? node.line;
}
