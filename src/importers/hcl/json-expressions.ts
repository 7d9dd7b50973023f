import {
  type Expression,
  literal,
  MAX_EXPRESSION_TEXT,
  type Member,
  referencesIn,
} from "#importers/expression.ts";
import type { DataNode } from "#importers/text/data-node.ts";
import { readWholeTemplate } from "./read-expression.ts";
import { parseTemplate } from "./syntax/parse-hcl.ts";

/** Converts a value of the JSON syntax to an expression. Texts are templates. */
export function jsonExpression(node: DataNode): Expression {
  switch (node.kind) {
    case "list":
      return { kind: "list", items: node.items.map((item) => jsonExpression(item)) };
    case "map":
      return { kind: "object", members: membersIn(node.members) };
    case "alias":
      return literal(null);
    case "scalar":
      return typeof node.value === "string"
        ? templateIn(node.value, node.line)
        : literal(node.value);
  }
}

/** A value without another form here. Only its references matter. */
export function opaqueJson(node: DataNode): Expression {
  const references = referencesIn(jsonExpression(node));
  return { kind: "opaque", text: "dynamic", references, line: node.line };
}

function membersIn(members: ReadonlyMap<string, DataNode>): Member[] {
  return [...members].flatMap(([name, node]) =>
    name === "//" ? [] : [{ name, value: jsonExpression(node), line: node.line }],
  );
}

function templateIn(text: string, line: number): Expression {
  if (!text.includes("${") && !text.includes("%{")) return literal(text);
  const tree = parseTemplate(text);
  return tree === undefined
    ? { kind: "opaque", text: text.slice(0, MAX_EXPRESSION_TEXT), references: [], line }
    : readWholeTemplate({ tree, lineAt: () => line });
}
