import type { Expression } from "#engine/template/template.ts";
import type { PropertyFacts } from "#providers/provider.ts";

export type PropertyType = NonNullable<PropertyFacts["type"]>;

/** The type of an expression; undefined when it depends on a reference or a function. */
export function literalType(expression: Expression): PropertyType | undefined {
  switch (expression.kind) {
    case "list":
      return "array";
    case "map":
      return "object";
    case "interpolation":
      return "string";
    case "literal": {
      const { value } = expression;
      if (value === null) return undefined;
      if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
      return typeof value === "string" ? "string" : "boolean";
    }
    case "reference":
    case "call":
      return undefined;
  }
}

export const typeWords: Readonly<Record<PropertyType, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "a boolean",
  object: "a map",
  array: "a list",
};

/** The correction for a value of a wrong type. */
export function typeHint(wanted: PropertyType, given: PropertyType): string {
  switch (wanted) {
    case "string":
      return given === "array" || given === "object" ? "Write a text." : "Put it in quotes.";
    case "integer":
      return given === "string" ? "Write a whole number, without quotes." : "Write a whole number.";
    case "number":
      return given === "string" ? "Write a number, without quotes." : "Write a number.";
    case "boolean":
      return "Write `true` or `false`, without quotes.";
    case "object":
      return "Write its members below it, each as `name: value`.";
    case "array":
      return "Write a list, as `[a, b]`.";
  }
}
