/** A sample of each request and answer: the document's own example, or one made from the schema. Pure. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { listAt, mapAt, textAt } from "./json-at.ts";
import { choicesOf, resolveSchema } from "./resolve-schema.ts";
import { sampleValues } from "./sample-values.ts";

const MAX_DEPTH = 6;
const SAMPLE_ID = "0193a1f0-6c1e-7c5a-9d2b-4f8e1a7c3b90";
const SAMPLE_TIME = "2026-11-20T12:00:00.000Z";

interface SampleOptions {
  document: JsonMap;
  /** A request has its required fields, an answer all fields. */
  side: "input" | "output";
}

/** The field of a value. */
interface Place {
  name: string;
  depth: number;
}

/** The example of a media type (`content["application/json"]`). */
export function sampleOfMedia(media: JsonMap, options: SampleOptions): Json {
  if (media["example"] !== undefined) return media["example"];
  const first = Object.values(mapAt(media, "examples"))[0];
  if (isJsonMap(first) && first["value"] !== undefined) return first["value"];
  return sampleOf(media["schema"], options);
}

export function sampleOf(
  schema: Json | undefined,
  options: SampleOptions,
  place: Place = { name: "", depth: 0 },
): Json {
  const { schema: resolved, nullable } = resolveSchema(schema, options.document);
  const given = [
    ...["example", "const"].flatMap((key) => resolved[key] ?? []),
    ...listAt(resolved, "examples"),
    ...knownValue(place.name, { schema: resolved, nullable }, options.document),
    ...(resolved["default"] === undefined ? [] : [resolved["default"]]),
    ...listAt(resolved, "enum"),
  ];
  if (given[0] !== undefined) return given[0];
  if (nullable && (options.side === "input" || place.depth > 2)) return null;
  const [choice] = choicesOf(resolved);
  if (choice !== undefined) return sampleOf(choice, options, place);
  const type = typeOf(resolved);
  if (type === "string") return sampleText(resolved);
  if (type === "integer" || type === "number") return sampleNumber(resolved);
  if (type === "boolean") return true;
  if (type === "null") return null;
  if (type === "array") return sampleList(resolved, options, place);
  return type === "object" ? sampleObject(resolved, options, place) : {};
}

function typeOf({ type }: JsonMap): Json | undefined {
  return Array.isArray(type) ? type[0] : type;
}

function knownValue(
  name: string,
  { schema, nullable }: { schema: JsonMap; nullable: boolean },
  document: JsonMap,
): Json[] {
  const value = Object.hasOwn(sampleValues, name) ? sampleValues[name] : undefined;
  if (value === null) return nullable ? [null] : [];
  if (value === undefined || typeOf(schema) !== (Array.isArray(value) ? "array" : typeof value))
    return [];
  if (Array.isArray(value)) {
    const element = resolveSchema(schema["items"], document).schema;
    return value.every((each) => typeof each === typeOf(element)) ? [value] : [];
  }
  const words = listAt(schema, "enum");
  const shaped = schema["format"] !== undefined && schema["format"] !== "uri";
  return shaped || (words.length > 0 && !words.includes(value)) ? [] : [value];
}

function sampleObject(schema: JsonMap, options: SampleOptions, { depth }: Place): Json {
  if (depth > MAX_DEPTH) return {};
  const required = new Set(listAt(schema, "required"));
  const properties = Object.entries(mapAt(schema, "properties"));
  const shown = options.side === "input" ? sent(properties, required) : properties;
  return Object.fromEntries(
    shown.map(([name, inner]) => [name, sampleOf(inner, options, { name, depth: depth + 1 })]),
  );
}

/** Without required fields, the first two stand for a change: a request rarely replaces everything. */
function sent(properties: [string, Json][], required: ReadonlySet<Json>): [string, Json][] {
  if (required.size > 0) return properties.filter(([name]) => required.has(name));
  return properties.filter(([name]) => name !== "tenantId").slice(0, 2);
}

function sampleList(schema: JsonMap, options: SampleOptions, { depth }: Place): Json {
  const least = schema["minItems"];
  if (depth > MAX_DEPTH) return [];
  if (options.side === "input" && !(typeof least === "number" && least > 0)) return [];
  return [sampleOf(schema["items"], options, { name: "", depth: depth + 1 })];
}

function sampleText(schema: JsonMap): string {
  const formats: Readonly<Record<string, string>> = {
    uuid: SAMPLE_ID,
    "date-time": SAMPLE_TIME,
    date: SAMPLE_TIME.slice(0, 10),
    uri: "https://example.com/",
    email: "ada@example.com",
  };
  const format = textAt(schema, "format");
  if (Object.hasOwn(formats, format)) return formats[format] ?? "";
  const { minLength, maxLength } = schema;
  const word = "example".padEnd(typeof minLength === "number" ? minLength : 0, "-example");
  return typeof maxLength === "number" ? word.slice(0, maxLength) : word;
}

function sampleNumber({ minimum, maximum }: JsonMap): number {
  const least = typeof minimum === "number" ? minimum : 0;
  const most = typeof maximum === "number" ? maximum : Number.MAX_SAFE_INTEGER;
  return Math.min(Math.max(1, least), most);
}
