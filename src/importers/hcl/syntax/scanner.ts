import { type NodeKind, SyntaxTree } from "./syntax-tree.ts";

/** The maximum depth of blocks, brackets, texts and conditions in a file. */
export const MAX_HCL_NESTING = 200;
/** The maximum number of nodes in a file. Real files of 1 MiB have 150,000. */
export const MAX_HCL_NODES = 400_000;

export type ScanLimit = "nesting_too_deep" | "too_many_values" | "parse_budget_exceeded";

/**
 * Thrown where a statement cannot be read on. One object for all, because creating an error takes longer than most
 * statements.
 */
export const syntaxFault = new Error("The text is not valid HCL.");

/** A limit that ends the parsing of a file. */
export class ScanLimitError extends Error {
  readonly limit: ScanLimit;

  constructor(limit: ScanLimit) {
    super(limit);
    this.limit = limit;
  }
}

const identifier = /[\p{ID_Start}_][\p{ID_Continue}-]*(?:::[\p{ID_Start}_][\p{ID_Continue}-]*)*/uy;
const lineOfOneName = /^[ \t]*([\p{ID_Continue}-]+)[ \t\r]*$/gmu;

/**
 * The position of a parser in a text. It only moves forward, and never searches for a missing end, so parsing takes
 * linear time.
 */
export class Scanner {
  readonly text: string;
  readonly tree: SyntaxTree;
  at = 0;
  /** Whether a line break ends an expression. In parentheses and lists it does not. */
  endsAtLine = false;
  /** The number of open brackets in the current statement. */
  brackets = 0;
  faultAt = 0;
  expected: string | undefined;
  #depth = 0;
  #lastCommentEnd: number | undefined;
  #lastLines: ReadonlyMap<string, number> | undefined;

  readonly #maxNodes: number;

  constructor(text: string, maxNodes = MAX_HCL_NODES) {
    this.text = text;
    this.#maxNodes = maxNodes;
    this.tree = new SyntaxTree(text);
  }

  get code(): number {
    return this.text.charCodeAt(this.at);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  startsWith(token: string): boolean {
    return this.text.startsWith(token, this.at);
  }

  fault(expected?: string, at = this.at): never {
    this.faultAt = at;
    this.expected = expected;
    throw syntaxFault;
  }

  /** Skips spaces and comments. */
  skip(overLines = !this.endsAtLine): void {
    for (;;) {
      const code = this.code;
      if (code === 0x20 || code === 0x09 || code === 0x0d || (code === 0x0a && overLines))
        this.at += 1;
      else if (code === 0x23 || (code === 0x2f && this.startsWith("//"))) this.at = this.lineEnd();
      else if (code === 0x2f && this.startsWith("/*")) this.skipComment();
      else return;
    }
  }

  skipComment(): void {
    this.#lastCommentEnd ??= this.text.lastIndexOf("*/");
    if (this.#lastCommentEnd < this.at + 2) this.fault("the end of the comment");
    this.at = this.text.indexOf("*/", this.at + 2) + 2;
  }

  /** The offset of the next line break, or of the end of the text. */
  lineEnd(): number {
    const end = this.text.indexOf("\n", this.at);
    return end === -1 ? this.text.length : end;
  }

  /** Whether a line with only this name follows. */
  hasLineAhead(name: string): boolean {
    this.#lastLines ??= new Map(
      [...this.text.matchAll(lineOfOneName)].map(({ 1: only, index }) => [only ?? "", index]),
    );
    return (this.#lastLines.get(name) ?? -1) >= this.at;
  }

  /** Moves past the match of a sticky pattern and returns it; "" without a match. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  takeIdentifier(): string {
    return this.take(identifier);
  }

  peekIdentifier(): string {
    const { at } = this;
    const found = this.takeIdentifier();
    this.at = at;
    return found;
  }

  expect(token: string): void {
    if (!this.startsWith(token)) this.fault(`\`${token}\``);
    this.at += token.length;
  }

  open(kind: NodeKind, start = this.at): number {
    if (this.tree.size >= this.#maxNodes) throw new ScanLimitError("too_many_values");
    return this.tree.open(kind, start);
  }

  close(node: number, kind?: NodeKind): void {
    this.tree.close(node, this.at, kind);
  }

  leaf(kind: NodeKind, start: number): void {
    this.tree.close(this.open(kind, start), this.at);
  }

  nested(read: () => void): void {
    this.#depth += 1;
    if (this.#depth > MAX_HCL_NESTING) throw new ScanLimitError("nesting_too_deep");
    read();
    this.#depth -= 1;
  }

  /** Reads a bracketed part, including both brackets. */
  bracketed(opening: string, closing: string, endsAtLine: boolean, read: () => void): void {
    const around = this.endsAtLine;
    this.expect(opening);
    this.brackets += 1;
    this.endsAtLine = endsAtLine;
    this.nested(read);
    this.skip(true);
    this.expect(closing);
    this.endsAtLine = around;
    this.brackets -= 1;
  }

  get depth(): number {
    return this.#depth;
  }

  /** Returns to the levels of a statement that a fault has ended. */
  leaveTo(depth: number, brackets: number): void {
    this.#depth = depth;
    this.brackets = brackets;
  }
}
