import type { Tree, TreeCursor } from "web-tree-sitter";
import { ERROR_KIND, ERROR_TYPE_ID, type Treatment } from "./node-kinds.ts";

/** The grammar's names and what is kept of it, by the library's ids. */
export interface Grammar {
  names: readonly string[];
  treatments: readonly Treatment[];
}

export interface SyntaxError {
  offset: number;
  /** The grammar's name of a token that was assumed; undefined: what stands there cannot be read. */
  missing?: string | undefined;
}

/**
 * A parsed text as plain arrays: nodes are numbers, in the order of the text, so that everything below one is a range.
 * Asking the library for each node again takes longer than parsing, and its tree must be freed.
 */
export class SyntaxTree {
  readonly text: string;
  readonly errors: readonly SyntaxError[];
  readonly size: number;
  readonly #names: readonly string[];
  readonly #nodes: Nodes;

  constructor(text: string, grammar: Grammar, nodes: Nodes, errors: readonly SyntaxError[]) {
    this.text = text;
    this.errors = errors;
    this.size = nodes.kinds.length;
    this.#names = grammar.names;
    this.#nodes = nodes;
  }

  kind(node: number): string {
    const id = this.#nodes.kinds[node];
    return id === ERROR_TYPE_ID ? ERROR_KIND : ((id === undefined ? id : this.#names[id]) ?? "");
  }

  start(node: number): number {
    return this.#nodes.starts[node] ?? 0;
  }

  end(node: number): number {
    return this.#nodes.ends[node] ?? 0;
  }

  /** The first node that is not below this one. */
  after(node: number): number {
    return this.#nodes.after[node] ?? this.size;
  }

  children(node: number): number[] {
    const found: number[] = [];
    const end = this.after(node);
    for (let at = node + 1; at < end; at = this.after(at)) found.push(at);
    return found;
  }

  source(node: number): string {
    return this.text.slice(this.start(node), this.end(node));
  }
}

interface Nodes {
  kinds: number[];
  starts: number[];
  ends: number[];
  after: number[];
}

/** Takes from the library's tree what is needed, without recursion: a tree may be as deep as its text is long. */
export function condensed(tree: Tree, text: string, grammar: Grammar): SyntaxTree {
  const nodes: Nodes = { kinds: [], starts: [], ends: [], after: [] };
  const errors: SyntaxError[] = [];
  const cursor = tree.walk();
  if (tree.rootNode.hasError) walk(cursor, nodes, grammar, errors);
  else walk(cursor, nodes, grammar);
  cursor.delete();
  return new SyntaxTree(text, grammar, nodes, errors);
}

const NOT_KEPT = -1;

function walk(cursor: TreeCursor, nodes: Nodes, grammar: Grammar, errors?: SyntaxError[]): void {
  const open: number[] = [];
  let insideError = NOT_KEPT;
  const close = (node: number) => {
    if (node === NOT_KEPT) return;
    nodes.after[node] = nodes.kinds.length;
    if (insideError === node) insideError = NOT_KEPT;
  };
  for (;;) {
    const id = cursor.nodeTypeId;
    const isError = id === ERROR_TYPE_ID;
    const treatment = isError ? "keep" : grammar.treatments[id];
    let node = NOT_KEPT;
    if (treatment === "keep" || treatment === "leaf") {
      node = nodes.kinds.length;
      nodes.kinds.push(id);
      nodes.starts.push(cursor.startIndex);
      nodes.ends.push(cursor.endIndex);
      nodes.after.push(node + 1);
    }
    if (errors !== undefined && insideError === NOT_KEPT) {
      if (isError) {
        errors.push({ offset: cursor.startIndex });
        insideError = node;
      } else if (cursor.nodeIsMissing)
        errors.push({ offset: cursor.startIndex, missing: grammar.names[id] ?? "" });
    }
    // Where something is missing, it may be inside of a leaf.
    const descends =
      treatment === "keep" ||
      treatment === "pass" ||
      (errors !== undefined && treatment === "leaf" && grammar.names[id] === "string_lit");
    if (descends && cursor.gotoFirstChild()) {
      open.push(node);
      continue;
    }
    close(node);
    while (!cursor.gotoNextSibling()) {
      const above = open.pop();
      if (above === undefined) return;
      cursor.gotoParent();
      close(above);
    }
  }
}
