/** What a JSON Schema of the document means to a reader: what it names, what it is called, what bounds it. Pure. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

const REFERENCE = "#/components/schemas/";

/** A schema with what it refers to in its place, and the name of that, if it has one. */
export interface Resolved {
  schema: JsonMap;
  name: string | undefined;
  nullable: boolean;
}

/** Follows references and takes `null` out of a choice. A reference to nothing is any value. */
export function resolve(schema: Json | undefined, document: JsonMap): Resolved {
  let current: JsonMap = isJsonMap(schema) ? schema : {};
  let name: string | undefined;
  let nullable = false;
  for (let steps = 0; steps < 20; steps += 1) {
    const { $ref, anyOf, type, description } = current;
    if (typeof $ref === "string") {
      name = $ref.slice(REFERENCE.length);
      const named = mapAt(mapAt(document, "components"), "schemas");
      const target = Object.hasOwn(named, name) ? named[name] : undefined;
      current = { ...(isJsonMap(target) ? target : {}), ...said(description) };
    } else if (Array.isArray(anyOf) && anyOf.some(isNull)) {
      nullable = true;
      const rest = anyOf.filter((choice) => !isNull(choice));
      const { anyOf: _, ...beside } = current;
      const only = rest.length === 1 && isJsonMap(rest[0]) ? rest[0] : { anyOf: rest };
      current = { ...only, ...beside };
    } else if (Array.isArray(type) && type.includes("null")) {
      nullable = true;
      const rest = type.filter((one) => one !== "null");
      current = { ...current, type: rest.length === 1 ? (rest[0] ?? null) : rest };
    } else break;
  }
  return { schema: current, name, nullable };
}

const shared = /^#\/components\/(parameters|headers|responses)\/(.+)$/;

/** The same value with every parameter, header and answer that it shares with others in its place; schemas stay. */
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

function isNull(choice: Json): boolean {
  return isJsonMap(choice) && choice["type"] === "null";
}

function said(description: Json | undefined): JsonMap {
  return typeof description === "string" ? { description } : {};
}

/** The map at a key, or an empty one. */
export function mapAt(map: JsonMap, key: string): JsonMap {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return isJsonMap(value) ? value : {};
}

export function listAt(map: JsonMap, key: string): Json[] {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return Array.isArray(value) ? value : [];
}

export function textAt(map: JsonMap, key: string): string {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return typeof value === "string" ? value : "";
}

/** A text as it is, everything else as JSON. */
export function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The alternatives of a choice; none if it is no choice. */
export function choicesOf(schema: JsonMap): Json[] {
  return [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")];
}

/** `array of uuid`, `map of text`, `Deployment or null`. */
export function typeName(schema: Json | undefined, document: JsonMap): string {
  const resolved = resolve(schema, document);
  return bareName(resolved, document) + (resolved.nullable ? " or null" : "");
}

function bareName({ schema, name }: Resolved, document: JsonMap): string {
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

/** The bounds in words: `2 to 80 characters`. */
export function limitsOf(schema: JsonMap): string[] {
  const bounds = (low: string, high: string, unit: string): string[] => {
    const least = boundAt(schema, low);
    const most = boundAt(schema, high);
    const one = (bound: string): string => (bound === "1" ? unit.replace(/s$/, "") : unit);
    if (least !== undefined && least === most) return [`exactly ${least}${one(least)}`];
    if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
    if (least !== undefined) return [`at least ${least}${one(least)}`];
    return most === undefined ? [] : [`at most ${most}${one(most)}`];
  };
  return [
    ...bounds("minLength", "maxLength", " characters"),
    ...bounds("minItems", "maxItems", " items"),
    ...bounds("minProperties", "maxProperties", " members"),
    ...bounds("minimum", "maximum", ""),
  ];
}

/** What every integer in JSON is bounded by says nothing. */
function boundAt(schema: JsonMap, key: string): string | undefined {
  const value = schema[key];
  if (typeof value !== "number" || Math.abs(value) === Number.MAX_SAFE_INTEGER) return undefined;
  return value.toLocaleString("en-US");
}

/** A pattern that a person can read; a format says it better where there is one. */
export function patternOf(schema: JsonMap): string | undefined {
  const { pattern, format } = schema;
  return typeof pattern === "string" && format === undefined && pattern.length <= 60
    ? pattern
    : undefined;
}
