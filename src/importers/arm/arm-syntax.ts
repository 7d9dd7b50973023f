/** ARM's expressions: `[concat('a', parameters('x').y[0])]`. */
export type ArmNode =
  | { kind: "literal"; value: string | number }
  /** `path`: the members and indexes of the function's result, outermost first. */
  | { kind: "call"; name: string; args: readonly ArmNode[]; path: readonly ArmStep[] };

/** `isOptional`: `.?name` and `[?index]`, which are null where the value lacks them. */
export interface ArmStep {
  node: ArmNode;
  isOptional: boolean;
}

export const MAX_ARM_NESTING = 100;

/** Whether a text is an expression: it is in brackets, and the first one is not escaped. */
export function isArmExpression(text: string): boolean {
  return text.startsWith("[") && text.endsWith("]") && !text.startsWith("[[");
}

/** Unescapes a text that is not an expression: `[[a]` becomes `[a]`. */
export function unescapedArm(text: string): string {
  return text.startsWith("[[") ? text.slice(1) : text;
}

/** Parses the expression in a text. Undefined if it is invalid or nests too deep. Takes time linear to the text. */
export function parseArmExpression(text: string): ArmNode | undefined {
  const reader = new ArmReader(text, 1, text.length - 1);
  try {
    return reader.readAll();
  } catch (error) {
    if (error instanceof ArmSyntaxError) return undefined;
    throw error;
  }
}

class ArmSyntaxError extends Error {}

const space = /[ \t\r\n]*/y;
const identifier = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?(?=[ \t\r\n]*\()/y;
const memberName = /[A-Za-z_$][\w$-]*/y;
const number = /[-+]?[0-9]+(?:\.[0-9]+)?/y;

class ArmReader {
  readonly #text: string;
  readonly #end: number;
  #at: number;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
  }

  readAll(): ArmNode {
    const node = this.#node(1);
    this.#skip(space);
    if (this.#at !== this.#end) throw new ArmSyntaxError();
    return node;
  }

  #node(depth: number): ArmNode {
    if (depth > MAX_ARM_NESTING) throw new ArmSyntaxError();
    this.#skip(space);
    if (this.#text[this.#at] === "'") return { kind: "literal", value: this.#string() };
    const digits = this.#take(number);
    if (digits !== undefined) return { kind: "literal", value: Number(digits) };
    const name = this.#take(identifier);
    if (name === undefined) throw new ArmSyntaxError();
    const args = this.#arguments(depth);
    return { kind: "call", name, args, path: this.#path(depth) };
  }

  #arguments(depth: number): ArmNode[] {
    const args: ArmNode[] = [];
    this.#expect("(");
    if (this.#accept(")")) return args;
    do args.push(this.#node(depth + 1));
    while (this.#accept(","));
    this.#expect(")");
    return args;
  }

  #path(depth: number): ArmStep[] {
    const path: ArmStep[] = [];
    for (;;) {
      if (this.#accept(".")) {
        const isOptional = this.#accept("?");
        this.#skip(space);
        const name = this.#take(memberName);
        if (name === undefined) throw new ArmSyntaxError();
        path.push({ node: { kind: "literal", value: name }, isOptional });
      } else if (this.#accept("[")) {
        const isOptional = this.#accept("?");
        path.push({ node: this.#node(depth + 1), isOptional });
        this.#expect("]");
      } else return path;
    }
  }

  /** Reads a string, in which `''` is one quotation mark. */
  #string(): string {
    const start = this.#at + 1;
    let end = this.#text.indexOf("'", start);
    while (end !== -1 && this.#text[end + 1] === "'") end = this.#text.indexOf("'", end + 2);
    if (end === -1 || end >= this.#end) throw new ArmSyntaxError();
    this.#at = end + 1;
    return this.#text.slice(start, end).replaceAll("''", "'");
  }

  #skip(pattern: RegExp): void {
    this.#take(pattern);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined || this.#at + found.length > this.#end) return undefined;
    this.#at += found.length;
    return found;
  }

  #accept(mark: string): boolean {
    this.#skip(space);
    if (this.#at >= this.#end || !this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#accept(mark)) throw new ArmSyntaxError();
  }
}
