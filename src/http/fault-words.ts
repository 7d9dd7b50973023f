/**
 * Error messages for invalid values, in the caller's words: zod's own speak of its types and of `undefined`. A message
 * set on the schema wins.
 */
import * as z from "zod";

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const formats: Readonly<Record<string, string>> = {
  url: "It must be a URL, like https://example.com/path.",
  email: "It must be an e-mail address.",
  uuid: "It must be a UUID.",
  datetime: "It must be a time in ISO 8601 with its offset, like 2026-11-20T12:00:00Z.",
};

/** The message for an issue; undefined: zod's own message is used. */
export function faultWords(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  if (issue.code === "invalid_type") {
    if (input === undefined) return "It is missing.";
    if (issue.expected === "int" && typeof input === "number") return "It must be a whole number.";
    const [wanted, sent] = [kindOf(issue.expected), kindOf(typeOf(input))];
    if (wanted === undefined || sent === undefined) return undefined;
    // A query parameter that is sent twice arrives as a list.
    const one = Array.isArray(input) ? wanted.replace(/^an? /, "one ") : wanted;
    return `It must be ${one}, not ${sent}.`;
  }
  if (issue.code === "invalid_value") {
    if (input === undefined) return "It is missing.";
    return `It must be ${issue.values.length === 1 ? "" : "one of: "}${issue.values.map(String).join(", ")}.`;
  }
  if (issue.code === "too_small") return bound("at least", issue.minimum, issue.origin);
  if (issue.code === "too_big") return bound("at most", issue.maximum, issue.origin);
  if (issue.code === "invalid_format")
    return Object.hasOwn(formats, issue.format) ? formats[issue.format] : undefined;
  return undefined;
}

function kindOf(type: string): string | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}

function typeOf(input: unknown): string {
  if (input === null) return "null";
  if (Array.isArray(input)) return "array";
  return typeof input;
}

function bound(which: string, limit: number | bigint, origin: string): string | undefined {
  const things = { string: "character", array: "item" } as const;
  if (origin === "string" || origin === "array")
    return `It must have ${which} ${limit} ${things[origin]}${Number(limit) === 1 ? "" : "s"}.`;
  return origin === "number" || origin === "int" ? `It must be ${which} ${limit}.` : undefined;
}

z.config({ customError: faultWords });
