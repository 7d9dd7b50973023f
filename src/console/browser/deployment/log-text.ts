/** The log of a deployment as a text file: a line for each entry, with its time, its level and its message. */
import type { LogLevel } from "#console/shared/log-line.ts";

export interface LogEntry {
  at: string;
  level: LogLevel;
  message: string;
}

/** Characters that end or split a line or hide a part of it, and the backslash that escapes them. */
const SPECIAL = /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const short: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

export function logText(entries: readonly LogEntry[]): string {
  const lines = entries.map((entry) => [entry.at, entry.level, inOneLine(entry.message)]);
  return lines.map((columns) => `${columns.join("\t")}\n`).join("");
}

/** Escaped as in a JSON string, so that the message can be read back. */
function inOneLine(text: string): string {
  return text.replace(SPECIAL, (one) => short.get(one) ?? escaped(one));
}

function escaped(character: string): string {
  const codes = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return codes.map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("");
}
