import { didYouMean, quoted, type Report } from "./report.ts";
import type { Expression, Place, Reference } from "./template.ts";

const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_-]*/y;
const MEMBER = /[A-Za-z_$][A-Za-z0-9_$-]*/y;
const INDEX = /\[(0|[1-9][0-9]{0,8})\]/y;
const KEY = /\["((?:[^"\\]|\\.)*)"\]/y;

/** A root that no template can write. It replaces an invalid part that was already reported. */
export const UNREADABLE = "";

/** Replaces an invalid part of a template with errors. Its value is always unknown. */
export function unreadable(place: Place): Expression {
  return { kind: "reference", reference: { root: UNREADABLE, path: [], place }, place };
}

/**
 * Parses a string as an expression in one pass. `${path}` is a reference, `$${` escapes `${`; any other dollar
 * sign is literal. `textColumn`, when known, gives each reference its column.
 */
export function parseText(
  text: string,
  place: Place,
  textColumn: number | undefined,
  report: Report,
): Expression {
  const parts: (string | Reference)[] = [];
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
    const at = textColumn === undefined ? place : { ...place, column: textColumn + dollar };
    const found = readReference(text, dollar, at, report);
    if (found === undefined) return unreadable(place);
    if (literal !== "") parts.push(literal);
    literal = "";
    parts.push(found.reference);
    position = found.end;
  }
  literal += text.slice(position);
  if (parts.length === 0) return { kind: "literal", value: literal, place };
  if (literal !== "") parts.push(literal);
  const [only, ...more] = parts;
  if (only !== undefined && typeof only !== "string" && more.length === 0)
    return { kind: "reference", reference: only, place };
  return { kind: "interpolation", parts, place };
}

/** The references of a string, in order; none for other expressions. */
export function referencesOf(expression: Expression): Reference[] {
  if (expression.kind === "reference") return [expression.reference];
  const parts = expression.kind === "interpolation" ? expression.parts : [];
  return parts.filter((part) => typeof part !== "string");
}

/** The text with `$${` unescaped; reports references, which are not allowed here. */
export function parsePlainText(text: string, place: Place, report: Report): string {
  const expression = text.includes("${") ? parseText(text, place, undefined, report) : undefined;
  if (expression === undefined) return text;
  if (expression.kind === "literal") return String(expression.value);
  if (!referencesOf(expression).some(({ root }) => root !== UNREADABLE)) return text;
  report.error(
    "reference_not_allowed",
    "References are not allowed here.",
    place,
    "Write the value, or `$${` for a literal `${`.",
  );
  return text;
}

/** Undefined when the reference is not closed, so the rest cannot be read. */
function readReference(
  text: string,
  start: number,
  place: Place,
  report: Report,
): { reference: Reference; end: number } | undefined {
  const read = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  let position = start + 2;
  const root = read(IDENTIFIER, position)?.[0];
  if (root === undefined) return malformed(text, start, place, report);
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
    if (key === null || name === undefined) return malformed(text, start, place, report);
    path.push(name);
    position += key[0].length;
  }
  return { reference: { root, path, place }, end: position + 1 };
}

function unescapeKey(body: string): string | undefined {
  try {
    return JSON.parse(`"${body}"`) as string;
  } catch {
    return undefined;
  }
}

function malformed(
  text: string,
  start: number,
  place: Place,
  report: Report,
): { reference: Reference; end: number } | undefined {
  const end = text.indexOf("}", start);
  if (end === -1) {
    report.error(
      "unterminated_reference",
      `The reference ${quoted(text.slice(start))} has no closing brace.`,
      place,
      "Add `}`, or write `$${` for a literal `${`.",
    );
    return undefined;
  }
  const inner = text.slice(start + 2, end);
  // `${{ name }}`: the inner brace belongs to another language.
  const trimmed = inner.length < 256 ? inner.replace(/^\{+/, "").trim() : inner;
  report.error(
    "malformed_reference",
    `The reference ${quoted(text.slice(start, end + 1))} is malformed.`,
    place,
    trimmed !== inner && trimmed !== ""
      ? didYouMean(`\${${trimmed}}`)
      : 'Write `${name}`, `${name.member}`, `${name[0]}` or `${name["key"]}`, or `$${` for a literal `${`.',
  );
  return { reference: { root: UNREADABLE, path: [], place }, end: end + 1 };
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
