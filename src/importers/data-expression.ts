import { literal, type Expression, type Member, type ObjectExpression } from "./expression.ts";
import {
  hidden,
  holdsSecret,
  isSecretSetting,
  withoutLiterals,
  withoutSecretArguments,
} from "./hidden-values.ts";
import { lineOf, memberOf, textIn, type DataMap, type DataNode } from "./text/data-node.ts";

/** How a format writes expressions into the texts and maps of its YAML. */
export interface DataLanguage {
  /** What a text stands for. */
  text: (text: string, line: number) => Expression;
  /** What a map stands for, if it is no plain map. */
  map?: ((node: DataMap) => Expression | undefined) | undefined;
  /** The name of a member, if the format escapes it. */
  memberName?: ((name: string) => string) | undefined;
}

/**
 * A value of a YAML or JSON file as an expression. Texts that hold secrets, and what stands under a name that says that
 * it is one, are hidden; `name` is the name of the value itself.
 */
export function expressionOf(node: DataNode, language: DataLanguage, name = ""): Expression {
  const isSecret = name !== "" && isSecretSetting(name);
  switch (node.kind) {
    case "scalar": {
      const { value, line } = node;
      const expression = typeof value === "string" ? language.text(value, line) : literal(value);
      if (isSecret) return withoutLiterals(expression, line);
      return withoutSecretTexts(expression, line);
    }
    case "alias":
      return { kind: "opaque", text: `*${node.name}`, references: [], line: node.line };
    case "list":
      return {
        kind: "list",
        items: withoutSecretArguments(
          node.items.map((item) => expressionOf(item, language, item.kind === "map" ? "" : name)),
          node.line,
        ),
      };
    case "map": {
      const meant = language.map?.(node) ?? objectOf(node, language);
      return isSecret && meant.kind === "call" ? withoutLiterals(meant, node.line) : meant;
    }
  }
}

/** The members of a map, but for those left out. */
export function objectOf(
  node: DataNode | undefined,
  language: DataLanguage,
  leftOut?: (name: string) => boolean,
): ObjectExpression {
  if (node?.kind !== "map") return { kind: "object", members: [] };
  // As in the environment of a container: `{ name: DB_PASSWORD, value: … }`.
  const named = textIn(memberOf(node, "name")) ?? textIn(memberOf(node, "key")) ?? "";
  const members: Member[] = [];
  for (const [written, value] of node.members) {
    if (leftOut?.(written) === true) continue;
    const name = language.memberName?.(written) ?? written;
    const meaning = name === "value" && isSecretSetting(named) ? named : name;
    members.push({ name, value: expressionOf(value, language, meaning), line: lineOf(value) });
  }
  return { kind: "object", members };
}

/** The same without the texts that hold secrets. */
export function withoutSecretTexts(expression: Expression, line: number): Expression {
  if (expression.kind === "literal")
    return typeof expression.value === "string" && holdsSecret(expression.value)
      ? hidden(line)
      : expression;
  if (expression.kind === "opaque")
    return holdsSecret(expression.text) ? { ...expression, text: "" } : expression;
  if (expression.kind !== "text") return expression;
  const parts = expression.parts.map((part) => withoutSecretTexts(part, line));
  return { kind: "text", parts };
}
