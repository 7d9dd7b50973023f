import { type Expression, type Member, partsOf } from "#importers/expression.ts";
import { holdsSecret, isSecretSetting } from "#importers/hidden-values.ts";
import type { Json } from "#platform/json.ts";

/** The value of an expression of literals; undefined if any part is not a literal. */
export function plainValue(expression: Expression): Json | undefined {
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "list": {
      const items = expression.items.map(plainValue);
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    case "object": {
      const members = expression.members.map(
        ({ name, value }) => [name, plainValue(value)] as const,
      );
      return members.every(([, value]) => value !== undefined)
        ? (Object.fromEntries(members) as Json)
        : undefined;
    }
    case "text":
    case "reference":
    case "call":
    case "for":
    case "opaque":
      return undefined;
  }
}

/** Whether a literal in the expression could be a secret. */
export function holdsSecrets(expression: Expression | undefined): boolean {
  if (expression === undefined) return false;
  if (expression.kind === "literal")
    return typeof expression.value === "string" && holdsSecret(expression.value);
  if (expression.kind === "opaque") return expression.text === "";
  if (expression.kind === "object" && expression.members.some(isSecretText)) return true;
  return partsOf(expression).some(holdsSecrets);
}

function isSecretText({ name, value }: Member): boolean {
  return isSecretSetting(name) && hasText(value);
}

function hasText(expression: Expression): boolean {
  if (expression.kind !== "literal") return partsOf(expression).some(hasText);
  const { value } = expression;
  return typeof value !== "boolean" && value !== null && value !== "";
}
