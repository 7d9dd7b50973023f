/** The place where a text stops being JSON. The engine's message names it only sometimes. */

interface Place {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
}

const space = /[ \t\n\r]*/y;
const literal = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The first place where no JSON text can go on like this; the end, if the text is incomplete. */
export function jsonErrorPlace(text: string): Place {
  const before = text.slice(0, jsonErrorAt(text));
  const lineStart = before.lastIndexOf("\n") + 1;
  return {
    line: before.split("\n").length,
    column: Array.from(before.slice(lineStart)).length + 1,
  };
}

type Wanted = "value" | "value or ]" | "key" | "key or }" | ":" | ", or end";

function jsonErrorAt(text: string): number {
  const open: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  for (let at = endOf(space, text, 0); ; at = endOf(space, text, at)) {
    if (wanted === ", or end" && open.length === 0) return at;
    const character = text[at];
    const isKey = wanted === "key" || wanted === "key or }";
    if (isKey && character === '"') {
      const end = readString(text, at);
      if (!end.closed) return end.at;
      [wanted, at] = [":", end.at];
    } else if (wanted === ":" && character === ":") {
      [wanted, at] = ["value", at + 1];
    } else if (wanted === ", or end" && character === ",") {
      [wanted, at] = [open.at(-1) === "{" ? "key" : "value", at + 1];
    } else if (
      (character === "}" && open.at(-1) === "{" && /key or|end/.test(wanted)) ||
      (character === "]" && open.at(-1) === "[" && /value or|end/.test(wanted))
    ) {
      open.pop();
      [wanted, at] = [", or end", at + 1];
    } else if (wanted !== "value" && wanted !== "value or ]") {
      return at;
    } else if (character === "{" || character === "[") {
      open.push(character);
      [wanted, at] = [character === "{" ? "key or }" : "value or ]", at + 1];
    } else if (character === '"') {
      const end = readString(text, at);
      if (!end.closed) return end.at;
      [wanted, at] = [", or end", end.at];
    } else {
      const end = endOf(literal, text, at);
      if (end === at) return at;
      [wanted, at] = [", or end", end];
    }
  }
}

/**
 * The place after the string that opens at `openedAt`. Not closed: `at` is the first character that a string cannot
 * have.
 */
function readString(text: string, openedAt: number): { at: number; closed: boolean } {
  for (let at = openedAt + 1; ;) {
    while (isPlain(text.charCodeAt(at))) at += 1;
    if (text[at] === '"') return { at: at + 1, closed: true };
    const escaped = endOf(escape, text, at);
    if (escaped === at) return { at, closed: false };
    at = escaped;
  }
}

/** Neither a quotation mark, a backslash, a control character nor the end. */
function isPlain(code: number): boolean {
  return code >= 0x20 && code !== 0x22 && code !== 0x5c;
}

/** The end of the match at this place; `at`: nothing matches. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
