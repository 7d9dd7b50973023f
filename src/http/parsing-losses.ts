import { escapePointer } from "#platform/json.ts";
import { endOfString } from "#platform/text/end-of-string.ts";

/** The parts of a text that `JSON.parse` loses in silence. */
export interface ParsingLosses {
  /** The first member name that occurs twice in an object: `JSON.parse` keeps the last value. */
  repeated?: string;
  /** The numbers that change their value, at most the requested number of them. */
  numbers: readonly LostNumber[];
}

export interface LostNumber {
  /** JSON Pointer. */
  pointer: string;
  text: string;
}

interface Open {
  /** Undefined: a list. */
  names?: Set<string>;
  /** The member or item that is being read. */
  at: string | number;
}

const colon = /[ \t\n\r]*:/y;
/** Shorter texts without an exponent are exact. */
const SHORTEST_INEXACT = "9007199254740992".length;

/** `text` must be valid JSON. One pass. */
export function parsingLosses(text: string, maxNumbers: number): ParsingLosses {
  const open: Open[] = [];
  const numbers: LostNumber[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x7b) {
      open.push({ names: new Set(), at: "" });
    } else if (char === 0x5b) {
      open.push({ at: 0 });
    } else if (char === 0x7d || char === 0x5d) {
      open.pop();
    } else if (char === 0x2c) {
      const list = open.at(-1);
      if (typeof list?.at === "number") list.at += 1;
    } else if (char === 0x22) {
      const end = endOfString(text, at);
      colon.lastIndex = end + 1;
      if (colon.test(text)) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        const map = open.at(-1);
        if (map?.names?.has(name) === true) return { repeated: name, numbers };
        map?.names?.add(name);
        if (map !== undefined) map.at = name;
      }
      at = end;
    } else if (char === 0x2d || isDigit(char)) {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      if (numbers.length < maxNumbers && isLost(number))
        numbers.push({ pointer: pointerOf(open), text: number });
      at = end - 1;
    }
  }
  return { numbers };
}

/**
 * Doubles beyond 2^53 skip whole numbers; doubles below the smallest one are zero. Fraction digits beyond the 17th are
 * no loss: a sender of fractions sends doubles.
 */
function isLost(number: string): boolean {
  if (number.length < SHORTEST_INEXACT && !/[eE]/.test(number)) return false;
  const value = Number(number);
  return value === 0 ? /^-?[0.]*[1-9]/.test(number) : Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    // "+", "-", ".", "E", "e"
    const goesOn =
      isDigit(char) ||
      char === 0x2b ||
      char === 0x2d ||
      char === 0x2e ||
      char === 0x45 ||
      char === 0x65;
    if (!goesOn) break;
  }
  return at;
}

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39;
}

function pointerOf(open: readonly Open[]): string {
  return open.map(({ at }) => `/${escapePointer(String(at))}`).join("");
}
