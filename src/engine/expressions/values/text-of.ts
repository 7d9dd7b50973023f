import { hasUnknown, reveal, unknownOf, type Value } from "#engine/value.ts";
import { canonicalJson } from "#platform/json.ts";

/**
 * The text of a sealed value, whatever kind it has, because a refusal of some kinds would tell the kind: a list or a map
 * becomes JSON. Unknown if a part of the value is.
 */
export function textOfSealed(value: Value): Value {
  if (hasUnknown(value)) return unknownOf("string");
  const content = reveal(value);
  return typeof content === "string" ? content : canonicalJson(content);
}
