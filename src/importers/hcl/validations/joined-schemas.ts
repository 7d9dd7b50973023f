/** Joins schemas to one. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { patternOfText, usablePattern } from "./shared-pattern.ts";
import type { Subject } from "./subject.ts";

/** Units of work for reading a pattern. */
export const PATTERN_UNITS = 300;

/** One schema that means all of them. */
export function allOf(parts: readonly JsonMap[]): JsonMap {
  const merged: JsonMap = {};
  const further: JsonMap[] = [];
  for (const { allOf: inner, ...own } of parts) {
    if (Array.isArray(inner)) further.push(...inner.filter(isJsonMap));
    if (Object.keys(own).some((keyword) => Object.hasOwn(merged, keyword))) further.push(own);
    else Object.assign(merged, own);
  }
  return further.length === 0 ? merged : { ...merged, allOf: further };
}

/** One schema that each of them meets; undefined: they have none. */
export function anyOf(found: readonly JsonMap[], about: Subject): JsonMap | undefined {
  const [only] = found;
  if (only === undefined || found.length === 1) return only;
  const values = found.map((one) => onlyKeyword(one, "enum"));
  if (values.every(Array.isArray)) return { enum: [...new Set(values.flat())] };
  // A pattern inside `anyOf` is not supported.
  const patterns = found.map(patternOf);
  if (patterns.every((one) => one !== undefined))
    return patternSchema(patterns.map((one) => `(?:${one})`).join("|"), about);
  return found.some(hasPattern) ? undefined : { anyOf: [...found] };
}

/** Undefined: a schema may not have the pattern. */
export function patternSchema(pattern: string, about: Subject): JsonMap | undefined {
  const usable = about.spend(PATTERN_UNITS) ? usablePattern(pattern) : undefined;
  return usable === undefined ? undefined : { pattern: usable };
}

function hasPattern(schema: JsonMap): boolean {
  return (
    Object.hasOwn(schema, "pattern") ||
    Object.values(schema)
      .flat()
      .some((part) => isJsonMap(part) && hasPattern(part))
  );
}

/** The value of the keyword, if the schema has no other. */
export function onlyKeyword(of: JsonMap, keyword: string): Json | undefined {
  return Object.keys(of).length === 1 ? of[keyword] : undefined;
}

/** The pattern of a schema that is a pattern, or a list of texts. */
function patternOf(of: JsonMap): string | undefined {
  const pattern = onlyKeyword(of, "pattern");
  if (typeof pattern === "string") return pattern;
  const values = onlyKeyword(of, "enum");
  if (!Array.isArray(values) || !values.every((one) => typeof one === "string")) return undefined;
  return values.map((one) => `^${patternOfText(one)}$`).join("|");
}

/** The schema that an empty value of the kind meets too; undefined: it has no form. */
export function orEmpty(schema: JsonMap, about: Subject): JsonMap | undefined {
  const { kind } = about;
  if (kind === "string") return anyOf([{ enum: [""] }, schema], about);
  if (kind !== "list" && kind !== "set" && kind !== "map") return schema;
  return anyOf([{ [kind === "map" ? "maxProperties" : "maxItems"]: 0 }, schema], about);
}
