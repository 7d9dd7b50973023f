import type { Scanner } from "./scanner.ts";
import type { NodeKind } from "./syntax-tree.ts";
import { readForIntro, readHeredoc, readQuoted } from "./template-syntax.ts";

const binaryOperator = /\|\||&&|==|!=|<=|>=|[<>+\-*/%]/y;
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const digits = /\d+/y;

const words: ReadonlyMap<string, NodeKind> = new Map([
  ["true", "bool"],
  ["false", "bool"],
  ["null", "null"],
]);

/**
 * Reads an expression of HCL (https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md). Operators are separate
 * nodes without ranks; `read-operation.ts` ranks them.
 */
export function readExpressionSyntax(scanner: Scanner): void {
  scanner.skip();
  const node = scanner.open("expression");
  readOperand(scanner);
  let end = scanner.at;
  for (;;) {
    scanner.skip();
    const { at } = scanner;
    if (scanner.startsWith("?")) {
      readCondition(scanner);
      end = scanner.at;
      break;
    }
    if (scanner.take(binaryOperator) === "") break;
    scanner.leaf("operator", at);
    scanner.skip(true);
    readOperand(scanner);
    end = scanner.at;
  }
  scanner.at = end;
  scanner.close(node);
}

/** Reads a condition, from `?` on. */
function readCondition(scanner: Scanner): void {
  scanner.at += 1;
  scanner.leaf("operator", scanner.at - 1);
  scanner.nested(() => {
    scanner.skip(true);
    readExpressionSyntax(scanner);
    scanner.skip(true);
    scanner.expect(":");
    scanner.skip(true);
    readExpressionSyntax(scanner);
  });
}

function readOperand(scanner: Scanner): void {
  for (; scanner.startsWith("-") || scanner.startsWith("!"); scanner.skip()) {
    scanner.at += 1;
    scanner.leaf("operator", scanner.at - 1);
  }
  readTerm(scanner);
  let { at } = scanner;
  for (scanner.skip(); readPostfix(scanner); scanner.skip()) ({ at } = scanner);
  scanner.at = at;
}

function readTerm(scanner: Scanner): void {
  const { at, code } = scanner;
  if (code === 0x22) readQuoted(scanner, readExpressionSyntax);
  else if (code === 0x5b) readList(scanner);
  else if (code === 0x7b) readObject(scanner);
  else if (code === 0x28) scanner.bracketed("(", ")", false, () => readExpressionSyntax(scanner));
  else if (scanner.startsWith("<<")) readHeredoc(scanner, readExpressionSyntax);
  else if (scanner.take(number) !== "") scanner.leaf("number", at);
  else readWord(scanner);
}

function readWord(scanner: Scanner): void {
  const { at } = scanner;
  const word = scanner.takeIdentifier();
  if (word === "") scanner.fault("a value");
  const end = scanner.at;
  scanner.skip();
  if (scanner.startsWith("(")) {
    const node = scanner.open("call", at);
    scanner.tree.leaf("identifier", at, end);
    scanner.bracketed("(", ")", false, () => readItems(scanner, ")"));
    scanner.close(node);
  } else {
    scanner.at = end;
    scanner.leaf(words.get(word) ?? "variable", at);
  }
}

/** Reads expressions between commas, up to the closing bracket. */
function readItems(scanner: Scanner, closing: string): void {
  for (;;) {
    scanner.skip();
    if (scanner.startsWith(closing)) return;
    readExpressionSyntax(scanner);
    scanner.skip();
    readEllipsis(scanner);
    if (scanner.startsWith(closing)) return;
    scanner.expect(",");
  }
}

function readEllipsis(scanner: Scanner): void {
  if (!scanner.startsWith("...")) return;
  scanner.at += 3;
  scanner.leaf("ellipsis", scanner.at - 3);
  scanner.skip();
}

function readPostfix(scanner: Scanner): boolean {
  const { at } = scanner;
  if (scanner.startsWith("[")) {
    if (scanner.take(/\[\s*\*\s*\]/y) !== "") {
      scanner.leaf("splat", at);
      return true;
    }
    const node = scanner.open("index");
    scanner.bracketed("[", "]", false, () => readExpressionSyntax(scanner));
    scanner.close(node);
    return true;
  }
  if (!scanner.startsWith(".") || scanner.startsWith("...")) return false;
  scanner.at += 1;
  scanner.skip();
  const start = scanner.at;
  if (scanner.startsWith("*")) {
    scanner.at += 1;
    scanner.leaf("splat", at);
  } else if (scanner.take(digits) !== "") scanner.leaf("legacy_index", start);
  else if (scanner.takeIdentifier() === "") scanner.fault("a name");
  else scanner.leaf("member", start);
  return true;
}

function readList(scanner: Scanner): void {
  const node = scanner.open("list");
  let kind: NodeKind = "list";
  scanner.bracketed("[", "]", false, () => {
    scanner.skip();
    if (scanner.peekIdentifier() === "for") {
      kind = "for";
      readFor(scanner, false);
    } else readItems(scanner, "]");
  });
  scanner.close(node, kind);
}

/** Reads a `for` in a list or an object, from `for` on. */
function readFor(scanner: Scanner, isObject: boolean): void {
  const { at } = scanner;
  scanner.takeIdentifier();
  readForIntro(scanner, at, readExpressionSyntax);
  scanner.skip();
  scanner.expect(":");
  readExpressionSyntax(scanner);
  scanner.skip();
  if (isObject) {
    scanner.expect("=>");
    readExpressionSyntax(scanner);
    scanner.skip();
    readEllipsis(scanner);
  }
  if (scanner.peekIdentifier() !== "if") return;
  scanner.takeIdentifier();
  readExpressionSyntax(scanner);
}

function readObject(scanner: Scanner): void {
  const node = scanner.open("object");
  let kind: NodeKind = "object";
  scanner.bracketed("{", "}", true, () => {
    scanner.skip(true);
    if (scanner.peekIdentifier() === "for") {
      kind = "for";
      scanner.endsAtLine = false;
      readFor(scanner, true);
    } else readElements(scanner);
  });
  scanner.close(node, kind);
}

function readElements(scanner: Scanner): void {
  for (;;) {
    scanner.skip(true);
    if (scanner.startsWith("}")) return;
    const element = scanner.open("element");
    readExpressionSyntax(scanner);
    scanner.skip();
    const isAssigned =
      (scanner.startsWith("=") && !scanner.startsWith("==")) || scanner.startsWith(":");
    if (!isAssigned) scanner.fault("`=`");
    scanner.at += 1;
    scanner.skip(true);
    readExpressionSyntax(scanner);
    scanner.close(element);
    scanner.skip();
    if (scanner.startsWith(",")) scanner.at += 1;
    else if (!scanner.isAtEnd && !scanner.startsWith("\n") && !scanner.startsWith("}"))
      scanner.fault("a comma or a line break");
  }
}
