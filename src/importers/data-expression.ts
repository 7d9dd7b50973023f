import { literal, type Expression, type Member, type ObjectExpression } from "./expression.ts";
import {
  hidden,
  holdsSecret,
  isSecretSetting,
  withoutLiterals,
  withoutSecretArguments,
} from "./hidden-values.ts";
import { lineOf, memberOf, textIn, type DataMap, type DataNode } from "./text/data-node.ts";

/** The syntax of a format for expressions in YAML texts and maps. */
export interface DataLanguage {
  /** Converts a text to its expression. */
  text: (text: string, line: number) => Expression;
  /** Converts a map to its expression; undefined for a plain map. */
  map?: ((node: DataMap) => Expression | undefined) | undefined;
  /** Unescapes the name of a member, if the format escapes names. */
  memberName?: ((name: string) => string) | undefined;
  /** Whether a map with a name and a value is a named pair. By default each is. */
  isPair?: ((node: DataMap) => boolean) | undefined;
}

/**
 * Converts a value of a YAML or JSON file to an expression. Texts that hold secrets are hidden, and so are values under
 * a name of a secret. `name` is the name of the value itself.
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

/** The members of a map, except those that `leftOut` names. */
export function objectOf(
  node: DataNode | undefined,
  language: DataLanguage,
  leftOut?: (name: string) => boolean,
): ObjectExpression {
  if (node?.kind !== "map") return { kind: "object", members: [] };
  // A named pair, as in the environment of a container: `{ name: DB_PASSWORD, value: … }`.
  const isPair = language.isPair?.(node) ?? true;
  const named = isPair
    ? (textIn(memberOf(node, "name")) ?? textIn(memberOf(node, "key")) ?? "")
    : "";
  const members: Member[] = [];
  for (const [written, value] of node.members) {
    if (leftOut?.(written) === true) continue;
    const name = language.memberName?.(written) ?? written;
    const meaning = name === "value" && isSecretSetting(named) ? named : name;
    members.push({ name, value: expressionOf(value, language, meaning), line: lineOf(value) });
  }
  return { kind: "object", members };
}

/** Returns the expression without texts that hold secrets. */
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
