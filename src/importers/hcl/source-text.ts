import type { SyntaxTree } from "./syntax/syntax-tree.ts";

/** A tree with what reading it needs to know of its surroundings. */
export interface Source {
  tree: SyntaxTree;
  /** The line of the file, from 1, of an offset in the tree's text. */
  lineAt: (offset: number) => number;
  /** Names that stand for what is taken one by one around a node. */
  items?: ItemNames | undefined;
}

/** `iterator`: of a `dynamic` block, with a key and a value of its own. */
export type ItemNames = ReadonlyMap<string, "item" | "iterator">;

/** Where further names stand for what is taken one by one. */
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

/** The line on which a node starts. */
export function lineOf({ tree, lineAt }: Source, node: number): number {
  return lineAt(tree.start(node));
}
