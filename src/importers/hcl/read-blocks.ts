import { type Expression, MAX_EXPRESSION_TEXT, type Member } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { HclBlock } from "./hcl-block.ts";
import { opaqueAt, readExpression } from "./read-expression.ts";
import { MAX_EXPRESSION_DEPTH } from "./read-operation.ts";
import { lineOf, type Source, withItems } from "./source-text.ts";
import { unquoted } from "./template-text.ts";

export function readBlocks(source: Source, file: string, log: ImportLog): HclBlock[] {
  const found: HclBlock[] = [];
  for (const child of source.tree.children(0))
    if (source.tree.kind(child) === "block") found.push(readBlock(source, child, file, log));
    else
      log.add(
        "warning",
        "unknown_argument",
        "Only blocks may stand at the top of a file of Terraform; the argument was left out.",
        { file, line: lineOf(source, child) },
      );
  return found;
}

function readBlock(source: Source, node: number, file: string, log: ImportLog): HclBlock {
  const { tree } = source;
  const { type, labels, body } = partsOf(source, node);
  const members = readBody(source, body, { file, log, depth: 0 });
  return {
    type,
    labels,
    file,
    line: lineOf(source, node),
    endLine: source.lineAt(Math.max(tree.start(node), tree.end(node) - 1)),
    members,
    typeText: type === "variable" ? typeTextIn(source, body) : null,
  };
}

interface Parts {
  type: string;
  labels: string[];
  body: number | undefined;
}

function partsOf({ tree }: Source, node: number): Parts {
  const [type, ...rest] = tree.children(node);
  const labels: string[] = [];
  let body: number | undefined;
  for (const child of rest) {
    const kind = tree.kind(child);
    if (kind === "text") labels.push(unquoted(tree.source(child).slice(1, -1)));
    else if (kind === "identifier") labels.push(tree.source(child));
    else if (kind === "body") body = child;
  }
  return { type: type === undefined ? "" : tree.source(type), labels, body };
}

function typeTextIn({ tree }: Source, body: number | undefined): string | null {
  for (const child of body === undefined ? [] : tree.children(body)) {
    const [name, value] = tree.kind(child) === "attribute" ? tree.children(child) : [];
    if (name === undefined || value === undefined || tree.source(name) !== "type") continue;
    const text = tree.source(value).slice(0, MAX_EXPRESSION_TEXT);
    return /^"[a-z]+"$/.test(text) ? text.slice(1, -1) : text;
  }
  return null;
}

interface Surroundings {
  file: string;
  log: ImportLog;
  depth: number;
}

/** The blocks of one type in a body. A single block is an object, several are a list. */
interface NestedBlocks {
  values: Expression[];
  line: number;
  /** Whether a `for` makes some of them. */
  isDynamic: boolean;
}

function readBody(
  source: Source,
  body: number | undefined,
  around: Surroundings,
): Map<string, Member> {
  const { tree } = source;
  const members = new Map<string, Member>();
  const nested = new Map<string, NestedBlocks>();
  for (const child of body === undefined ? [] : tree.children(body)) {
    const kind = tree.kind(child);
    const line = lineOf(source, child);
    if (kind === "block") {
      const { name, value } = nestedBlock(source, child, around);
      const own = nested.get(name) ?? { values: [], line, isDynamic: false };
      own.values.push(value);
      own.isDynamic ||= value.kind === "for";
      nested.set(name, own);
    } else if (kind === "attribute") {
      const [label, value] = tree.children(child);
      if (label === undefined || value === undefined) continue;
      const name = tree.source(label);
      if (members.has(name)) warnOfDuplicate(name, line, around);
      else members.set(name, { name, value: readExpression(source, value, around.depth), line });
    }
  }
  for (const [name, { values, line, isDynamic }] of nested) {
    const [only] = values;
    const value: Expression = isDynamic
      ? { kind: "call", name: "{}", args: values, line }
      : values.length === 1 && only !== undefined
        ? only
        : { kind: "list", items: values };
    if (!members.has(name)) members.set(name, { name, value, line });
  }
  return members;
}

function nestedBlock(
  source: Source,
  node: number,
  around: Surroundings,
): { name: string; value: Expression } {
  const { type, labels, body } = partsOf(source, node);
  const [label] = labels;
  const depth = around.depth + 1;
  if (type === "dynamic" && label !== undefined && body !== undefined) {
    const parts: DynamicParts = { source, node, body, label };
    return { name: label, value: readDynamic(parts, { ...around, depth }) };
  }
  if (depth + labels.length > MAX_EXPRESSION_DEPTH)
    return { name: type, value: opaqueAt(source, node) };
  const members = [...readBody(source, body, { ...around, depth }).values()];
  const line = lineOf(source, node);
  const value = labels.reduceRight<Expression>(
    (inner, name) => ({ kind: "object", members: [{ name, value: inner, line }] }),
    { kind: "object", members },
  );
  return { name: type, value };
}

interface DynamicParts {
  source: Source;
  node: number;
  body: number;
  label: string;
}

/** Reads a `dynamic` block: one block of the label's type for each item. */
function readDynamic(
  { source, node, body, label }: DynamicParts,
  around: Surroundings,
): Expression {
  const { tree } = source;
  let of: number | undefined;
  let content: number | undefined;
  let name = label;
  let hasLabels = false;
  for (const child of tree.children(body)) {
    const [argument, value] = tree.children(child);
    const own = argument === undefined ? "" : tree.source(argument);
    if (own === "content" && tree.kind(child) === "block") content = child;
    else if (own === "for_each") of = value;
    else if (own === "iterator" && value !== undefined) name = tree.source(value);
    else if (own === "labels") hasLabels = true;
  }
  const inside = withItems(source, [name], "iterator");
  if (of === undefined || content === undefined || hasLabels || around.depth > MAX_EXPRESSION_DEPTH)
    return opaqueAt(inside, node);
  const members = [...readBody(inside, partsOf(source, content).body, around).values()];
  return {
    kind: "for",
    names: [`${name}.key`, `${name}.value`],
    of: readExpression(source, of, around.depth),
    value: { kind: "object", members },
    isGrouped: false,
    line: lineOf(source, node),
  };
}

function warnOfDuplicate(name: string, line: number, { file, log }: Surroundings): void {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  const message = `The argument \`${shown}\` occurs twice in the same block; the first one counts.`;
  log.add("warning", "duplicate_argument", message, { file, line });
}
