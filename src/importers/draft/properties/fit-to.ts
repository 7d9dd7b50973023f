import { isCall, isReference } from "#importers/draft/values/converted.ts";
import { isJsonMap, type Json } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";

/** Adapts a value to the property's type, if the two differ only in notation. */
export function fitTo(made: Json, shape: ValueShape | undefined): Json {
  const type = shape?.type;
  if (typeof made === "string") return isReference(made) ? made : fitText(made, shape);
  if (isJsonMap(made) && isCall(made)) {
    const inside = made["fn::toJSON"];
    return inside !== undefined && (type === "object" || type === "array") ? inside : made;
  }
  switch (type) {
    case "array":
      return Array.isArray(made)
        ? made.map((item) => fitTo(item, shape?.items))
        : [fitTo(made, shape?.items)];
    case "object":
      return Array.isArray(made) && made.length === 1 && isJsonMap(made[0])
        ? (made[0] ?? made)
        : made;
    case "string":
      if (typeof made === "number" || typeof made === "boolean") return String(made);
      return isJsonMap(made) || Array.isArray(made) ? { "fn::toJSON": made } : made;
    case "boolean":
    case "integer":
    case "number":
    case undefined:
      return made;
  }
}

function fitText(text: string, shape: ValueShape | undefined): Json {
  switch (shape?.type) {
    case "array":
      return [fitText(text, shape.items)];
    case "number":
    case "integer":
      return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "object":
    case "string":
    case undefined:
      return text;
  }
}
