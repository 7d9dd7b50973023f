/**
 * An OpenAPI schema as a JSON schema that finds misspellings. An object that lists its properties takes no others, and
 * properties that only the cloud sets cannot be sent. Compositions are multiplied out to make this possible.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Description } from "./description.ts";
import { textOf } from "./text-of.ts";

const MAX_DEPTH = 24;
const MAX_ALTERNATIVES = 64;

const kept = [
  "type",
  "enum",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "required",
];

export type Side = "request" | "answer";

/** A request's objects are closed, an answer's are not: clouds add fields. */
export function closedSchema(description: Description, schema: JsonMap, side: Side): JsonMap {
  return convert(schema, 0);

  function convert(given: Json | undefined, depth: number): JsonMap {
    if (depth > MAX_DEPTH) return {};
    const resolved = description.resolve(given);
    const forms = multipliedOut(resolved, depth).map((form) => single(form, depth));
    const [first = {}] = forms;
    return forms.length === 1 ? first : { anyOf: forms };
  }

  /** The schema without allOf, anyOf and oneOf: one form for each choice. */
  function multipliedOut(given: JsonMap, depth: number): JsonMap[] {
    if (depth > MAX_DEPTH) return [{}];
    const { allOf, anyOf, oneOf, ...rest } = given;
    const formsOf = (value: Json): JsonMap[] =>
      multipliedOut(description.resolve(value), depth + 1);
    let forms: JsonMap[] = [rest];
    const combine = (choices: JsonMap[]): void => {
      forms = forms.flatMap((form) => choices.map((choice) => merged(form, choice)));
      if (forms.length > MAX_ALTERNATIVES) throw new Error("a schema has too many alternatives");
    };
    for (const part of Array.isArray(allOf) ? allOf : []) combine(formsOf(part));
    for (const choices of [anyOf, oneOf])
      if (Array.isArray(choices)) combine(choices.flatMap(formsOf));
    return forms;
  }

  function merged(a: JsonMap, b: JsonMap): JsonMap {
    const properties = { ...mapOf(a["properties"]) };
    for (const [name, schema] of Object.entries(mapOf(b["properties"])))
      properties[name] = Object.hasOwn(properties, name)
        ? { allOf: [properties[name] ?? {}, schema] }
        : schema;
    const required = [...listOf(a["required"]), ...listOf(b["required"])];
    return {
      ...a,
      ...b,
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    };
  }

  function single(form: JsonMap, depth: number): JsonMap {
    const { nullable, ...rest } = form;
    if (nullable === true) return { anyOf: [{ type: "null" }, single(rest, depth)] };
    const result: JsonMap = {};
    for (const key of kept) if (form[key] !== undefined) result[key] = form[key];
    if (form["items"] !== undefined) result["items"] = convert(form["items"], depth + 1);
    const { properties, additionalProperties } = form;
    if (isJsonMap(additionalProperties))
      result["additionalProperties"] = convert(additionalProperties, depth + 1);
    if (!isJsonMap(properties)) return result;
    const hidden = side === "request" ? "readOnly" : "writeOnly";
    const shown = Object.entries(properties).filter(
      ([, schema]) => !isMarked(description.resolve(schema), hidden),
    );
    result["type"] ??= "object";
    result["properties"] = Object.fromEntries(
      shown.map(([name, schema]): [string, Json] => [name, convert(schema, depth + 1)]),
    );
    const absent = new Set(Object.keys(properties));
    for (const [name] of shown) absent.delete(name);
    if (Array.isArray(result["required"]))
      result["required"] = result["required"].filter((name) => !absent.has(textOf(name)));
    if (side === "request" && additionalProperties === undefined)
      result["additionalProperties"] = false;
    return result;
  }

  function isMarked(schema: JsonMap, mark: string): boolean {
    if (schema[mark] === true) return true;
    const { allOf } = schema;
    return Array.isArray(allOf) && allOf.some((part) => isMarked(description.resolve(part), mark));
  }
}

function mapOf(value: Json | undefined): JsonMap {
  return isJsonMap(value) ? value : {};
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
