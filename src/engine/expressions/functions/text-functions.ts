import type { FunctionEntry } from "#engine/expressions/function-entry.ts";
import {
  boolean,
  type Call,
  list,
  numberAt,
  placeAt,
  refused,
  text,
  textAt,
  whole,
} from "#engine/expressions/function-entry.ts";
import type { Value } from "#engine/value.ts";
import { countCharacters, unitAt, widthAt } from "./characters.ts";
import { formatTexts } from "./format-texts.ts";
import { joinTexts } from "./join-texts.ts";
import { firstIndex, lastIndex, splitAt } from "./search-text.ts";

const method = { style: "method", reads: "outside", sealed: "refused" } as const;
const receiver = { name: "text", types: text } as const;

export const textFunctions: readonly FunctionEntry[] = [
  {
    ...method,
    name: "contains",
    parameters: [receiver, { name: "part", types: text }],
    result: boolean,
    description: "Whether the text contains another one.",
    evaluate: (call) => firstIndex(textAt(call, 0), textAt(call, 1)) !== -1,
  },
  {
    ...method,
    name: "startsWith",
    parameters: [receiver, { name: "start", types: text }],
    result: boolean,
    description: "Whether the text starts with another one.",
    evaluate: (call) => textAt(call, 0).startsWith(textAt(call, 1)),
  },
  {
    ...method,
    name: "endsWith",
    parameters: [receiver, { name: "end", types: text }],
    result: boolean,
    description: "Whether the text ends with another one.",
    evaluate: (call) => textAt(call, 0).endsWith(textAt(call, 1)),
  },
  {
    ...method,
    name: "matches",
    style: "method or function",
    parameters: [receiver, { name: "pattern", types: text }],
    result: boolean,
    description: "Whether a part of the text matches a regular expression.",
    cost: "100 units for each character class of a new pattern; one for 8 steps, which are the pattern's parts times characters.",
    evaluate: matches,
  },
  {
    ...method,
    name: "replace",
    parameters: [
      receiver,
      { name: "from", types: text },
      { name: "to", types: text },
      { name: "most", types: whole, optional: true },
    ],
    result: text,
    description: "The text with each occurrence of a part replaced, or with the first ones.",
    evaluate: replace,
  },
  {
    ...method,
    name: "split",
    parameters: [
      receiver,
      { name: "separator", types: text },
      { name: "most", types: whole, optional: true },
    ],
    result: list,
    description:
      "The parts of the text between the separators; its characters if the separator is empty.",
    template: { name: "split", order: [1, 0] },
    evaluate: split,
  },
  {
    ...method,
    name: "join",
    parameters: [
      { name: "list", types: list },
      { name: "separator", types: text, optional: true },
    ],
    result: text,
    description: "The strings, numbers and booleans of the list as one text.",
    reads: "whole",
    sealed: "inside",
    partly: true,
    template: { name: "join", order: [1, 0] },
    evaluate: joinTexts,
  },
  {
    ...method,
    name: "format",
    parameters: [
      { name: "form", types: text },
      { name: "values", types: list },
    ],
    result: text,
    description:
      "The text with `%s`, `%d`, `%f`, `%e`, `%b`, `%o`, `%x` replaced by the values in order.",
    reads: "whole",
    sealed: "inside",
    evaluate: formatTexts,
  },
  {
    ...method,
    name: "lowerAscii",
    parameters: [receiver],
    result: text,
    description: "The text with the letters A to Z in lower case.",
    evaluate: (call) => textAt(call, 0).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  },
  {
    ...method,
    name: "upperAscii",
    parameters: [receiver],
    result: text,
    description: "The text with the letters a to z in upper case.",
    evaluate: (call) => textAt(call, 0).replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
  },
  {
    ...method,
    name: "trim",
    parameters: [receiver],
    result: text,
    description: "The text without white space at its ends.",
    evaluate: (call) => trim(textAt(call, 0)),
  },
  {
    ...method,
    name: "substring",
    parameters: [
      receiver,
      { name: "start", types: whole },
      { name: "end", types: whole, optional: true },
    ],
    result: text,
    description: "The characters from one position up to another one or to the end.",
    evaluate: (call) => {
      const subject = textAt(call, 0);
      const start = unitOf(call, 1, subject);
      const end = numberAt(call, 2) === undefined ? subject.length : unitOf(call, 2, subject);
      if (end < start) throw refused(call, 2, "takes an end that is not before the start.");
      return subject.slice(start, end);
    },
  },
  {
    ...method,
    name: "charAt",
    parameters: [receiver, { name: "position", types: whole }],
    result: text,
    description: "The character at a position; an empty text at the end.",
    evaluate: (call) => {
      const subject = textAt(call, 0);
      const start = unitOf(call, 1, subject);
      return subject.slice(start, start + widthAt(subject, start));
    },
  },
  {
    ...method,
    name: "indexOf",
    parameters: [
      receiver,
      { name: "part", types: text },
      { name: "start", types: whole, optional: true },
    ],
    result: whole,
    description: "The position of the first occurrence of a part; -1 if there is none.",
    evaluate: (call) => find(call, firstIndex),
  },
  {
    ...method,
    name: "lastIndexOf",
    parameters: [
      receiver,
      { name: "part", types: text },
      { name: "start", types: whole, optional: true },
    ],
    result: whole,
    description: "The position of the last occurrence of a part; -1 if there is none.",
    evaluate: (call) => find(call, lastIndex),
  },
];

/** The white space of Unicode, as CEL removes it: JavaScript's `trim` differs in two characters. */
const WHITE_SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trim(subject: string): string {
  let [start, end] = [0, subject.length];
  while (start < end && WHITE_SPACE.test(subject.charAt(start))) start += 1;
  while (end > start && WHITE_SPACE.test(subject.charAt(end - 1))) end -= 1;
  return subject.slice(start, end);
}

function matches(call: Call): Value {
  const [subject, source] = [textAt(call, 0), textAt(call, 1)];
  const pattern = call.budget.pattern(source, placeAt(call, 1));
  if (typeof pattern === "string") throw refused(call, 1, `cannot use the pattern. ${pattern}`);
  call.budget.spendOnMatch(pattern, subject, call.at);
  return pattern.test(subject);
}

/** The parts of a text; each costs a unit before it is made. */
function partsOf(call: Call, subject: string, separator: string): string[] {
  const { budget, at } = call;
  if (separator !== "") return splitAt(subject, separator, () => budget.spend(1, at));
  budget.spend(subject.length, at);
  return Array.from(subject);
}

function replace(call: Call): Value {
  const [subject, from, to] = [textAt(call, 0), textAt(call, 1), textAt(call, 2)];
  const found = partsOf(call, subject, from);
  // An empty text is found before, between and after the characters.
  const parts = from === "" ? ["", ...found, ""] : found;
  const most = numberAt(call, 3) ?? -1;
  const count = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1);
  call.budget.spendOnText(subject.length + count * to.length, call.at);
  const rest = parts.slice(count + 1).map((part) => from + part);
  return parts.slice(0, count + 1).join(to) + rest.join("");
}

function split(call: Call): Value {
  const [subject, separator, most] = [textAt(call, 0), textAt(call, 1), numberAt(call, 2) ?? -1];
  const parts = partsOf(call, subject, separator);
  if (most < 0 || parts.length <= most) return parts;
  if (most === 0) return [];
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

/** The unit of a position that is an argument. */
function unitOf(call: Call, index: number, subject: string): number {
  const unit = unitAt(subject, numberAt(call, index) ?? 0);
  if (unit === undefined) throw refused(call, index, "takes a position within the text.");
  return unit;
}

function find(call: Call, search: (whole: string, part: string, from?: number) => number): Value {
  const [whole, part] = [textAt(call, 0), textAt(call, 1)];
  const from = numberAt(call, 2) === undefined ? undefined : unitOf(call, 2, whole);
  const unit = search(whole, part, from);
  return unit <= 0 ? unit : countCharacters(whole, unit);
}
