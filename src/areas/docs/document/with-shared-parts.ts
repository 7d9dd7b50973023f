import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mapAt, textAt } from "./json-at.ts";

const shared = /^#\/components\/(parameters|headers|responses)\/(.+)$/;

/** The value with its shared parameters, headers and answers inlined; schema references stay. */
export function withSharedParts(value: Json, document: JsonMap, depth = 0): Json {
  if (Array.isArray(value)) return value.map((item) => withSharedParts(item, document, depth + 1));
  if (!isJsonMap(value) || depth > 20) return value;
  const [, kind, name] = shared.exec(textAt(value, "$ref")) ?? [];
  if (kind !== undefined && name !== undefined)
    return withSharedParts(
      mapAt(mapAt(mapAt(document, "components"), kind), name),
      document,
      depth + 1,
    );
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withSharedParts(inner, document, depth + 1)]),
  );
}
