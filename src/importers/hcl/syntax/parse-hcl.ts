import { readExpressionSyntax } from "./expression-syntax.ts";
import { recover } from "./recover.ts";
import { ScanLimitError, type ScanLimit, Scanner, syntaxFault } from "./scanner.ts";
import type { SyntaxTree } from "./syntax-tree.ts";
import { readQuoted, readWholeTemplate } from "./template-syntax.ts";

/** A file with more faults is not a Terraform file. */
const MAX_FAULTS = 1_000;

/** A line that starts a block of Terraform, as formatters write it. */
const header =
  /(?:(?:resource|data|ephemeral)[ \t]+"[^"\n]{1,200}"[ \t]+"[^"\n]{1,200}"|(?:variable|output|module|provider|check)[ \t]+"[^"\n]{1,200}"|terraform|locals|moved|import|removed)[ \t]*\{/y;

/**
 * Parses a text of HCL in linear time. A fault drops its statement. An unclosed block ends where the next block of
 * Terraform starts.
 */
export function parseHcl(text: string, maxNodes?: number): SyntaxTree | ScanLimit {
  const scanner = new Scanner(text, maxNodes);
  return withinLimits(() => {
    const body = scanner.open("body");
    readStatements(scanner, { isTop: true, mayHoldHeaders: true });
    scanner.close(body);
    return scanner.tree;
  });
}

/** Parses a text of Terraform's JSON syntax. Undefined for an invalid template. */
export function parseTemplate(text: string): SyntaxTree | undefined {
  const scanner = new Scanner(text);
  try {
    readWholeTemplate(scanner, readExpressionSyntax);
    return scanner.tree;
  } catch (error) {
    if (error === syntaxFault || error instanceof ScanLimitError) return undefined;
    throw error;
  }
}

function withinLimits(parse: () => SyntaxTree): SyntaxTree | ScanLimit {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ScanLimitError) return error.limit;
    throw error;
  }
}

interface Around {
  isTop: boolean;
  /** Whether the block may contain data sources, as a `check` does: a line that starts one does not end it. */
  mayHoldHeaders: boolean;
}

/** Reads statements up to the closing bracket, which is not read. */
function readStatements(scanner: Scanner, around: Around): void {
  const { tree, depth, brackets } = scanner;
  for (;;) {
    let { size } = tree;
    let start = scanner.at;
    try {
      scanner.endsAtLine = false;
      scanner.skip();
      if (scanner.isAtEnd || (!around.isTop && endsBody(scanner, around))) return;
      start = scanner.at;
      if (readStatement(scanner) === "block") {
        // Text after a block on its last line does not affect the block.
        ({ size } = tree);
        start = scanner.at;
      }
      endStatement(scanner);
    } catch (error) {
      if (error !== syntaxFault) throw error;
      tree.shrink(size);
      addFault(scanner);
      const open = scanner.brackets - brackets;
      scanner.leaveTo(depth, brackets);
      recover(scanner, {
        start,
        open,
        isTop: around.isTop,
        startsBlock: () => startsBlock(scanner),
      });
    }
  }
}

function endStatement(scanner: Scanner): void {
  scanner.endsAtLine = true;
  scanner.skip();
  const isAtEnd = scanner.isAtEnd || scanner.startsWith("\n") || scanner.startsWith("}");
  // An unclosed block ends where the next one starts.
  if (!isAtEnd && !startsBlock(scanner)) scanner.fault("a line break");
}

function addFault({ tree, faultAt, expected }: Scanner): void {
  if (tree.faults.length >= MAX_FAULTS) throw new ScanLimitError("parse_budget_exceeded");
  tree.faults.push({ offset: faultAt, expected });
}

function endsBody(scanner: Scanner, { mayHoldHeaders }: Around): boolean {
  return scanner.startsWith("}") || (!mayHoldHeaders && startsBlock(scanner));
}

/** Whether a block of Terraform starts here, at the beginning of a line. */
function startsBlock(scanner: Scanner): boolean {
  const { at } = scanner;
  if (at > 0 && scanner.text.charCodeAt(at - 1) !== 0x0a) return false;
  const found = scanner.take(header) !== "";
  scanner.at = at;
  return found;
}

function readStatement(scanner: Scanner): "attribute" | "block" {
  const node = scanner.open("attribute");
  const { at } = scanner;
  const name = scanner.takeIdentifier();
  if (name === "") scanner.fault("the name of an argument or block");
  scanner.leaf("identifier", at);
  scanner.endsAtLine = true;
  scanner.skip();
  const isAttribute = scanner.startsWith("=") && !scanner.startsWith("==");
  if (isAttribute) {
    scanner.at += 1;
    readExpressionSyntax(scanner);
  } else readBlock(scanner, name === "check");
  const kind = isAttribute ? "attribute" : "block";
  scanner.close(node, kind);
  return kind;
}

/** Reads a block, from the labels on. */
function readBlock(scanner: Scanner, isCheck: boolean): void {
  for (; !scanner.startsWith("{"); scanner.skip()) {
    const { at } = scanner;
    if (scanner.startsWith('"')) readQuoted(scanner, readExpressionSyntax);
    else if (scanner.takeIdentifier() === "") scanner.fault("`=` or `{`");
    else scanner.leaf("identifier", at);
  }
  scanner.at += 1;
  const body = scanner.open("body");
  scanner.nested(() => readStatements(scanner, { isTop: false, mayHoldHeaders: isCheck }));
  scanner.close(body);
  if (scanner.startsWith("}")) scanner.at += 1;
  else {
    // The fault is not one of this block's statement, so the block is kept.
    scanner.faultAt = scanner.at;
    scanner.expected = "`}`";
    addFault(scanner);
  }
}
