import type { Expression } from "#importers/expression.ts";
import { holdsSecret, isSecretSetting } from "#importers/hidden-values.ts";
import type { Json } from "#platform/json.ts";

/** The value of an expression of literals alone; undefined: something in it is none. */
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

/** Whether something that is written out in it could be a secret. */
export function holdsSecrets(expression: Expression | undefined): boolean {
  switch (expression?.kind) {
    case "literal":
      return typeof expression.value === "string" && holdsSecret(expression.value);
    case "list":
      return expression.items.some(holdsSecrets);
    case "object":
      return expression.members.some(
        ({ name, value }) => (isSecretSetting(name) && hasText(value)) || holdsSecrets(value),
      );
    case "opaque":
      return expression.text === "";
    case "text":
    case "reference":
    case "call":
    case "for":
    case undefined:
      return false;
  }
}

function hasText(expression: Expression): boolean {
  switch (expression.kind) {
    case "literal":
      return (
        typeof expression.value !== "boolean" &&
        expression.value !== null &&
        expression.value !== ""
      );
    case "list":
      return expression.items.some(hasText);
    case "object":
      return expression.members.some(({ value }) => hasText(value));
    case "text":
    case "reference":
    case "call":
    case "for":
    case "opaque":
      return false;
  }
}
