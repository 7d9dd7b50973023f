/** The log of a deployment as a text file: a line for each entry, with its time, its level and its message. */

/** What would end a line, part it into columns or hide something of it, and the backslash that says so. */
const SPECIAL = /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const short = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** `entries`: each `{ at, level, message }`. */
export function logText(entries) {
  const lines = entries.map((entry) => [entry.at, entry.level, inOneLine(entry.message)]);
  return lines.map((columns) => `${columns.join("\t")}\n`).join("");
}

/** As a string of JSON has it, so that what was written can be read back. */
function inOneLine(text) {
  return text.replace(SPECIAL, (one) => short[one] ?? escaped(one));
}

function escaped(character) {
  const codes = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return codes.map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("");
}
