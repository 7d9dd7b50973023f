/**
 * Generates values from a JSON Schema, likely valid or likely invalid. The zod schema decides whether a value
 * is really valid.
 */
import * as fc from "fast-check";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { anyCharacter } from "./any-character.ts";

type Values = fc.Arbitrary<Json>;

const text = (more: fc.StringConstraints = {}) => fc.string({ unit: anyCharacter, ...more });
const anything: Values = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, "", [], {}),
  text({ maxLength: 8 }),
  fc.integer(),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.dictionary(text({ maxLength: 8 }), fc.oneof(fc.integer(), text({ maxLength: 8 })), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
);

/** Values that the schema mostly allows. */
export function valuesOf(schema: JsonMap): Values {
  return build(schema, isJsonMap(schema["$defs"]) ? schema["$defs"] : {}, 0);
}

function build(schema: Json | undefined, defs: JsonMap, depth: number): Values {
  if (!isJsonMap(schema) || depth > 6) return anything;
  const inner = (next: Json | undefined) => build(next, defs, depth + 1);
  const { $ref, const: only, enum: list, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === "string")
    return $ref.startsWith("#/$defs/") ? inner(defs[$ref.slice(8)]) : anything;
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(list)) return fc.constantFrom(...list);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return fc.oneof(...choices.map(inner));
  if (Array.isArray(allOf)) return inner(allOf[0]);
  const { type } = schema;
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => inner({ ...schema, type: one })));
  if (type === "string") return texts(schema);
  if (type === "integer" || type === "number") return numbers(schema, type === "integer");
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "array") return arrays(schema, inner);
  return type === "object" ? objects(schema, inner) : anything;
}

const numberOf = (value: Json | undefined, fallback: number): number =>
  typeof value === "number" ? value : fallback;

function texts(schema: JsonMap): Values {
  const { format, pattern } = schema;
  const formats: Record<string, Values> = {
    uuid: fc.uuid(),
    "date-time": fc
      .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString()),
    uri: fc.stringMatching(/^[a-z]{1,9}$/).map((name) => `https://${name}.example.com/in`),
    email: fc.uuid().map((id) => `p-${id}@example.com`),
  };
  const formatted = typeof format === "string" ? formats[format] : undefined;
  if (formatted !== undefined) return formatted;
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
  const least = numberOf(schema["minLength"], 0);
  const most = numberOf(schema["maxLength"], 60);
  return fc.oneof(
    { weight: 6, arbitrary: text({ minLength: least, maxLength: Math.min(most, least + 20) }) },
    { weight: 1, arbitrary: fc.constant("x".repeat(least)) },
    { weight: 1, arbitrary: fc.constant("x".repeat(Math.min(most, 9_000))) },
  );
}

function numbers(schema: JsonMap, whole: boolean): Values {
  const min = numberOf(schema["minimum"], -1_000_000);
  const max = numberOf(schema["maximum"], 1_000_000);
  const range = whole
    ? fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) })
    : fc.double({ min, max, noNaN: true });
  return fc.oneof(range, fc.constantFrom(min, max));
}

function arrays(schema: JsonMap, inner: (schema: Json | undefined) => Values): Values {
  const least = numberOf(schema["minItems"], 0);
  const most = numberOf(schema["maxItems"], least + 3);
  return fc.array(inner(schema["items"]), {
    minLength: least,
    maxLength: Math.min(most, least + 3),
  });
}

function objects(schema: JsonMap, inner: (schema: Json | undefined) => Values): Values {
  const properties = isJsonMap(schema["properties"]) ? schema["properties"] : {};
  const required = (schema["required"] ?? []) as string[];
  const { additionalProperties: rest } = schema;
  const own = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, it]) => [name, inner(it)])),
    { requiredKeys: required, noNullPrototype: true },
  );
  if (!isJsonMap(rest)) return own;
  const names = isJsonMap(schema["propertyNames"])
    ? (inner({ type: "string", ...schema["propertyNames"] }) as fc.Arbitrary<string>)
    : fc.oneof(text({ maxLength: 8 }), fc.constantFrom("__proto__", "constructor", "toString"));
  const more = fc.array(fc.tuple(names, inner(rest)), { maxLength: 3 });
  return fc.tuple(own, more).map(([named, others]) => ({ ...named, ...ownMembers(others) }));
}

/** As `JSON.parse` does: `__proto__` is an own member. */
const ownMembers = (members: [string, Json][]): JsonMap => Object.fromEntries(members);

/** A change at a place in a value. Small numbers are near the root, so that failures shrink well. */
export interface Mutation {
  at: number;
  how: number;
}

export const mutations: fc.Arbitrary<Mutation> = fc.record({ at: fc.nat(60), how: fc.nat(200) });

const REMOVED = Symbol("removed");
const changes: readonly ((value: Json) => Json | typeof REMOVED)[] = [
  () => REMOVED,
  () => null,
  () => "",
  () => [],
  () => ({}),
  () => true,
  () => -1,
  () => 1.5,
  () => Number.MAX_SAFE_INTEGER + 2,
  () => "\0\u202e🚀",
  () => "x".repeat(9_001),
  () => JSON.parse('{"__proto__":{"x":1},"constructor":null}') as Json,
  (value) => [value],
  (value) => ({ value }),
  (value) => (typeof value === "string" ? `${value}\n` : JSON.stringify(value)),
  (value) => (typeof value === "string" ? value.slice(1) : 0),
  (value) => (typeof value === "number" ? value + 1 : 1),
  (value) => (typeof value === "number" ? value - 1 : 100),
  (value) => (isJsonMap(value) ? { ...value, unknownMember: [{}] } : "unknown"),
  (value) => (Array.isArray(value) ? [...value, ...value, null] : {}),
  (value) => (Array.isArray(value) ? value.slice(1) : false),
];

/** The value after the mutation; undefined: nothing is left. */
export function mutated(value: Json, { at, how }: Mutation): Json | undefined {
  const places = placesIn(value);
  const place = places[at % places.length] ?? [];
  const change = changes[how % changes.length] ?? (() => null);
  const result = changedAt(value, place, change);
  return result === REMOVED ? undefined : result;
}

function placesIn(value: Json): string[][] {
  const places: string[][] = [[]];
  for (let at = 0; at < places.length && at < 200; at += 1) {
    const place = places[at] ?? [];
    const found = place.reduce<Json | undefined>(memberOf, value);
    if (typeof found === "object" && found !== null)
      places.push(...Object.keys(found).map((key) => [...place, key]));
  }
  return places;
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as JsonMap)[key];
}

function changedAt(
  value: Json,
  [key, ...rest]: string[],
  change: (value: Json) => Json | typeof REMOVED,
): Json | typeof REMOVED {
  if (key === undefined) return change(value);
  const members = Object.entries(value as JsonMap).flatMap(([name, inner]): [string, Json][] => {
    if (name !== key) return [[name, inner]];
    const result = changedAt(inner, rest, change);
    return result === REMOVED ? [] : [[name, result]];
  });
  return Array.isArray(value) ? members.map(([, inner]) => inner) : ownMembers(members);
}
