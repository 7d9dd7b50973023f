import { isCall, isReference } from "#importers/draft/values/converted.ts";
import { isExpression } from "#importers/draft/values/formulas/formula.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";

/** The declaration of the config value that a reference leads to; undefined for another reference. */
export type Declared = (reference: string) => JsonMap | undefined;

/** Adapts a value to the property's type, if the two differ only in notation. */
export function fitTo(made: Json, shape: ValueShape | undefined, declared: Declared): Json {
  const type = shape?.type;
  if (typeof made === "string" && !isReference(made) && isExpression(made)) return made;
  if (typeof made === "string")
    return isReference(made) ? fitReference(made, type, declared(made)) : fitText(made, shape);
  if (isJsonMap(made) && isCall(made)) {
    const inside = made["fn::toJSON"];
    return inside !== undefined && (type === "object" || type === "array") ? inside : made;
  }
  switch (type) {
    case "array":
      return Array.isArray(made)
        ? made.map((item) => fitTo(item, shape?.items, declared))
        : [fitTo(made, shape?.items, declared)];
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

/** Converts a config value as the source's tool does: a stack's parameter `"14"` is a number where one is needed. */
function fitReference(
  reference: string,
  wanted: ValueShape["type"] | undefined,
  declaration: JsonMap | undefined,
): string {
  const given = declaration?.["type"];
  // A sealed value cannot be converted, because a failure would tell it.
  if (declaration === undefined || declaration["secret"] === true) return reference;
  const name = reference.slice(2, -1);
  if (given === "string") {
    if (wanted === "integer") return `\${int(${name})}`;
    if (wanted === "number") return `\${double(${name})}`;
    if (wanted === "boolean") return `\${bool(${name})}`;
  }
  const isPlain = given === "number" || given === "integer" || given === "boolean";
  return isPlain && wanted === "string" ? `\${string(${name})}` : reference;
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
