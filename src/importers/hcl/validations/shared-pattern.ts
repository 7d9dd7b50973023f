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

/** A set of characters inside a class. */
const setsInClass: readonly (readonly [RegExp, string | ((text: string) => string)])[] = [
  [/^\[:alpha:\]/, "A-Za-z"],
  [/^\[:alnum:\]/, "0-9A-Za-z"],
  [/^\[:digit:\]/, "0-9"],
  [/^\[:lower:\]/, "a-z"],
  [/^\[:upper:\]/, "A-Z"],
  [/^\[:word:\]/, "0-9A-Za-z_"],
  [/^\[:xdigit:\]/, "0-9A-Fa-f"],
  [/^\\s/, spaces],
  [/^\\[dw]/, (text) => text],
];

/** One character of a class, which may begin or end a range. */
const charactersInClass: typeof setsInClass = [
  [/^[A-Za-z0-9 _"#%&',:;<=>@`~!.*+?(){}|^$/]/, (text) => text],
  [/^-(?=\])/, (text) => text],
  [/^-/, "\\-"],
  [/^\\[tnfr]/, (text) => text],
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
  return usablePattern(made);
}

/** The pattern, if a schema may have it. */
export function usablePattern(pattern: string): string | undefined {
  return typeof compilePattern(pattern) === "string" ? undefined : pattern;
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
    const rest = pattern.slice(at);
    const read = next(rest, setsInClass) ?? rangeIn(rest);
    if (read === undefined) return undefined;
    made += read.made;
    at += read.length;
  }
  return { made: `${made}]`, length: at + 1 };
}

/** One character, or a range of characters: ` -~` are all that ASCII shows. */
function rangeIn(rest: string): { made: string; length: number } | undefined {
  const from = next(rest, charactersInClass);
  if (from === undefined || !/^-[^\]]/.test(rest.slice(from.length))) return from;
  const to = next(rest.slice(from.length + 1), charactersInClass);
  return to && { made: `${from.made}-${to.made}`, length: from.length + 1 + to.length };
}

/** The pattern of one text. */
export function patternOfText(text: string): string {
  return text.replace(/[.*+?()[\]{}|^$\\/]/g, (sign) => `\\${sign}`);
}
