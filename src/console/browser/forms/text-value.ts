/** The JSON value of a typed text. */
import { Refusal } from "#console/browser/page/refusal.ts";
import type { ControlKind, Empty } from "#console/shared/form-data.ts";
import { type JsonObject, patchOf, setMember } from "./json-members.ts";

const DAY_MS = 86_400_000;

export interface TypedText {
  text: string;
  /** The label, for error messages. */
  words: string;
  /** A hidden text is not quoted in an error message. */
  isHidden: boolean;
  empty: Empty | undefined;
  /** The current map. The value becomes a patch of it. */
  before: unknown;
}

/** Undefined: no member. Throws a `Refusal` if the text does not have the form of its kind. */
export function textValue(kind: ControlKind, typed: TypedText, nowMs: number): unknown {
  // A secret may end with a space, and a source with an empty line.
  const text = kind === "secret" || kind === "source" ? typed.text : typed.text.trim();
  if (kind === "pairs") return patchOf(typed.before, pairsOf(text, typed.words));
  if (text === "") return emptyValue(typed.empty);
  switch (kind) {
    case "number":
      return Number(text);
    case "lifetime":
      return new Date(nowMs + Number(text) * DAY_MS).toISOString();
    case "time":
      return `${text.slice(0, 16)}:00Z`;
    case "lines":
      return linesOf(text);
    case "json":
      return patchOf(typed.before, jsonOf(text, typed));
    case "text":
    case "secret":
    case "multiline":
    case "comment":
    case "source":
    case "choice":
    case "flag":
    case "choices":
    case "checks":
    case "owner":
      return text;
  }
}

function emptyValue(empty: Empty | undefined): null | "" | undefined {
  if (empty === "null") return null;
  return empty === "text" ? "" : undefined;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

/** A line for each, as `name=value`. */
function pairsOf(text: string, words: string): JsonObject {
  const pairs: JsonObject = {};
  for (const line of linesOf(text)) {
    const at = line.indexOf("=");
    if (at < 1) throw new Refusal(`${words}: write each line as name=value, unlike ${line}`);
    setMember(pairs, [line.slice(0, at).trim()], line.slice(at + 1).trim());
  }
  return pairs;
}

function jsonOf(text: string, { words, isHidden }: TypedText): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The engine's message quotes the text.
    const why = isHidden || !(cause instanceof Error) ? "." : `: ${cause.message}`;
    throw new Refusal(`${words} is not JSON${why}`, [], { cause });
  }
}
