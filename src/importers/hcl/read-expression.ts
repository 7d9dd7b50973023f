import {
  type Expression,
  literal,
  MAX_EXPRESSION_TEXT,
  type Member,
  textOf,
} from "#importers/expression.ts";
import { exactNumber } from "#importers/text/data-limits.ts";
import { referencesBelow, referenceTo, traversalAt } from "./references.ts";
import { lineOf, type Source } from "./source-text.ts";
import { asExpressions, unescapedTemplate, unquoted, withoutIndent } from "./template-text.ts";

/** Levels of lists, objects, calls and texts in one expression; deeper ones are kept as text. */
export const MAX_EXPRESSION_DEPTH = 60;

/** What a node of the kind `expression` says. */
export function readExpression(source: Source, node: number, depth = 0): Expression {
  const { tree } = source;
  const [first, ...rest] = tree.children(node);
  if (first === undefined || depth > MAX_EXPRESSION_DEPTH) return opaqueAt(source, node);
  if (tree.kind(first) === "variable_expr") {
    const traversal = traversalAt(tree, first, tree.after(node));
    const reference = traversal.isWhole ? referenceTo(traversal, lineOf(source, node)) : undefined;
    return reference ?? opaqueAt(source, node);
  }
  if (rest.length > 0) return opaqueAt(source, node);
  return readTerm(source, first, depth) ?? opaqueAt(source, node);
}

/** Undefined: it has no form of its own. */
function readTerm(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  switch (tree.kind(node)) {
    case "numeric_lit":
      return readNumber(tree.source(node));
    case "bool_lit":
      return literal(tree.source(node) === "true");
    case "null_lit":
      return literal(null);
    case "string_lit":
      return literal(unquoted(tree.source(node).slice(1, -1)));
    case "expression":
      return readExpression(source, node, depth + 1);
    case "tuple":
      return readList(source, node, depth);
    case "object":
      return readObject(source, node, depth);
    case "function_call":
      return readCall(source, node, depth);
    case "unary_operation":
      return readNegative(source, node);
    case "quoted_template":
      return readTemplate(source, node, tree.start(node) + 1, tree.end(node) - 1, depth);
    case "heredoc_template":
      return readHeredoc(source, node, depth);
    default:
      return undefined;
  }
}

/** What has no form here: the text of a node and what it refers to. */
export function opaqueAt(source: Source, node: number, hidden?: readonly string[]): Expression {
  return {
    kind: "opaque",
    text: source.tree.source(node).slice(0, MAX_EXPRESSION_TEXT),
    references: referencesBelow(source, node, hidden),
    line: lineOf(source, node),
  };
}

function readNumber(text: string): Expression | undefined {
  return /^[0-9.eE+-]+$/.test(text) ? literal(exactNumber(Number(text), text)) : undefined;
}

function readNegative({ tree }: Source, node: number): Expression | undefined {
  const [operand] = tree.children(node);
  const text = tree.source(node);
  if (operand === undefined || tree.kind(operand) !== "numeric_lit" || !text.startsWith("-"))
    return undefined;
  return readNumber(`-${tree.source(operand)}`);
}

function readList(source: Source, node: number, depth: number): Expression | undefined {
  const items: Expression[] = [];
  for (const child of source.tree.children(node)) {
    if (source.tree.kind(child) !== "expression") return undefined;
    items.push(readExpression(source, child, depth + 1));
  }
  return { kind: "list", items };
}

function readObject(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  const members = new Map<string, Member>();
  for (const child of tree.children(node)) {
    const [key, value] = tree.children(child);
    const name = key === undefined ? undefined : keyAt(source, key);
    if (name === undefined || value === undefined || tree.kind(value) !== "expression")
      return undefined;
    // Terraform takes the last one of a name.
    members.set(name, {
      name,
      value: readExpression(source, value, depth + 1),
      line: lineOf(source, child),
    });
  }
  return { kind: "object", members: [...members.values()] };
}

/** The name of a member, if it is written out. */
function keyAt({ tree }: Source, node: number): string | undefined {
  const [term, ...others] = tree.children(node);
  if (term === undefined || others.length > 0) return undefined;
  switch (tree.kind(term)) {
    case "variable_expr":
    case "numeric_lit":
    case "bool_lit":
    case "null_lit":
      return tree.source(term);
    case "string_lit":
      return unquoted(tree.source(term).slice(1, -1));
    default:
      return undefined;
  }
}

function readCall(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  const [name, ...values] = tree.children(node);
  if (name === undefined || values.some((value) => tree.kind(value) !== "expression"))
    return undefined;
  return {
    kind: "call",
    name: tree.source(name),
    args: values.map((value) => readExpression(source, value, depth + 1)),
    line: lineOf(source, node),
  };
}

function readTemplate(
  source: Source,
  node: number,
  start: number,
  end: number,
  depth: number,
): Expression | undefined {
  const parts = templateParts(source, node, { start, end, unescape: unquoted }, depth);
  return parts === undefined ? undefined : templateOf(asExpressions(parts));
}

/** A template of one interpolation and nothing else is what stands in it. */
function templateOf(parts: readonly Expression[]): Expression {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : textOf(parts);
}

interface Content {
  start: number;
  end: number;
  unescape: (source: string) => string;
}

/**
 * Texts and expressions in turn; undefined: it has directives. The grammar's nodes leave out spaces at the start of a
 * text: what is between two interpolations is one.
 */
function templateParts(
  source: Source,
  node: number,
  { start, end, unescape }: Content,
  depth: number,
): (string | Expression)[] | undefined {
  const { tree } = source;
  const parts: (string | Expression)[] = [];
  let from = start;
  for (const child of tree.children(node)) {
    if (tree.kind(child) === "heredoc_identifier") continue;
    const [inner, ...others] = tree.children(child);
    const isPlain =
      tree.kind(child) === "template_interpolation" &&
      inner !== undefined &&
      others.length === 0 &&
      tree.kind(inner) === "expression";
    if (!isPlain) return undefined;
    parts.push(unescape(tree.text.slice(from, tree.start(child))));
    parts.push(readExpression(source, inner, depth + 1));
    from = tree.end(child);
  }
  parts.push(unescape(tree.text.slice(from, Math.max(from, end))));
  return parts;
}

function readHeredoc(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  const content = heredocContent(source, node);
  const parts = content && templateParts(source, node, content, depth);
  if (parts === undefined) return undefined;
  const isIndented = tree.text.startsWith("<<-", tree.start(node));
  return textOf(asExpressions(isIndented ? withoutIndent(parts) : parts));
}

/** The lines between the two names of a heredoc. */
function heredocContent({ tree }: Source, node: number): Content | undefined {
  const names = tree.children(node).filter((child) => tree.kind(child) === "heredoc_identifier");
  const [opening, closing] = names;
  if (opening === undefined || closing === undefined || names.length > 2) return undefined;
  const start = tree.text.indexOf("\n", tree.end(opening)) + 1;
  const end = tree.text.lastIndexOf("\n", tree.start(closing)) + 1;
  return start === 0 || end < start ? undefined : { start, end, unescape: unescapedTemplate };
}

/** The heredoc of a node of the kind `expression` as the JSON syntax means it: without the last line break. */
export function readJsonTemplate(source: Source, node: number): Expression | undefined {
  const [heredoc] = source.tree.children(node);
  if (heredoc === undefined || source.tree.kind(heredoc) !== "heredoc_template") return undefined;
  const content = heredocContent(source, heredoc);
  const parts = content && templateParts(source, heredoc, { ...content, end: content.end - 1 }, 0);
  return parts && templateOf(asExpressions(parts));
}
