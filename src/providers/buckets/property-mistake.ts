/** Mistakes that a cloud which takes XML would not find: nothing is sent of a property that has no element. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";

/** The first property that the shape does not have, requires, or has with another type. */
export function propertyMistake(shape: ObjectShape, properties: JsonMap): Failed | undefined {
  const mistake = inObject(shape, properties, "");
  return mistake === undefined
    ? undefined
    : failure("invalid_properties", mistake, { means: "invalid", fault: "user" });
}

function inObject(
  { properties, required = [], open = false }: ObjectShape,
  value: JsonMap,
  at: string,
): string | undefined {
  for (const [key, one] of Object.entries(value)) {
    const shape = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (shape === undefined && !open) return `There is no property ${at}${key}. Remove it.`;
    const mistake = shape && inValue(shape, one, `${at}${key}`);
    if (mistake !== undefined) return mistake;
  }
  const missing = required.find((key) => !Object.hasOwn(value, key));
  return missing === undefined ? undefined : `The property ${at}${missing} is missing. Add it.`;
}

function inValue(shape: ValueShape, value: Json, at: string): string | undefined {
  if (shape.type !== undefined && shape.type !== typeOf(value))
    return `The property ${at} takes a value of type ${shape.type}. Correct it.`;
  if (shape.enum !== undefined && !shape.enum.includes(value))
    return `The property ${at} takes one of ${JSON.stringify(shape.enum)}. Correct it.`;
  if (isJsonMap(value))
    return shape.object === undefined ? undefined : inObject(shape.object, value, `${at}.`);
  const { items } = shape;
  if (!Array.isArray(value) || items === undefined) return undefined;
  for (const [index, one] of value.entries()) {
    const mistake = inValue(items, one, `${at}[${index}]`);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function typeOf(value: Json): NonNullable<ValueShape["type"]> | "null" {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isJsonMap(value)) return "object";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "string" ? "string" : "boolean";
}
