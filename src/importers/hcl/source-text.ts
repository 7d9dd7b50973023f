import type { SyntaxTree } from "./syntax/syntax-tree.ts";

/** A tree with what reading it needs to know of its surroundings. */
export interface Source {
  tree: SyntaxTree;
  /** The line of the file, from 1, of an offset in the tree's text. */
  lineAt: (offset: number) => number;
}

/** The line on which a node starts. */
export function lineOf({ tree, lineAt }: Source, node: number): number {
  return lineAt(tree.start(node));
}
