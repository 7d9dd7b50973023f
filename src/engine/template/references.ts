import type { Range } from "#engine/expressions/ast.ts";
import { parseAt } from "#engine/expressions/parse.ts";
import { explain } from "#engine/expressions/problem.ts";
import { didYouMean, type Report } from "./report.ts";
import { formulasOf, isFormula, referencesOf, UNREADABLE } from "./string-parts.ts";
import type { Expression, Formula, Place, PlaceAt, Reference } from "./template.ts";

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_-]*/y;
const MEMBER = /[A-Za-z_$][A-Za-z0-9_$-]*/y;
const INDEX = /\[(0|[1-9][0-9]{0,8})\]/y;
const KEY = /\["((?:[^"\\]|\\.)*)"\]/y;

/** Replaces an invalid part of a template with errors. Its value is always unknown. */
export function unreadable(place: Place): Expression {
  return { kind: "reference", reference: { root: UNREADABLE, path: [], place }, place };
}

/**
 * Parses a string as an expression in one pass. `${path}` is a reference, `${…}` with any other text a formula, and `$${`
 * escapes `${`; any other dollar sign is literal. `placeAt`: of offsets in the text, if known.
 */
export function parseText(
  text: string,
  place: Place,
  placeAt: PlaceAt | undefined,
  report: Report,
): Expression {
  const placeOf = ({ start, end }: Range): Place => {
    if (placeAt === undefined) return place;
    const { line: endLine, column: endColumn } = placeAt(end);
    return { ...place, ...placeAt(start), path: place.path, endLine, endColumn };
  };
  const parts: (string | Reference | Formula)[] = [];
  let literal = "";
  let position = 0;
  while (position < text.length) {
    const dollar = text.indexOf("$", position);
    if (dollar === -1) break;
    literal += text.slice(position, dollar);
    if (text.startsWith("$${", dollar)) {
      literal += "${";
      position = dollar + 3;
      continue;
    }
    if (!text.startsWith("${", dollar)) {
      literal += "$";
      position = dollar + 1;
      continue;
    }
    const found =
      readReference(text, dollar, placeOf) ?? readFormula(text, dollar, placeOf, report);
    if (found === undefined) return unreadable(place);
    if (literal !== "") parts.push(literal);
    literal = "";
    parts.push(found.part);
    position = found.end;
  }
  literal += text.slice(position);
  if (parts.length === 0) return { kind: "literal", value: literal, place };
  if (literal !== "") parts.push(literal);
  const [only, ...more] = parts;
  if (only !== undefined && typeof only !== "string" && more.length === 0)
    return isFormula(only)
      ? { kind: "formula", formula: only, place }
      : { kind: "reference", reference: only, place };
  return { kind: "interpolation", parts, place };
}

/** The text with `$${` unescaped; reports references, which are not allowed here. */
export function parsePlainText(text: string, place: Place, report: Report): string {
  const expression = text.includes("${") ? parseText(text, place, undefined, report) : undefined;
  if (expression === undefined) return text;
  if (expression.kind === "literal") return String(expression.value);
  const isBroken = referencesOf(expression).every(({ root }) => root === UNREADABLE);
  if (isBroken && formulasOf(expression).length === 0) return text;
  report.error(
    "reference_not_allowed",
    "References are not allowed here.",
    place,
    "Write the value, or `$${` for a literal `${`.",
  );
  return text;
}

/** Undefined for a text that is no reference. */
function readReference(
  text: string,
  start: number,
  placeOf: (range: Range) => Place,
): { part: Reference; end: number } | undefined {
  const read = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  let position = start + 2;
  const root = read(IDENTIFIER, position)?.[0];
  if (root === undefined) return undefined;
  position += root.length;
  const path: (string | number)[] = [];
  while (text[position] !== "}") {
    const member = text[position] === "." ? read(MEMBER, position + 1)?.[0] : undefined;
    if (member !== undefined) {
      path.push(member);
      position += member.length + 1;
      continue;
    }
    const index = text[position] === "[" ? read(INDEX, position) : null;
    if (index !== null) {
      path.push(Number(index[1]));
      position += index[0].length;
      continue;
    }
    const key = text[position] === "[" ? read(KEY, position) : null;
    const name = key === null ? undefined : unescapeKey(key[1] ?? "");
    if (key === null || name === undefined) return undefined;
    path.push(name);
    position += key[0].length;
  }
  const end = position + 1;
  return { part: { root, path, place: placeOf({ start, end }) }, end };
}

function unescapeKey(body: string): string | undefined {
  try {
    return JSON.parse(`"${body}"`) as string;
  } catch {
    return undefined;
  }
}

/** Undefined for a text whose end cannot be found: an error was reported, and the rest cannot be read. */
function readFormula(
  text: string,
  start: number,
  placeOf: (range: Range) => Place,
  report: Report,
): { part: Reference | Formula; end: number } | undefined {
  const parsed = parseAt(text, start + 2, "}");
  if (parsed.kind === "parsed") {
    const { node, end } = parsed;
    const place = placeOf({ start, end: end + 1 });
    return { part: { kind: "formula", node, placeOf, place }, end: end + 1 };
  }
  const { problem } = parsed;
  const { message, hint } = explain(problem);
  report.error(problem.kind, message, placeOf(problem), meantByBraces(text, start) ?? hint);
  const end = text.indexOf("}", start);
  if (end === -1 || report.isFull) return undefined;
  const place = placeOf({ start, end: end + 1 });
  return { part: { root: UNREADABLE, path: [], place }, end: end + 1 };
}

const BRACES = /\$\{\{+ *([A-Za-z_][A-Za-z0-9_.-]{0,200}) *\}/y;

/** The hint for `${{ name }}`, whose inner braces belong to another language. */
function meantByBraces(text: string, start: number): string | undefined {
  BRACES.lastIndex = start;
  const name = BRACES.exec(text)?.[1];
  return name === undefined ? undefined : didYouMean(`\${${name}}`);
}

/** Formats a reference in template syntax. */
export function formatReference(root: string, path: readonly (string | number)[]): string {
  const rest = path.map((segment) => {
    if (typeof segment === "number") return `[${segment}]`;
    return /^[A-Za-z_$][A-Za-z0-9_$-]*$/.test(segment)
      ? `.${segment}`
      : `[${JSON.stringify(segment)}]`;
  });
  return `\${${root}${rest.join("")}}`;
}
