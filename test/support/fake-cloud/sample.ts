/** A value that a schema allows, for a shown property of a fake cloud that nobody set. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Description } from "./description.ts";
import { textOf } from "./text-of.ts";

export interface SampleParts {
  now: () => number;
  newId: () => string;
}

const formats: Readonly<Record<string, (parts: SampleParts) => string>> = {
  "date-time": ({ now }) => new Date(now()).toISOString(),
  uuid: ({ newId }) => newId(),
  ipv4: () => "192.0.2.10",
  ipv6: () => "2001:db8::10",
  uri: () => "https://cloud.example/",
  hostname: () => "host.cloud.example",
};

/** Objects get only their required members. */
export function sample(
  description: Description,
  given: Json | undefined,
  parts: SampleParts,
): Json {
  const schema = flat(description, description.resolve(given));
  const { enum: choices, type, format, properties, required } = schema;
  if (Array.isArray(choices)) return choices[0] ?? null;
  if (schema["nullable"] === true) return null;
  if (type === "array") return [];
  if (type === "object" || isJsonMap(properties))
    return Object.fromEntries(
      (Array.isArray(required) ? required : []).map((name): [string, Json] => [
        textOf(name),
        sample(description, isJsonMap(properties) ? properties[textOf(name)] : undefined, parts),
      ]),
    );
  if (type === "integer" || type === "number")
    return typeof schema["minimum"] === "number" ? schema["minimum"] : 0;
  if (type === "boolean") return false;
  return (typeof format === "string" ? formats[format]?.(parts) : undefined) ?? "";
}

/** The schema with its allOf merged, and the first of its alternatives. */
export function flat(description: Description, schema: JsonMap): JsonMap {
  const first = [schema["anyOf"], schema["oneOf"]].flatMap((choices) =>
    Array.isArray(choices) ? choices.slice(0, 1) : [],
  );
  const all = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  const parts = [...all, ...first].map((part) => flat(description, description.resolve(part)));
  let result: JsonMap = schema;
  for (const part of parts) {
    const properties: JsonMap = {};
    Object.assign(properties, part["properties"], result["properties"]);
    const required = [part["required"], result["required"]].flatMap((names) =>
      Array.isArray(names) ? names : [],
    );
    result = Object.assign({}, part, result, { properties, required });
  }
  return result;
}
