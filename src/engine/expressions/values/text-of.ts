import { hasUnknown, reveal, unknownOf, type Value, type ValueType } from "#engine/value.ts";
import { canonicalJson } from "#platform/json.ts";

/** The types of values that texts can contain. */
export const textTypes: readonly ValueType[] = ["string", "number", "boolean"];

/** The text of a string, a number or a boolean; undefined for other values. */
export function textOf(value: Value): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/**
 * The text of a sealed value, whatever kind it has, because a refusal of some kinds would tell the kind: a list or a map
 * becomes JSON. Unknown if a part of the value is.
 */
export function textOfSealed(value: Value): Value {
  if (hasUnknown(value)) return unknownOf("string");
  const content = reveal(value);
  return typeof content === "string" ? content : canonicalJson(content);
}
