import type { Range } from "./ast.ts";
import { ExpressionError, type ProblemOf } from "./problem.ts";

export type Token = Range &
  (
    | { kind: "name"; text: string }
    /** A name in back quotes, which only a member can have. */
    | { kind: "quoted-name"; text: string }
    | { kind: "number"; text: string; value: number; fraction: boolean }
    | { kind: "text"; text: string; value: string }
    | { kind: "operator"; text: string }
    | { kind: "end"; text: "" }
  );

// As in HCL, hyphens belong to a name: `my-db` is one name and `a - b` a subtraction.
const NAME = /[A-Za-z_$][A-Za-z0-9_$]*(?:-+[A-Za-z0-9_$]+)*/y;
const QUOTED_NAME = /`[^`\n]*`/y;
const NUMBER =
  /0[xX][0-9a-fA-F]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y;
const BLANK = /(?:[ \t\r\n\f]+|\/\/[^\n]*)+/y;
const OPERATOR = /[=!<>]=|&&|\|\||[-+*/%<>!?:.,()[\]{}]/y;
const TEXT_START = /[bB]?[rR]?["']|[rR][bB]["']/y;
/** The escapes of CEL and of JSON. */
const ESCAPE =
  /\\(?:[abfnrtv\\/?"'`]|x[0-9a-fA-F]{2}|X[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/y;

const simpleEscapes = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** Other languages' spellings of operators. */
const instead = new Map([
  ["=", "Compare with `==`."],
  ["&", "Write `&&`."],
  ["|", "Write `||`."],
  ["`", 'Write `a["key"]`.'],
]);

/** Reads the tokens of one expression in order. */
export class Tokens {
  readonly #text: string;
  #position: number;

  constructor(text: string, position: number) {
    this.#text = text;
    this.#position = position;
  }

  next(): Token {
    this.#position += this.#match(BLANK)?.length ?? 0;
    const start = this.#position;
    if (start >= this.#text.length) return { kind: "end", text: "", start, end: start };
    if (this.#match(TEXT_START) !== undefined) return this.#readText(start);
    const name = this.#match(NAME);
    if (name !== undefined) return { kind: "name", text: name, ...this.#advance(name) };
    const number = this.#match(NUMBER);
    if (number !== undefined) return this.#readNumber(number);
    const operator = this.#match(OPERATOR);
    if (operator !== undefined)
      return { kind: "operator", text: operator, ...this.#advance(operator) };
    const quoted = this.#match(QUOTED_NAME);
    if (quoted !== undefined)
      return { kind: "quoted-name", text: quoted.slice(1, -1), ...this.#advance(quoted) };
    const character = String.fromCodePoint(this.#text.codePointAt(start) ?? 0);
    const hint = instead.get(character);
    throw this.#error(
      {
        kind: "malformed_expression",
        wanted: "a part of an expression",
        found: `\`${character}\``,
        ...(hint === undefined ? {} : { hint }),
      },
      start,
      start + character.length,
    );
  }

  #advance(text: string): Range {
    const start = this.#position;
    this.#position += text.length;
    return { start, end: this.#position };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    return pattern.exec(this.#text)?.[0];
  }

  #readNumber(text: string): Token {
    const value = Number(text);
    const fraction = /[.eE]/.test(text) && !/^0[xX]/.test(text);
    const range = this.#advance(text);
    if (!(fraction ? Number.isFinite(value) : Number.isSafeInteger(value)))
      throw this.#error({ kind: "number_too_large", text }, range.start, range.end);
    if (/^[uU](?![A-Za-z0-9_$])/.test(this.#text.slice(this.#position, this.#position + 2)))
      throw this.#error(
        {
          kind: "syntax_not_supported",
          what: "Unsigned numbers",
          instead: "Write the number without `u`.",
        },
        range.start,
        range.end + 1,
      );
    return { kind: "number", text, value, fraction, ...range };
  }

  #readText(start: number): Token {
    const prefix = this.#match(TEXT_START)?.slice(0, -1) ?? "";
    const isRaw = /r/i.test(prefix);
    let position = start + prefix.length;
    const single = this.#text[position] ?? "";
    const quote = this.#text.startsWith(single.repeat(3), position) ? single.repeat(3) : single;
    position += quote.length;
    const parts: string[] = [];
    while (!this.#text.startsWith(quote, position)) {
      const character = this.#text[position];
      if (character === undefined || (/[\r\n]/.test(character) && quote.length === 1))
        throw this.#error({ kind: "unterminated_text" }, start, position);
      if (character !== "\\" || isRaw) {
        parts.push(character);
        position += 1;
        continue;
      }
      ESCAPE.lastIndex = position;
      const escape = ESCAPE.exec(this.#text)?.[0];
      const value = escape === undefined ? undefined : unescaped(escape);
      if (escape === undefined || value === undefined)
        throw this.#error({ kind: "invalid_escape" }, position, position + 2);
      parts.push(value);
      position += escape.length;
    }
    const end = position + quote.length;
    if (/b/i.test(prefix))
      throw this.#error(
        { kind: "syntax_not_supported", what: "Bytes", instead: "Write a text without `b`." },
        start,
        end,
      );
    const value = parts.join("");
    if (!value.isWellFormed()) throw this.#error({ kind: "invalid_escape" }, start, end);
    this.#position = end;
    return { kind: "text", text: this.#text.slice(start, end), value, start, end };
  }

  #error(problem: ProblemOf, start: number, end: number): ExpressionError {
    return new ExpressionError(problem, { start, end });
  }
}

function unescaped(escape: string): string | undefined {
  const letter = escape[1] ?? "";
  const hex = Number.parseInt(escape.slice(2), 16);
  if (/[xXu]/.test(letter)) return String.fromCharCode(hex);
  if (letter === "U") return hex > 0x10ffff ? undefined : String.fromCodePoint(hex);
  if (/[0-3]/.test(letter)) return String.fromCharCode(Number.parseInt(escape.slice(1), 8));
  return simpleEscapes.get(letter) ?? letter;
}
