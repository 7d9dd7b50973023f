import type { YAMLError } from "yaml";
import { quoted } from "#engine/template/report.ts";
import {
  CUT_BY_COLON,
  CUT_BY_QUOTE,
  cutByColon,
  cutByQuote,
  QUOTE,
} from "./unquoted-expressions.ts";

/** A syntax error in words for authors of templates. */
export interface SyntaxWords {
  message: string;
  hint?: string;
  /** The place of the mistake. The parser notices some mistakes later or earlier. */
  offset: number;
  /** The parser's further messages follow from this mistake. */
  hidesOthers: boolean;
}

/** Undefined: the parser's own message is clear enough. */
export function syntaxWords(
  { code, pos, message }: YAMLError,
  source: string,
): SyntaxWords | undefined {
  const [at] = pos;
  const cut = quoteInLine(source, at);
  if (cut !== undefined) return cut;
  const quote = code === "MISSING_CHAR" ? /(["'])quote$/.exec(message)?.[1] : undefined;
  if (quote !== undefined)
    return {
      message: `The text in this line has no closing ${quote}.`,
      hint: `Write ${quote} at the end of the text.`,
      offset: at,
      hidesOthers: true,
    };
  if (code === "BAD_INDENT")
    return {
      message: "This line is indented differently from the other keys of its map.",
      hint: "Start it at the column of the keys that it belongs to.",
      offset: firstOfLine(source, at),
      hidesOthers: true,
    };
  if (code === "TAB_AS_INDENT")
    return {
      message: "This line is indented with a tab.",
      hint: "Indent with spaces.",
      offset: at,
      hidesOthers: true,
    };
  if (code === "BLOCK_AS_IMPLICIT_KEY" || code === "MULTILINE_IMPLICIT_KEY")
    return cutInLine(source, at) ?? deeperLine(source, at);
  if (code === "BLOCK_IN_FLOW" || code === "UNEXPECTED_TOKEN")
    return {
      message: "This is not expected here.",
      hint: "Look before it for a missing comma, quote, colon or closing bracket.",
      offset: at,
      hidesOthers: false,
    };
  return undefined;
}

const MAX_LINE = 5_000;

function lineOf(source: string, at: number): { start: number; line: string } {
  const start = source.lastIndexOf("\n", at - 1) + 1;
  const [line = ""] = source.slice(start, start + MAX_LINE).split("\n", 1);
  return { start, line };
}

/** A quote in this line ends a text inside `${…}`. */
function quoteInLine(source: string, at: number): SyntaxWords | undefined {
  const { start, line } = lineOf(source, at);
  const cut = line.includes("${") ? cutByQuote(line) : undefined;
  return cut === undefined
    ? undefined
    : { ...CUT_BY_QUOTE[cut.quote], offset: start + cut.offset, hidesOthers: false };
}

/** A `: ` in this line ends a text inside `${…}`. */
function cutInLine(source: string, at: number): SyntaxWords | undefined {
  const { start, line } = lineOf(source, at);
  const cut = cutByColon(line);
  return cut === undefined
    ? undefined
    : { message: CUT_BY_COLON, hint: QUOTE, offset: start + cut, hidesOthers: false };
}

/** A line with a value, or without a colon, followed by a deeper line as if that belonged to it. */
function deeperLine(source: string, at: number): SyntaxWords | undefined {
  const start = source.lastIndexOf("\n", at - 1) + 1;
  const end = source.indexOf("\n", at);
  if (end === -1) return undefined;
  const line = source.slice(start, end);
  const below = nextLine(source, end + 1);
  const key = /^\s*(?:- )?([^\s:#"'{}[\]]+)\s*$/.exec(line)?.[1];
  if (key !== undefined)
    return {
      message: `${quoted(key)} has no colon.`,
      hint: `Write \`${key.slice(0, 80)}:\`.`,
      offset: start + line.length - line.trimStart().length,
      hidesOthers: true,
    };
  if (below === undefined || indentOf(below.text) <= indentOf(line)) return undefined;
  return {
    message: "This line is indented deeper than the line above it, which already has a value.",
    hint: "Start it at the column of the keys that it belongs to.",
    offset: below.offset + indentOf(below.text),
    hidesOthers: true,
  };
}

function nextLine(source: string, from: number): { text: string; offset: number } | undefined {
  let offset = from;
  while (offset < source.length) {
    const end = source.indexOf("\n", offset);
    const text = source.slice(offset, end === -1 ? source.length : end);
    if (text.trim() !== "") return { text, offset };
    if (end === -1) return undefined;
    offset = end + 1;
  }
  return undefined;
}

function firstOfLine(source: string, at: number): number {
  let offset = at;
  while (source[offset] === " ") offset += 1;
  return offset;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
