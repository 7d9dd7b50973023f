import { isMap, PartlyKnown, Secret, Unknown, type Value, type ValueType } from "./value.ts";

const kindOfType = {
  string: "a string",
  integer: "a number",
  number: "a number",
  boolean: "a boolean",
  object: "a map",
  array: "a list",
} as const satisfies Record<ValueType, string>;

/** Types as messages show them: `a string or a list`. */
export function kindsOf(types: readonly ValueType[]): string {
  return [...new Set(types.map((type) => kindOfType[type]))].join(" or ");
}

/** The kind of a value, as messages show it. */
export function kindOf(value: Value): string {
  if (value instanceof Secret) return kindOf(value.value);
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (isMap(value) || value instanceof PartlyKnown) return "a map";
  if (value instanceof Unknown)
    return value.types === undefined ? "not known yet" : kindsOf(value.types);
  if (typeof value === "string") return "a string";
  return typeof value === "number" ? "a number" : "a boolean";
}
