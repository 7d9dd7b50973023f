import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { asText, mapAt } from "./json-at.ts";
import { choicesOf, type ResolvedSchema, resolveSchema } from "./resolve-schema.ts";

/** `array of uuid`, `map of text`, `Deployment or null`. */
export function typeName(schema: Json | undefined, document: JsonMap): string {
  const resolved = resolveSchema(schema, document);
  return bareName(resolved, document) + (resolved.nullable ? " or null" : "");
}

function bareName({ schema, name }: ResolvedSchema, document: JsonMap): string {
  if (name !== undefined) return name;
  const choices = choicesOf(schema);
  if (choices.length > 0)
    return [...new Set(choices.map((choice) => typeName(choice, document)))].join(" or ");
  const { type, format, items, additionalProperties } = schema;
  if (Object.hasOwn(schema, "const")) return JSON.stringify(schema["const"]);
  if (Array.isArray(type)) return type.map(asText).join(" or ");
  if (type === "array") return `array of ${plural(typeName(items, document))}`;
  if (type === "object" && Object.keys(mapAt(schema, "properties")).length === 0)
    return isJsonMap(additionalProperties) && Object.keys(additionalProperties).length > 0
      ? `map of ${plural(typeName(additionalProperties, document))}`
      : "object";
  if (type === "string" && typeof format === "string") return format;
  return typeof type === "string" ? type : "any JSON";
}

function plural(name: string): string {
  return /^(string|object|integer|number|boolean)$/.test(name) ? `${name}s` : name;
}
