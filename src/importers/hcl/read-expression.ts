import {
  type Expression,
  literal,
  MAX_EXPRESSION_TEXT,
  type Member,
} from "#importers/expression.ts";
import { MAX_EXPRESSION_DEPTH, numberIn, type Readers, readOperation } from "./read-operation.ts";
import { referencesBelow } from "./references.ts";
import { lineOf, type Source, withItems } from "./source-text.ts";
import {
  type Directive,
  linesOf,
  type TemplatePart,
  templateValue,
} from "./template-directives.ts";
import { unescapedTemplate, unquoted, withoutIndent } from "./template-text.ts";

/** Reads a node of the kind `expression`. */
export function readExpression(source: Source, node: number, depth = 0): Expression {
  const { tree } = source;
  const [first, second] = tree.children(node);
  if (first === undefined || depth > MAX_EXPRESSION_DEPTH) return opaqueAt(source, node);
  const read =
    second === undefined && tree.kind(first) !== "variable"
      ? readTerm(source, first, depth)
      : readOperation(source, node, depth, readers);
  return read ?? opaqueAt(source, node);
}

const readers: Readers = {
  term: readTerm,
  expression: readExpression,
  opaque: opaqueAt,
};

/** Undefined: the term has no form of its own. */
function readTerm(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  const kind: string = tree.kind(node) ?? "";
  switch (kind) {
    case "number":
      return literal(numberIn(tree.source(node)));
    case "bool":
      return literal(tree.source(node) === "true");
    case "null":
      return literal(null);
    case "text":
      return literal(unquoted(tree.source(node).slice(1, -1)));
    case "expression":
      return readExpression(source, node, depth + 1);
    case "list":
      return readList(source, node, depth);
    case "object":
      return readObject(source, node, depth);
    case "call":
      return readCall(source, node, depth);
    case "for":
      return readFor(source, node, depth);
    case "template":
      return readQuotedTemplate(source, node, depth);
    case "heredoc":
      return readHeredoc(source, node, depth);
    default:
      return undefined;
  }
}

/** An expression without another form here: the text from a node to the end of another, with its references. */
export function opaqueAt(source: Source, node: number, last = node): Expression {
  const { tree } = source;
  return {
    kind: "opaque",
    text: tree.text.slice(tree.start(node), tree.end(last)).slice(0, MAX_EXPRESSION_TEXT),
    references: referencesBelow(source, node, last),
    line: lineOf(source, node),
  };
}

function readList(source: Source, node: number, depth: number): Expression {
  const items = source.tree.children(node).map((child) => readExpression(source, child, depth + 1));
  return { kind: "list", items };
}

function readObject(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  const members = new Map<string, Member>();
  for (const child of tree.children(node)) {
    const [key, value] = tree.children(child);
    const name = key === undefined ? undefined : keyAt(source, key);
    if (name === undefined || value === undefined) return undefined;
    // Terraform uses the last member of a name.
    members.set(name, {
      name,
      value: readExpression(source, value, depth + 1),
      line: lineOf(source, child),
    });
  }
  return { kind: "object", members: [...members.values()] };
}

const plainKeys: ReadonlySet<string> = new Set(["variable", "number", "bool", "null"]);

/** The name of a member, if it is written out. */
function keyAt({ tree }: Source, node: number): string | undefined {
  const [term, ...others] = tree.children(node);
  if (term === undefined || others.length > 0) return undefined;
  const kind = tree.kind(term);
  if (kind === "text") return unquoted(tree.source(term).slice(1, -1));
  return kind !== undefined && plainKeys.has(kind) ? tree.source(term) : undefined;
}

function readCall(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  const [name, ...values] = tree.children(node);
  if (name === undefined) return undefined;
  const line = lineOf(source, node);
  const args: Expression[] = [];
  for (const value of values) {
    const several = tree.kind(value) === "ellipsis" ? args.pop() : undefined;
    if (several !== undefined) args.push({ kind: "call", name: "...", args: [several], line });
    else args.push(readExpression(source, value, depth + 1));
  }
  return { kind: "call", name: tree.source(name), args, line };
}

/** Reads `[for …]` or `{for …}`. */
function readFor(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  const [intro = node, ...parts] = tree.children(node);
  const named = tree.children(intro);
  const given = named.pop() ?? node;
  const names = named.map((name) => tree.source(name));
  const inside = withItems(source, names, "item");
  const read = parts
    .filter((part) => tree.kind(part) === "expression")
    .map((part) => readExpression(inside, part, depth + 1));
  const keyOfMap = tree.text.startsWith("{", tree.start(node)) ? read.shift() : undefined;
  const [value, condition] = read;
  return (
    value && {
      kind: "for",
      names,
      of: readExpression(source, given, depth + 1),
      key: keyOfMap,
      value,
      condition,
      isGrouped: parts.some((part) => tree.kind(part) === "ellipsis"),
      line: lineOf(source, node),
    }
  );
}

function readQuotedTemplate(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  const content = { start: tree.start(node) + 1, end: tree.end(node) - 1, unescape: unquoted };
  const parts = templateParts(source, node, content, depth);
  return parts && templateOf(parts);
}

/** Reads a tree of a text without quotes: of Terraform's JSON syntax, or of a file of `templatefile`. */
export function readWholeTemplate(source: Source): Expression {
  const { tree } = source;
  const content = { start: 0, end: tree.text.length, unescape: unescapedTemplate, hasLines: true };
  const parts = templateParts(source, 0, content, 0);
  return (parts && templateOf(parts)) ?? opaqueAt(source, 0);
}

/** A template that consists of one interpolation has the value of that interpolation. */
function templateOf(parts: readonly TemplatePart[]): Expression | undefined {
  const [only, ...others] = parts.filter((part) => part !== "");
  return typeof only === "object" && only.kind !== "directive" && others.length === 0
    ? only
    : templateValue(parts);
}

interface Content {
  start: number;
  end: number;
  unescape: (source: string) => string;
  /** Whether each line is a literal of its own, for strip markers. */
  hasLines?: boolean;
}

/** Undefined: a part has no form here. */
function templateParts(
  around: Source,
  node: number,
  { start, end, unescape, hasLines = false }: Content,
  depth: number,
): TemplatePart[] | undefined {
  const { tree } = around;
  const parts: TemplatePart[] = [];
  /** The sources with the names of the surrounding `for` directives. */
  const sources = [around];
  let from = start;
  let isStripped = false;
  /** The directives that are open: each is a level of the expression. */
  let open = 0;
  const addText = (to: number, isStrippedAfter: boolean): void => {
    const text = unescape(tree.text.slice(from, to));
    const literals = hasLines ? [...linesOf(text)] : [text];
    if (isStripped) literals[0] = (literals[0] ?? "").trimStart();
    if (isStrippedAfter) literals.push((literals.pop() ?? "").trimEnd());
    // As arguments of one call, the lines of a large text would overflow the stack.
    for (const one of literals) parts.push(one);
  };
  for (const child of tree.children(node)) {
    if (tree.kind(child) === "heredoc_name") continue;
    const own = tree.source(child);
    addText(tree.start(child), own.startsWith("~", 2));
    const source = sources.at(-1) ?? around;
    const inner = tree.children(child).filter((one) => tree.kind(one) !== "strip_marker");
    const level = depth + open;
    const part =
      tree.kind(child) === "interpolation"
        ? inner[0] === undefined
          ? undefined
          : readExpression(source, inner[0], level + 1)
        : readDirective(source, child, inner, level);
    if (part === undefined || level > MAX_EXPRESSION_DEPTH) return undefined;
    if (part.kind === "directive" && part.word === "for")
      sources.push(withItems(source, part.turns?.names ?? [], "item"));
    if (part.kind === "directive" && part.word === "endfor") sources.pop();
    if (part.kind === "directive") open += levelsOf(part.word);
    parts.push(part);
    from = tree.end(child);
    isStripped = own.endsWith("~}");
  }
  addText(end, false);
  return parts;
}

function levelsOf(word: Directive["word"]): number {
  if (word === "if" || word === "for") return 1;
  return word === "else" ? 0 : -1;
}

function readDirective(
  source: Source,
  node: number,
  [inner]: readonly number[],
  depth: number,
): Directive | undefined {
  const { tree } = source;
  const line = lineOf(source, node);
  const word = /^%\{~?\s*([a-z]+)/.exec(tree.source(node))?.[1] ?? "";
  switch (word) {
    case "if": {
      if (inner === undefined) return undefined;
      const condition = readExpression(source, inner, depth + 1);
      return { kind: "directive", word, condition, line };
    }
    case "for": {
      const named = inner === undefined ? [] : tree.children(inner);
      const of = named.pop();
      if (of === undefined) return undefined;
      const names = named.map((name) => tree.source(name));
      const turns = { names, of: readExpression(source, of, depth + 1) };
      return { kind: "directive", word, turns, line };
    }
    case "else":
    case "endif":
    case "endfor":
      return { kind: "directive", word, line };
    default:
      return undefined;
  }
}

function readHeredoc(source: Source, node: number, depth: number): Expression | undefined {
  const { tree } = source;
  const [opening, ...rest] = tree.children(node);
  const closing = rest.at(-1);
  if (opening === undefined || closing === undefined) return undefined;
  const content = {
    start: tree.text.indexOf("\n", tree.end(opening)) + 1,
    end: tree.text.lastIndexOf("\n", tree.start(closing)) + 1,
    unescape: unescapedTemplate,
    hasLines: true,
  };
  const parts = templateParts(source, node, content, depth);
  if (parts === undefined) return undefined;
  const isIndented = tree.text.startsWith("<<-", tree.start(node));
  return templateValue(isIndented ? withoutIndent(parts) : parts);
}
