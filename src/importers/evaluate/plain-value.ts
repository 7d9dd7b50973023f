import { type Expression, type Member, partsOf } from "#importers/expression.ts";
import { holdsSecret, isSecretSetting } from "#importers/hidden-values.ts";
import type { Json } from "#platform/json.ts";
import { namesSecret } from "./secret-members.ts";

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
  if (expression.kind === "object" && hasSecretText(expression.members)) return true;
  return partsOf(expression).some(holdsSecrets);
}

/** A text under a secret's name, also as a pair: `{ name: DB_PASSWORD, value: … }`. */
function hasSecretText(members: readonly Member[]): boolean {
  const isSecretPair = namesSecret(members);
  return members.some(
    ({ name, value }) =>
      (isSecretSetting(name) || (isSecretPair && /^value$/i.test(name))) && hasText(value),
  );
}

function hasText(expression: Expression): boolean {
  if (expression.kind !== "literal") return partsOf(expression).some(hasText);
  const { value } = expression;
  return typeof value !== "boolean" && value !== null && value !== "";
}
