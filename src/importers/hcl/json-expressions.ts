import {
  type Expression,
  literal,
  MAX_EXPRESSION_TEXT,
  type Member,
  referencesIn,
} from "#importers/expression.ts";
import type { DataNode } from "#importers/text/data-node.ts";
import { exceedsHclNesting } from "./bracket-depth.ts";
import type { HclParser } from "./hcl-parser.ts";
import type { Loading } from "./load-hcl.ts";
import { readJsonTemplate } from "./read-expression.ts";
import type { SyntaxTree } from "./syntax-tree.ts";

/** What a value says. `opaque`: only its references count. */
export type ReadJson = (node: DataNode, as?: "opaque") => Expression;

const MARK = "END_OF_JSON_TEXT";
/** Texts that are parsed one by one where one of a file is not valid; each costs a start of the parser. */
const MAX_PARSED_ALONE = 500;

/**
 * Reads values of a file in the JSON syntax: its texts are templates. All texts of the file that need the parser are
 * parsed at once.
 */
export function jsonExpressions(root: DataNode, { parser }: Loading): ReadJson {
  const templates = parseTemplates(templatesIn(root), parser);
  const read: ReadJson = (node, as) => {
    const value = readValue(node);
    if (as === undefined) return value;
    const references = referencesIn(value);
    return { kind: "opaque", text: "dynamic", references, line: node.line };
  };
  const readValue = (node: DataNode): Expression => {
    switch (node.kind) {
      case "list":
        return { kind: "list", items: node.items.map((item) => readValue(item)) };
      case "map":
        return { kind: "object", members: membersOf(node.members) };
      case "alias":
        return literal(null);
      case "scalar":
        return typeof node.value === "string" && isTemplate(node.value)
          ? (templates.get(node.value)?.(node.line) ?? unread(node.value, node.line))
          : literal(node.value);
    }
  };
  const membersOf = (members: ReadonlyMap<string, DataNode>): Member[] =>
    [...members].flatMap(([name, node]) =>
      name === "//" ? [] : [{ name, value: readValue(node), line: node.line }],
    );
  return read;
}

function isTemplate(text: string): boolean {
  return text.includes("${") || text.includes("%{");
}

function unread(text: string, line: number): Expression {
  return { kind: "opaque", text: text.slice(0, MAX_EXPRESSION_TEXT), references: [], line };
}

function templatesIn(root: DataNode): Set<string> {
  const found = new Set<string>();
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    if (node.kind === "list") for (const item of node.items) waiting.push(item);
    else if (node.kind === "map") for (const item of node.members.values()) waiting.push(item);
    else if (node.kind === "scalar" && typeof node.value === "string" && isTemplate(node.value))
      found.add(node.value);
  return found;
}

type Templates = ReadonlyMap<string, (line: number) => Expression>;

function parseTemplates(texts: ReadonlySet<string>, parser: HclParser): Templates {
  const found = new Map<string, (line: number) => Expression>();
  const parsable = [...texts].filter((text) => !text.includes(MARK) && !exceedsHclNesting(text));
  const all = parseTogether(parsable, parser);
  if (all !== undefined) return all;
  for (const text of parsable.slice(0, MAX_PARSED_ALONE))
    for (const [key, read] of parseTogether([text], parser) ?? []) found.set(key, read);
  return found;
}

/** Writes each text as a heredoc, which means the same by it as the JSON syntax. Undefined: one is not valid. */
function parseTogether(texts: readonly string[], parser: HclParser): Templates | undefined {
  const document = texts.map((text) => `a = <<${MARK}\n${text}\n${MARK}\n`).join("");
  const tree = parser.parseClean(document);
  if (typeof tree === "string") return undefined;
  const values = valuesIn(tree);
  if (values.length !== texts.length) return undefined;
  return new Map(
    texts.map((text, index) => [
      text,
      (line: number) =>
        readJsonTemplate({ tree, lineAt: () => line }, values[index] ?? 0) ?? unread(text, line),
    ]),
  );
}

/** The expressions of the arguments at the top. */
function valuesIn(tree: SyntaxTree): number[] {
  const body = tree.size > 0 ? tree.children(0) : [];
  return body.flatMap((attribute) => tree.children(attribute)[1] ?? []);
}
