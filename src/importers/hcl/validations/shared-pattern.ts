/**
 * Converts a pattern of RE2 (https://github.com/google/re2/wiki/Syntax) to one of JSON Schema that matches the same
 * texts. Constructs that the two languages read in two ways are rewritten, or refused.
 */
import { compilePattern } from "#engine/linear-pattern.ts";

const spaces = "\\t\\n\\f\\r ";

/** Each construct of RE2 with its form in JavaScript, at the start of the rest of a pattern. */
const constructs: readonly (readonly [RegExp, string | ((text: string) => string)])[] = [
  [/^(?:[A-Za-z0-9 _"#%&',:;<=>@`~!/|^$)-]|\((?:\?:)?(?!\?))/, (text) => text],
  [/^(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})\??/, (text) => text],
  // RE2's dot matches a carriage return too.
  [/^\./, "[^\\n]"],
  [/^\\[dDwW]/, (text) => text],
  [/^\\s/, `[${spaces}]`],
  [/^\\S/, `[^${spaces}]`],
  [/^\\A/, "^"],
  [/^\\z/, "$"],
  [/^\\[tnfr]/, (text) => text],
  [/^\\[.*+?()[\]{}|^$\\/]/, (text) => text],
  // RE2 takes a backslash before any sign.
  [/^\\[-"#%&',:;<=>@_`~! ]/, (text) => text.slice(1)],
];

const inClass: readonly (readonly [RegExp, string | ((text: string) => string)])[] = [
  [/^\[:alpha:\]/, "A-Za-z"],
  [/^\[:alnum:\]/, "0-9A-Za-z"],
  [/^\[:digit:\]/, "0-9"],
  [/^\[:lower:\]/, "a-z"],
  [/^\[:upper:\]/, "A-Z"],
  [/^\[:word:\]/, "0-9A-Za-z_"],
  [/^\[:xdigit:\]/, "0-9A-Fa-f"],
  [/^\\s/, spaces],
  [/^\\[dwtnfr]/, (text) => text],
  [/^(?:[A-Za-z0-9]-[A-Za-z0-9])/, (text) => text],
  [/^[A-Za-z0-9 _"#%&',:;<=>@`~!.*+?(){}|^$/]/, (text) => text],
  [/^-(?=\])/, (text) => text],
  [/^-/, "\\-"],
  [/^\\[-.*+?()[\]{}|^$\\/]/, (text) => text],
  [/^\\["#%&',:;<=>@_`~! ]/, (text) => text.slice(1)],
];

const MAX_PATTERN = 400;

/** Undefined: there is none. */
export function sharedPattern(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  let rest = pattern;
  let made = "";
  while (rest !== "") {
    const opening = /^\[\^?/.exec(rest)?.[0];
    const read = opening === undefined ? next(rest, constructs) : classIn(rest, opening);
    if (read === undefined) return undefined;
    made += read.made;
    rest = rest.slice(read.length);
  }
  return typeof compilePattern(made) === "string" ? undefined : made;
}

function next(rest: string, all: typeof constructs): { made: string; length: number } | undefined {
  for (const [construct, form] of all) {
    const text = construct.exec(rest)?.[0];
    if (text !== undefined)
      return { made: typeof form === "string" ? form : form(text), length: text.length };
  }
  return undefined;
}

/** A class of characters. */
function classIn(pattern: string, opening: string): { made: string; length: number } | undefined {
  let at = opening.length;
  let made = opening;
  // A bracket that comes first is one of the characters.
  if (pattern[at] === "]") return undefined;
  while (pattern[at] !== "]") {
    const read = next(pattern.slice(at), inClass);
    if (read === undefined) return undefined;
    made += read.made;
    at += read.length;
  }
  return { made: `${made}]`, length: at + 1 };
}

/** The pattern of one text. */
export function patternOfText(text: string): string {
  return text.replace(/[.*+?()[\]{}|^$\\/]/g, (sign) => `\\${sign}`);
}
