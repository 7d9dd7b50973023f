import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { nearest } from "#platform/text/nearest.ts";
import { own } from "./own.ts";
import { didYouMean, quoted } from "./report.ts";

const MAX_LISTED = 20;
const MAX_CANDIDATES = 100;

const kinds: { readonly [type: string]: string } = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "a map",
  array: "a list",
  null: "null",
};

export interface ValueWords {
  /** The requirement for the value. Of the given value it tells only the kind. */
  message: string;
  hint?: string;
}

/**
 * The broken rule of the schema in one sentence. `rule`: the keyword's value in the schema; `value`: the part that
 * breaks it; `known`: the names that a map may have there.
 */
export function valueWords(
  keyword: string,
  rule: Json | undefined,
  value: Json | undefined,
  known: readonly string[] = [],
): ValueWords {
  const must = (what: string, hint?: string): ValueWords => ({
    message: `It must ${what}.`,
    ...(hint === undefined ? {} : { hint }),
  });
  switch (keyword) {
    case "type":
      return must(`be ${either(listOf(rule).map(kindNamed))}, not ${kindOf(value)}`);
    case "enum": {
      const names = listOf(rule).filter((name) => typeof name === "string");
      const close =
        typeof value === "string" ? nearest(value, names.slice(0, MAX_CANDIDATES)) : undefined;
      return must(`be one of ${listed(listOf(rule).map(shown))}`, didYouMean(close));
    }
    case "const":
      return must(`be ${shown(rule ?? null)}`);
    case "minLength":
      return must(`have at least ${counted(rule, "character")}`);
    case "maxLength":
      return must(`have at most ${counted(rule, "character")}`);
    case "minItems":
      return must(`have at least ${counted(rule, "item")}`);
    case "maxItems":
      return must(`have at most ${counted(rule, "item")}`);
    case "minProperties":
      return must(`have at least ${counted(rule, "member")}`);
    case "maxProperties":
      return must(`have at most ${counted(rule, "member")}`);
    case "minimum":
      return must(`be at least ${shown(rule ?? null)}`);
    case "maximum":
      return must(`be at most ${shown(rule ?? null)}`);
    case "exclusiveMinimum":
      return must(`be more than ${shown(rule ?? null)}`);
    case "exclusiveMaximum":
      return must(`be less than ${shown(rule ?? null)}`);
    case "multipleOf":
      return must(`be a multiple of ${shown(rule ?? null)}`);
    case "format":
      return must(`be in the format ${shown(rule ?? null)}`);
    case "required": {
      const missing = listOf(rule).filter(
        (name) => typeof name === "string" && isJsonMap(value) && !Object.hasOwn(value, name),
      );
      return must(
        `have the member${missing.length === 1 ? "" : "s"} ${listed(missing.map(shown))}`,
      );
    }
    case "false":
      return {
        message: "It is not allowed here.",
        ...(known.length === 0
          ? {}
          : { hint: `Allowed: ${listed(known.map((name) => quoted(name)))}.` }),
      };
    default:
      return must(`meet \`${keyword}\` of its schema`);
  }
}

/** The part of a JSON value at a pointer in URI fragment form, as the schema library writes it. */
export function partAt(whole: Json, segments: readonly string[]): Json | undefined {
  let part: Json | undefined = whole;
  for (const segment of segments) {
    if (Array.isArray(part)) part = part[Number(segment)];
    else part = isJsonMap(part) ? own(part, segment) : undefined;
  }
  return part;
}

/** The segments of a pointer in URI fragment form: `#/a~1b/0`. */
export function segmentsOf(fragment: string): string[] {
  return fragment
    .split("/")
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The member names that a schema declares for the map at a place in the value. */
export function namesDeclaredAt(schema: JsonMap, segments: readonly string[]): string[] {
  let at: Json | undefined = schema;
  for (const segment of segments) {
    if (!isJsonMap(at)) return [];
    const members: Json | undefined = own(at, "properties");
    at =
      (isJsonMap(members) ? own(members, segment) : undefined) ??
      own(at, "additionalProperties") ??
      own(at, "items");
  }
  const members = isJsonMap(at) ? own(at, "properties") : undefined;
  return isJsonMap(members) ? Object.keys(members) : [];
}

function listOf(rule: Json | undefined): readonly Json[] {
  if (rule === undefined) return [];
  return Array.isArray(rule) ? rule : [rule];
}

function kindNamed(type: Json): string {
  return (typeof type === "string" ? own(kinds, type) : undefined) ?? shown(type);
}

function kindOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "a list";
  return own(kinds, typeof value) ?? typeof value;
}

function either(names: readonly string[]): string {
  return names.length < 2
    ? (names[0] ?? "another type")
    : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return `${names.slice(0, MAX_LISTED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function shown(value: Json): string {
  return typeof value === "string" ? quoted(value) : JSON.stringify(value).slice(0, 80);
}

function counted(rule: Json | undefined, thing: string): string {
  return `${shown(rule ?? 0)} ${thing}${rule === 1 ? "" : "s"}`;
}
