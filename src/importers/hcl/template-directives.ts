/**
 * Templates as rows of literals, interpolations and directives:
 * https://developer.hashicorp.com/terraform/language/expressions/strings#directives
 */
import { type Expression, literal, textOf } from "#importers/expression.ts";

export type TemplatePart = string | Expression | Directive;

export interface Directive {
  kind: "directive";
  word: "if" | "else" | "endif" | "for" | "endfor";
  /** The condition of an `if`. */
  condition?: Expression | undefined;
  /** The names and the collection of a `for`. */
  turns?: { names: readonly string[]; of: Expression } | undefined;
  line: number;
}

/** The value of a row of parts. Undefined: a directive has no end, or no start. */
export function templateValue(parts: readonly TemplatePart[]): Expression | undefined {
  const reader = new Reader(parts);
  const made = reader.read();
  return reader.isAtEnd ? made : undefined;
}

function isDirective(part: TemplatePart | undefined): part is Directive {
  return typeof part === "object" && part.kind === "directive";
}

class Reader {
  readonly #parts: readonly TemplatePart[];
  #at = 0;

  constructor(parts: readonly TemplatePart[]) {
    this.#parts = parts;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#parts.length;
  }

  /** Reads up to the end, or to a directive that ends or divides another one. */
  read(): Expression | undefined {
    const found: Expression[] = [];
    for (let part = this.#parts[this.#at]; part !== undefined; part = this.#parts[this.#at]) {
      if (isDirective(part) && part.word !== "if" && part.word !== "for") break;
      this.#at += 1;
      if (part === "") continue;
      const one = isDirective(part)
        ? this.#block(part)
        : typeof part === "string"
          ? literal(part)
          : part;
      if (one === undefined) return undefined;
      found.push(one);
    }
    return textOf(found);
  }

  #block({ word, condition, turns, line }: Directive): Expression | undefined {
    const body = this.read();
    if (body === undefined) return undefined;
    if (word === "for") {
      if (turns === undefined || !this.#ends("endfor")) return undefined;
      const each: Expression = { kind: "for", ...turns, value: body, isGrouped: false, line };
      return { kind: "call", name: "join", args: [literal(""), each], line };
    }
    const otherwise = this.#ends("else") ? this.read() : literal("");
    if (condition === undefined || otherwise === undefined || !this.#ends("endif"))
      return undefined;
    return { kind: "call", name: "?:", args: [condition, body, otherwise], line };
  }

  #ends(word: Directive["word"]): boolean {
    const part = this.#parts[this.#at];
    if (!isDirective(part) || part.word !== word) return false;
    this.#at += 1;
    return true;
  }
}

/** The literals of a text. In a heredoc, each line is a literal of its own, and a strip marker trims one. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
