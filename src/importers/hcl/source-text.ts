import type { SyntaxTree } from "./syntax/syntax-tree.ts";

/** A tree with the surroundings that its readers need. */
export interface Source {
  tree: SyntaxTree;
  /** The line of the file, from 1, of an offset in the tree's text. */
  lineAt: (offset: number) => number;
  /** The names of loop items around a node. */
  items?: ItemNames | undefined;
}

/** `iterator`: the name of a `dynamic` block's item, which has a key and a value. */
export type ItemNames = ReadonlyMap<string, "item" | "iterator">;

/** Returns the source with further names of loop items. */
export function withItems(
  source: Source,
  names: readonly string[],
  kind: "item" | "iterator",
): Source {
  return {
    ...source,
    items: new Map([...(source.items ?? []), ...names.map((name) => [name, kind] as const)]),
  };
}

export function lineOf({ tree, lineAt }: Source, node: number): number {
  return lineAt(tree.start(node));
}
