import { Validator, type Schema } from "@cfworker/json-schema";
import {
  escapePointer,
  canonicalJson,
  isJsonMap,
  type Json,
  type JsonMap,
} from "#platform/json.ts";
import { nearest } from "#platform/text/nearest.ts";
import { compilePattern, type LinearPattern } from "./linear-pattern.ts";
import { own } from "./own.ts";
import { didYouMean, quoted } from "./report.ts";
import { namesDeclaredAt, partAt, segmentsOf, valueWords } from "./value-words.ts";
import { WorkBudget } from "./work-budget.ts";

export interface SchemaProblem {
  /** JSON Pointer relative to the schema or value that was checked. */
  pointer: string;
  keyword: string;
  /** A sentence about the schema, or about the required value. It does not quote the given value. */
  message: string;
  hint?: string;
}

export const jsonTypes = [
  "string",
  "integer",
  "number",
  "boolean",
  "object",
  "array",
  "null",
] as const;

export const formats = [
  "date",
  "date-time",
  "time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uri-reference",
  "uuid",
  "json-pointer",
];

/** Budget units per pattern instruction, and per pair of a value's part and a schema's part. */
const COMPILE_COST = 40;
const PAIR_COST = 30;
const TOO_COSTLY = "exceeds the limit for all patterns together. Simplify the patterns.";
const MAX_ENUM = 1_000;
const MAX_FORMATTED = 4_096;
/** Above this length as JSON, only the first problem is reported, because each further one costs memory. */
const MAX_FOR_ALL_PROBLEMS = 20_000;

/** The kind of value that a keyword takes. */
export type Kind =
  | "note"
  | "text"
  | "flag"
  | "count"
  | "number"
  | "positive"
  | "names"
  | "values"
  | "type"
  | "format"
  | "pattern"
  | "unique"
  | "schema"
  | "schemas"
  | "members"
  | "condition"
  | "conditions"
  | "dependents";

/**
 * The keywords that a config value's schema may use. References are excluded so that the work is bounded by
 * schema size times value size; `patternProperties` is excluded too.
 */
export const keywordKinds: { readonly [keyword: string]: Kind } = {
  title: "text",
  description: "text",
  $comment: "text",
  examples: "note",
  default: "note",
  const: "note",
  deprecated: "flag",
  readOnly: "flag",
  writeOnly: "flag",
  type: "type",
  enum: "values",
  format: "format",
  pattern: "pattern",
  minLength: "count",
  maxLength: "count",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "positive",
  items: "schema",
  prefixItems: "schemas",
  minItems: "count",
  maxItems: "count",
  uniqueItems: "unique",
  contains: "condition",
  minContains: "count",
  maxContains: "count",
  properties: "members",
  additionalProperties: "schema",
  propertyNames: "schema",
  required: "names",
  dependentRequired: "dependents",
  minProperties: "count",
  maxProperties: "count",
  allOf: "schemas",
  anyOf: "conditions",
  oneOf: "conditions",
  not: "condition",
  if: "condition",
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: "condition",
  else: "condition",
};

export const schemaKeywords: readonly string[] = Object.keys(keywordKinds);

/** Checks a schema of a template. `valueProblems` accepts only schemas without problems. */
export function schemaProblems(schema: Json, budget = new WorkBudget()): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  checkSchema(schema, "", true, problems, budget);
  return problems;
}

/** `plain`: reached without conditions, so that `checkLinear` covers it. */
function checkSchema(
  schema: Json,
  at: string,
  plain: boolean,
  problems: SchemaProblem[],
  budget: WorkBudget,
): void {
  if (typeof schema === "boolean") return;
  if (!isJsonMap(schema)) {
    const keyword = at.slice(at.lastIndexOf("/") + 1);
    problems.push({
      pointer: at,
      keyword,
      message: "A schema must be a map of keywords, true or false.",
    });
    return;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const pointer = `${at}/${escapePointer(keyword)}`;
    const kind = own(keywordKinds, keyword);
    if (kind === undefined) {
      const hint = didYouMean(nearest(keyword, schemaKeywords));
      problems.push({
        pointer,
        keyword,
        message: `${quoted(keyword)} is not a supported schema keyword.`,
        ...(hint === undefined ? {} : { hint }),
      });
      continue;
    }
    const message = keywordProblem(kind, value, plain, budget);
    if (message !== undefined)
      problems.push({ pointer, keyword, message: `\`${keyword}\` ${message}` });
    else
      for (const [part, key, deep] of subschemas(kind, value, plain))
        checkSchema(part, `${pointer}${key}`, deep, problems, budget);
  }
}

function subschemas(kind: Kind, value: Json, plain: boolean): [Json, string, boolean][] {
  const deep = plain && kind !== "condition" && kind !== "conditions";
  if (kind === "schema" || kind === "condition") return [[value, "", deep]];
  if ((kind === "schemas" || kind === "conditions") && Array.isArray(value))
    return value.map((part, index) => [part, `/${index}`, deep]);
  if (kind === "members" && isJsonMap(value))
    return Object.entries(value).map(([key, part]) => [part, `/${escapePointer(key)}`, deep]);
  return [];
}

function keywordProblem(
  kind: Kind,
  value: Json,
  plain: boolean,
  budget: WorkBudget,
): string | undefined {
  switch (kind) {
    case "note":
    case "schema":
    case "condition":
      return undefined;
    case "text":
      return typeof value === "string" ? undefined : "must be a string.";
    case "flag":
      return typeof value === "boolean" ? undefined : "must be true or false.";
    case "count":
      return Number.isInteger(value) && Number(value) >= 0
        ? undefined
        : "must be an integer of 0 or more.";
    case "number":
      return typeof value === "number" ? undefined : "must be a number.";
    case "positive":
      return typeof value === "number" && value > 0
        ? undefined
        : "must be a number greater than 0.";
    case "names":
      return isTexts(value) ? undefined : "must be a list of property names.";
    case "dependents":
      return isJsonMap(value) && Object.values(value).every(isTexts)
        ? undefined
        : "must map property names to lists of property names.";
    case "values":
      return Array.isArray(value) && value.length > 0 && value.length <= MAX_ENUM
        ? undefined
        : `must be a list of 1 to ${MAX_ENUM} values.`;
    case "type": {
      const names = Array.isArray(value) ? value : [value];
      return names.length > 0 && names.every((name) => jsonTypes.includes(name as never))
        ? undefined
        : `must be one of ${jsonTypes.join(", ")}, or a list of them.`;
    }
    case "format":
      return formats.includes(value as never) ? undefined : `must be one of ${formats.join(", ")}.`;
    case "pattern": {
      if (typeof value !== "string") return "must be a string.";
      if (!plain) return "is not supported inside conditions such as `anyOf` or `not`.";
      if (!budget.spend(COMPILE_COST * value.length)) return TOO_COSTLY;
      const compiled = compilePattern(value);
      if (typeof compiled === "string") return `cannot be used. ${compiled}`;
      return budget.spend(COMPILE_COST * compiled.size) ? undefined : TOO_COSTLY;
    }
    case "unique":
      if (typeof value !== "boolean") return "must be true or false.";
      return plain ? undefined : "is not supported inside conditions such as `anyOf` or `not`.";
    case "schemas":
    case "conditions":
      return Array.isArray(value) && value.length > 0
        ? undefined
        : "must be a list of at least one schema.";
    case "members":
      return isJsonMap(value) ? undefined : "must map property names to schemas.";
  }
}

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/**
 * Checks a value against a schema without problems of its own. Patterns and uniqueness are checked here in linear
 * time and removed from the schema that the library gets, because its checks of them are not linear.
 */
export function valueProblems(
  schema: JsonMap,
  value: Json,
  budget = new WorkBudget(),
): SchemaProblem[] {
  if (!budget.spend(PAIR_COST * partsOf(schema) * partsOf(value)))
    return [
      {
        pointer: "",
        keyword: "schema",
        message: "The value and its schema are too large to check.",
      },
    ];
  const stopAtFirst = JSON.stringify(value).length > MAX_FOR_ALL_PROBLEMS;
  const problems: SchemaProblem[] = [];
  const result = new Validator(withoutLinear(schema) as Schema, "2020-12", stopAtFirst).validate(
    value,
  );
  const seen = new Set<string>();
  for (const { keyword, keywordLocation, instanceLocation } of result.errors) {
    // One problem for all missing members. A value of the wrong type has only that problem.
    const known = [keyword, "type"].some((one) => seen.has(`${one} ${instanceLocation}`));
    if (wrappers.has(keyword) || known) continue;
    seen.add(`${keyword} ${instanceLocation}`);
    const path = segmentsOf(instanceLocation);
    const words = valueWords(
      keyword,
      partAt(schema, segmentsOf(keywordLocation)),
      partAt(value, path),
      namesDeclaredAt(schema, path.slice(0, -1)),
    );
    problems.push({
      pointer: path.map((part) => `/${escapePointer(part)}`).join(""),
      keyword,
      ...words,
    });
  }
  checkLinear(schema, value, "", { compiled: new Map(), budget }, problems);
  return problems;
}

/** The number of values in a value, itself included. */
function partsOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  let parts = 1;
  for (const part of Object.values(value)) parts += partsOf(part);
  return parts;
}

/** Library errors that only announce a nested error. */
const wrappers = new Set(["properties", "items", "prefixItems", "additionalProperties", "allOf"]);

const annotations = new Set([
  "title",
  "description",
  "$comment",
  "examples",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly",
]);

function withoutLinear(schema: Json): Json {
  if (!isJsonMap(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword]) => keyword !== "pattern" && keyword !== "uniqueItems" && !annotations.has(keyword),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      const kind = own(keywordKinds, keyword);
      if (kind === "schema" || kind === "condition") return [keyword, withoutLinear(value)];
      if ((kind === "schemas" || kind === "conditions") && Array.isArray(value))
        return [keyword, value.map(withoutLinear)];
      if (kind === "members" && isJsonMap(value))
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value).map(([key, part]) => [key, withoutLinear(part)]),
          ),
        ];
      return [keyword, value];
    }),
  );
}

interface Patterns {
  compiled: Map<string, LinearPattern | string>;
  budget: WorkBudget;
}

function checkLinear(
  schema: Json,
  value: Json,
  pointer: string,
  patterns: Patterns,
  problems: SchemaProblem[],
): void {
  if (!isJsonMap(schema)) return;
  const below = (part: Json, member: Json, at: string) =>
    checkLinear(part, member, at, patterns, problems);
  const all = own(schema, "allOf");
  if (Array.isArray(all)) for (const part of all) below(part, value, pointer);
  if (typeof value === "string") {
    const source = own(schema, "pattern");
    if (typeof source === "string") {
      const pattern = patterns.compiled.get(source) ?? compilePattern(source);
      patterns.compiled.set(source, pattern);
      const size = typeof pattern === "string" ? 0 : pattern.size;
      const affordable = patterns.budget.spend(size * (value.length + 1));
      if (!affordable || typeof pattern === "string" || !pattern.test(value))
        problems.push({
          pointer,
          keyword: "pattern",
          message: affordable
            ? `It must match the pattern ${quoted(source)}.`
            : `It is too long to check against the pattern ${quoted(source)}.`,
        });
    }
    if (own(schema, "format") !== undefined && value.length > MAX_FORMATTED)
      problems.push({
        pointer,
        keyword: "format",
        message: `It has a format and can have at most ${MAX_FORMATTED} characters.`,
      });
    return;
  }
  if (Array.isArray(value)) {
    if (own(schema, "uniqueItems") === true) {
      const distinct = new Set(value.map(canonicalJson));
      if (distinct.size < value.length)
        problems.push({
          pointer,
          keyword: "uniqueItems",
          message: "It must not contain an item twice.",
        });
    }
    const first = own(schema, "prefixItems");
    const prefix = Array.isArray(first) ? first : [];
    const rest = own(schema, "items");
    for (const [index, item] of value.entries()) {
      const part = prefix[index] ?? rest;
      if (part !== undefined) below(part, item, `${pointer}/${index}`);
    }
    return;
  }
  if (!isJsonMap(value)) return;
  const members = own(schema, "properties");
  const names = own(schema, "propertyNames");
  const additional = own(schema, "additionalProperties");
  for (const [key, member] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(key)}`;
    if (names !== undefined) below(names, key, at);
    const part = (isJsonMap(members) ? own(members, key) : undefined) ?? additional;
    if (part !== undefined) below(part, member, at);
  }
}
