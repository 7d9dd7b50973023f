/** The kind of a syntax tree's node. */
export type NodeKind =
  | "body"
  | "attribute"
  | "block"
  | "identifier"
  /** Its children are a term and the steps below it, or several of these with operators between. */
  | "expression"
  | "number"
  | "bool"
  | "null"
  | "variable"
  | "call"
  | "ellipsis"
  | "list"
  | "object"
  | "element"
  | "for"
  | "for_intro"
  | "operator"
  | "member"
  | "index"
  | "legacy_index"
  | "splat"
  /** A quoted text without interpolations. */
  | "text"
  | "template"
  | "heredoc"
  | "heredoc_name"
  | "interpolation"
  | "directive"
  | "strip_marker";

/** A syntax error and its offset. */
export interface SyntaxFault {
  offset: number;
  /** The expected text; undefined for any other readable text. */
  expected: string | undefined;
}

/**
 * A parsed text as arrays. Nodes are numbers in the order of the text, so all descendants of a node are a range. A
 * search below a node needs no recursion.
 */
export class SyntaxTree {
  readonly text: string;
  readonly faults: SyntaxFault[] = [];
  readonly #kinds: NodeKind[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #after: number[] = [];

  constructor(text: string) {
    this.text = text;
  }

  get size(): number {
    return this.#kinds.length;
  }

  kind(node: number): NodeKind | undefined {
    return this.#kinds[node];
  }

  start(node: number): number {
    return this.#starts[node] ?? 0;
  }

  end(node: number): number {
    return this.#ends[node] ?? 0;
  }

  /** The first node outside this one. */
  after(node: number): number {
    return this.#after[node] ?? this.size;
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

  /** Adds a node. Nodes added until it is closed are its descendants. */
  open(kind: NodeKind, start: number): number {
    this.#kinds.push(kind);
    this.#starts.push(start);
    this.#ends.push(start);
    this.#after.push(this.#kinds.length);
    return this.#kinds.length - 1;
  }

  close(node: number, end: number, kind = this.#kinds[node]): void {
    if (kind !== undefined) this.#kinds[node] = kind;
    this.#ends[node] = end;
    this.#after[node] = this.#kinds.length;
  }

  leaf(kind: NodeKind, start: number, end: number): void {
    this.close(this.open(kind, start), end);
  }

  /** Removes all nodes from this size on. */
  shrink(size: number): void {
    for (const list of [this.#kinds, this.#starts, this.#ends, this.#after]) list.length = size;
  }
}
