import {
  literal,
  MAX_EXPRESSION_TEXT,
  textOf,
  type Expression,
  type ReferenceExpression,
} from "#importers/expression.ts";

/** A variable that a text refers to, with its default. */
export interface UsedVariable {
  name: string;
  line: number;
  default: Expression | undefined;
  /** Whether a secret takes its value. */
  isSecret?: boolean;
}

/** The maximum depth of `${A:-${B:-…}}`. */
const MAX_DEPTH = 20;

/**
 * Parses the text of a Compose file in one pass. `$NAME` and `${NAME}`, also with `:-`, `-`, `:?`, `?`, `:+` and `+`,
 * are references to variables; `use` is called for each. `$$` is a dollar sign.
 */
export function interpolated(
  text: string,
  line: number,
  use: (variable: UsedVariable) => void,
): Expression {
  if (!text.includes("$")) return literal(text);
  const used: UsedVariable[] = [];
  const parser = new Interpolation(text, line, (variable) => used.push(variable));
  const parsed = parser.read();
  if (parsed === undefined)
    return { kind: "opaque", text: text.slice(0, MAX_EXPRESSION_TEXT), references: [], line };
  for (const variable of used) use(variable);
  return parsed;
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const OPERATOR = /:?[-?+]/y;

class Interpolation {
  readonly #text: string;
  readonly #line: number;
  readonly #use: (variable: UsedVariable) => void;
  #at = 0;

  constructor(text: string, line: number, use: (variable: UsedVariable) => void) {
    this.#text = text;
    this.#line = line;
    this.#use = use;
  }

  /** Undefined: Compose would reject the interpolation. */
  read(): Expression | undefined {
    return this.#parts(0);
  }

  /** Reads up to the end of the text, or past the brace that closes this level. */
  #parts(depth: number): Expression | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const parts: Expression[] = [];
    let start = this.#at;
    const flush = (): void => {
      if (this.#at > start) parts.push(literal(this.#text.slice(start, this.#at)));
    };
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === "}" && depth > 0) {
        flush();
        this.#at += 1;
        return textOf(parts);
      }
      if (char !== "$") {
        this.#at += 1;
        continue;
      }
      flush();
      if (this.#text[this.#at + 1] === "$") {
        parts.push(literal("$"));
        this.#at += 2;
      } else {
        const part = this.#reference(depth);
        if (part === undefined) return undefined;
        parts.push(part);
      }
      start = this.#at;
    }
    flush();
    return depth === 0 ? only(textOf(parts)) : undefined;
  }

  #reference(depth: number): Expression | undefined {
    const isBraced = this.#text[this.#at + 1] === "{";
    this.#at += isBraced ? 2 : 1;
    const name = this.#take(NAME);
    if (name === undefined) return undefined;
    const reference: ReferenceExpression = {
      kind: "reference",
      target: { kind: "variable", name },
      path: [],
      line: this.#line,
    };
    const line = this.#line;
    if (!isBraced) {
      this.#use({ name, line, default: undefined });
      return reference;
    }
    if (this.#text[this.#at] === "}") {
      this.#at += 1;
      this.#use({ name, line, default: undefined });
      return reference;
    }
    const operator = this.#take(OPERATOR);
    if (operator === undefined) return undefined;
    const rest = this.#parts(depth + 1);
    if (rest === undefined) return undefined;
    const isDefault = operator.endsWith("-");
    this.#use({ name, line, default: isDefault ? only(rest) : undefined });
    // With `+` the value differs from the variable's, so a reference would be wrong.
    if (operator.endsWith("+"))
      return { kind: "opaque", text: `\${${name}${operator}…}`, references: [reference], line };
    return reference;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** Returns the only part of a text instead of the text. */
function only(expression: Expression): Expression {
  if (expression.kind !== "text" || expression.parts.length !== 1) return expression;
  return expression.parts[0] ?? expression;
}
