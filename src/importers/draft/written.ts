/** Writes a draft as readable YAML. */
import { Document, Scalar, visit } from "yaml";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

/** Writes a document without its empty sections. */
export function written(document: JsonMap): string {
  const shown = Object.entries(document).filter(
    ([, value]) => !isJsonMap(value) || Object.keys(value).length > 0,
  );
  const text = new Document(Object.fromEntries(shown), { aliasDuplicateObjects: false });
  visit(text, {
    Scalar: (_, node) => {
      // The library's block style would drop leading spaces.
      if (typeof node.value === "string" && /^\s[^]*\n/.test(node.value))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return text.toString({ lineWidth: 0 });
}

/** A lower bound for the length of a value's text at a depth, in characters. */
export function leastLength(value: Json, depth = 0): number {
  if (typeof value === "string") return value.length + 1;
  if (typeof value !== "object" || value === null) return 2;
  let length = 0;
  if (Array.isArray(value))
    for (const item of value) length += 2 * depth + 2 + leastLength(item, depth + 1);
  else
    for (const [name, member] of Object.entries(value))
      length += 2 * depth + name.length + 1 + leastLength(member, depth + 1);
  // A list or map in a list starts on the line of the dash.
  return length === 0 ? 3 : length - 2 * depth + 1;
}
