import type { Expression } from "#importers/expression.ts";
import type { Json } from "#platform/json.ts";

/** The value of an expression of literals alone; undefined: something in it is none, or could be a secret. */
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
    case "opaque":
      return undefined;
  }
}
