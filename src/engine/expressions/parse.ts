/**
 * Reads one expression of the Common Expression Language: CEL without unsigned numbers, bytes and times, with hyphens in
 * names. Loops (`list.map(…)`), `has` and `cel.bind` are nodes of their own, because they bind variables.
 */
import type {
  BinaryOperator,
  Identifier,
  ListItem,
  LoopKind,
  MapEntry,
  Node,
  Range,
} from "./ast.ts";
import { isNamespaced } from "./functions.ts";
import { ExpressionError, type Problem, type ProblemOf } from "./problem.ts";
import { hintForSyntax } from "./terraform-words.ts";
import { type Token, Tokens } from "./tokens.ts";

/** In characters. */
const MAX_LENGTH = 2_000;
/** Levels of brackets, of `? :` and of signs. */
const MAX_NESTING = 64;
/** Levels of nodes, which a chain of operators without brackets makes too: code that reads a node recurses into it. */
const MAX_HEIGHT = 250;

export type Parsed =
  | {
      kind: "parsed";
      node: Node;
      /** The offset after the expression, where the closing brace stands. */
      end: number;
    }
  | { kind: "problem"; problem: Problem };

/** Reads a text that is one expression. */
export function parse(text: string): Parsed {
  return parseAt(text, 0, "end of text");
}

/** Reads the expression that begins at `start` and ends before the closing brace or at the end of the text. */
export function parseAt(text: string, start: number, closing: "}" | "end of text"): Parsed {
  // A comment or a text without an end would be read to the end of the template for each expression.
  const most = start + MAX_LENGTH + 1;
  try {
    const parser = new Parser(text.slice(0, most + 1), start);
    const node = parser.expression(0);
    return { kind: "parsed", node, end: parser.finish(closing) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { problem } = error;
    if (problem.end < most || text.length <= most) return { kind: "problem", problem };
    const tooLong = { kind: "expression_too_long", most: MAX_LENGTH } as const;
    return { kind: "problem", problem: { ...tooLong, start, end: most } };
  }
}

const precedences = new Map<string, number>([
  ["==", 1],
  ["!=", 1],
  ["<", 1],
  ["<=", 1],
  [">", 1],
  [">=", 1],
  ["in", 1],
  ["+", 2],
  ["-", 2],
  ["*", 3],
  ["/", 3],
  ["%", 3],
]);

/** The variables that a loop binds, by its number of arguments. */
interface LoopForm {
  loop: LoopKind;
  variables: { readonly [count: number]: 1 | 2 };
}

const loops = new Map<string, LoopForm>([
  ["all", { loop: "all", variables: { 2: 1, 3: 2 } }],
  ["exists", { loop: "exists", variables: { 2: 1, 3: 2 } }],
  ["exists_one", { loop: "exists_one", variables: { 2: 1, 3: 2 } }],
  ["existsOne", { loop: "exists_one", variables: { 2: 1, 3: 2 } }],
  ["filter", { loop: "filter", variables: { 2: 1 } }],
  ["map", { loop: "map", variables: { 2: 1, 3: 1 } }],
  ["transformList", { loop: "transformList", variables: { 3: 2, 4: 2 } }],
  ["transformMap", { loop: "transformMap", variables: { 3: 2, 4: 2 } }],
  ["transformMapEntry", { loop: "transformMapEntry", variables: { 3: 2, 4: 2 } }],
]);

const constants = new Map<string, null | boolean>([
  ["null", null],
  ["true", true],
  ["false", false],
]);

class Parser {
  readonly #tokens: Tokens;
  readonly #start: number;
  readonly #heights = new WeakMap<Node, number>();
  #token: Token;
  #previous: Pick<Token, "text" | "end">;

  constructor(text: string, start: number) {
    this.#tokens = new Tokens(text, start);
    this.#start = start;
    this.#previous = { text: "", end: start };
    this.#token = this.#tokens.next();
  }

  finish(closing: "}" | "end of text"): number {
    const { kind, text, start } = this.#token;
    if (closing === "}" && kind === "operator" && text === "}") return this.#within(start);
    if (kind !== "end") throw this.#unexpected("an operator or the end of the expression");
    if (closing === "}") throw this.#error({ kind: "expression_not_closed" }, this.#token);
    return this.#within(start);
  }

  expression(depth: number): Node {
    this.#requireDepth(depth);
    const condition = this.#logic("||", depth);
    if (!this.#take("?")) return condition;
    const met = this.#logic("||", depth + 1);
    this.#expect(":", "the second value of `condition ? a : b`");
    const otherwise = this.expression(depth + 1);
    return this.#made(
      { kind: "choice", condition, met, otherwise, start: condition.start, end: otherwise.end },
      [condition, met, otherwise],
    );
  }

  #logic(operator: "&&" | "||", depth: number): Node {
    const side = () => (operator === "||" ? this.#logic("&&", depth) : this.#binary(depth, 1));
    const first = side();
    const sides = [first];
    while (this.#take(operator)) sides.push(side());
    if (sides.length === 1) return first;
    const { start } = first;
    return this.#made({ kind: "logic", operator, sides, start, end: this.#previous.end }, sides);
  }

  #binary(depth: number, least: number): Node {
    let left = this.#unary(depth);
    for (;;) {
      const { kind, text } = this.#token;
      const isOperator = kind === "operator" || (kind === "name" && text === "in");
      const precedence = isOperator ? precedences.get(text) : undefined;
      if (precedence === undefined || precedence < least) return left;
      this.#next();
      const right = this.#binary(depth, precedence + 1);
      const operator = text as BinaryOperator;
      left = this.#made(
        { kind: "binary", operator, left, right, start: left.start, end: right.end },
        [left, right],
      );
    }
  }

  #unary(depth: number): Node {
    const { start } = this.#token;
    this.#requireDepth(depth);
    if (this.#take("!")) {
      const of = this.#unary(depth + 1);
      return this.#made({ kind: "not", of, start, end: of.end }, [of]);
    }
    if (!this.#take("-")) return this.#postfix(depth);
    const isNumber = this.#token.kind === "number";
    const of = this.#unary(depth + 1);
    if (isNumber && of.kind === "literal" && typeof of.value === "number")
      return { ...of, value: of.value === 0 && !of.fraction ? 0 : -of.value, start };
    return this.#made({ kind: "minus", of, start, end: of.end }, [of]);
  }

  #postfix(depth: number): Node {
    let node = this.#primary(depth);
    for (;;) {
      if (this.#take(".")) node = this.#member(node, depth);
      else if (this.#take("[")) {
        const optional = this.#take("?");
        const index = this.expression(depth + 1);
        this.#expect("]", "the end of the index");
        node = this.#made(
          { kind: "index", of: node, index, optional, start: node.start, end: this.#previous.end },
          [node, index],
        );
      } else return node;
    }
  }

  #member(of: Node, depth: number): Node {
    const optional = this.#take("?");
    const token = this.#token;
    if (token.kind !== "name" && token.kind !== "quoted-name")
      throw this.#unexpected("the name of a member");
    this.#next();
    const member = identifierOf(token);
    const isCall = !optional && token.kind === "name" && this.#isOperator("(");
    if (isCall) return this.#call(of, member, depth);
    return this.#made({ kind: "member", of, member, optional, start: of.start, end: member.end }, [
      of,
    ]);
  }

  #primary(depth: number): Node {
    const token = this.#token;
    const { start, end } = token;
    if (token.kind === "number" || token.kind === "text") {
      this.#next();
      const fraction = token.kind === "number" && token.fraction;
      return { kind: "literal", value: token.value, fraction, start, end };
    }
    if (token.kind === "name") {
      this.#next();
      if (this.#isOperator("(")) return this.#call(undefined, identifierOf(token), depth);
      const value = constants.get(token.text);
      if (value !== undefined) return { kind: "literal", value, fraction: false, start, end };
      if (token.text === "in") throw this.#unexpected("a value", token);
      return { kind: "name", name: token.text, start, end };
    }
    if (this.#take("(")) {
      const inner = this.expression(depth + 1);
      this.#expect(")", "the closing parenthesis");
      return inner;
    }
    if (this.#take("[")) return this.#list(start, depth);
    if (this.#take("{")) return this.#map(start, depth);
    throw this.#unexpected("a value");
  }

  #list(start: number, depth: number): Node {
    const items: ListItem[] = [];
    while (!this.#take("]")) {
      const optional = this.#take("?");
      items.push({ value: this.expression(depth + 1), optional });
      this.#separator("]");
    }
    return this.#made(
      { kind: "list", items, start, end: this.#previous.end },
      items.map(({ value }) => value),
    );
  }

  #map(start: number, depth: number): Node {
    const entries: MapEntry[] = [];
    while (!this.#take("}")) {
      const optional = this.#take("?");
      const key = this.expression(depth + 1);
      this.#expect(":", "between a key and its value");
      entries.push({ key, value: this.expression(depth + 1), optional });
      this.#separator("}");
    }
    return this.#made(
      { kind: "map", entries, start, end: this.#previous.end },
      entries.flatMap(({ key, value }) => [key, value]),
    );
  }

  #call(of: Node | undefined, called: Identifier, depth: number): Node {
    this.#next();
    const given: Node[] = [];
    while (!this.#take(")")) {
      given.push(this.expression(depth + 1));
      this.#separator(")");
    }
    const range = { start: of?.start ?? called.start, end: this.#previous.end };
    const qualified = of?.kind === "name" ? `${of.name}.${called.name}` : undefined;
    if (qualified === "cel.bind") return this.#bind(given, range);
    if (qualified !== undefined && isNamespaced(qualified))
      return this.#made(
        {
          kind: "call",
          function: { name: qualified, start: range.start, end: called.end },
          of: undefined,
          arguments: given,
          ...range,
        },
        given,
      );
    if (of === undefined && called.name === "has") return this.#has(given, range);
    if (of !== undefined && (called.name === "optMap" || called.name === "optFlatMap"))
      return this.#optionalMap(of, called, given, range);
    const form = of === undefined ? undefined : loops.get(called.name);
    if (of !== undefined && form !== undefined) return this.#loop(of, called, form, given, range);
    return this.#made(
      { kind: "call", function: called, of, arguments: given, ...range },
      of === undefined ? given : [of, ...given],
    );
  }

  #has(given: readonly Node[], range: Range): Node {
    const [of, ...more] = given;
    if (of === undefined || more.length > 0) throw wrongCount("has", 1, 1, given, range);
    if (of.kind !== "member" && of.kind !== "index" && of.kind !== "name")
      throw this.#error(
        {
          kind: "malformed_expression",
          wanted: "a name or a member, as in `has(a.b)`",
          found: "another expression",
        },
        of,
      );
    return this.#made({ kind: "has", of, ...range }, [of]);
  }

  #bind(given: readonly Node[], range: Range): Node {
    const [name, value, body] = given;
    if (value === undefined || body === undefined || given.length > 3)
      throw wrongCount("cel.bind", 3, 3, given, range);
    return this.#made(
      { kind: "bind", variable: this.#variable(name, range), value, body, ...range },
      [value, body],
    );
  }

  #optionalMap(of: Node, called: Identifier, given: readonly Node[], range: Range): Node {
    const [name, body] = given;
    if (body === undefined || given.length > 2) throw wrongCount(called.name, 2, 2, given, range);
    const flat = called.name === "optFlatMap";
    const variable = this.#variable(name, range);
    return this.#made({ kind: "optional-map", flat, of, variable, body, ...range }, [of, body]);
  }

  #loop(
    of: Node,
    called: Identifier,
    { loop, variables: counts }: LoopForm,
    given: readonly Node[],
    range: Range,
  ): Node {
    const count = counts[given.length];
    const body = given.at(-1);
    if (count === undefined || body === undefined) {
      const possible = Object.keys(counts).map(Number);
      throw wrongCount(called.name, Math.min(...possible), Math.max(...possible), given, range);
    }
    const variables = given.slice(0, count).map((name) => this.#variable(name, range));
    const [first, second] = variables;
    if (second !== undefined && first?.name === second.name)
      throw this.#error({ kind: "duplicate_key", key: second.name }, second);
    const filter = given.length > count + 1 ? given[count] : undefined;
    return this.#made(
      { kind: "loop", loop, of, variables, filter, body, ...range },
      filter === undefined ? [of, body] : [of, filter, body],
    );
  }

  #variable(node: Node | undefined, range: Range): Identifier {
    if (node?.kind === "name") return { name: node.name, start: node.start, end: node.end };
    throw this.#error(
      {
        kind: "malformed_expression",
        wanted: "the name of a variable, as in `list.map(item, item.id)`",
        found: "another expression",
      },
      node ?? range,
    );
  }

  /** Every node passes here, so that none is higher than code can recurse. */
  #made<Made extends Node>(node: Made, children: readonly Node[]): Made {
    let height = 1;
    for (const child of children) height = Math.max(height, (this.#heights.get(child) ?? 0) + 1);
    if (height > MAX_HEIGHT)
      throw this.#error({ kind: "expression_too_deep", most: MAX_HEIGHT }, node);
    this.#heights.set(node, height);
    return node;
  }

  #requireDepth(depth: number): void {
    if (depth > MAX_NESTING)
      throw this.#error({ kind: "expression_too_deep", most: MAX_NESTING }, this.#token);
  }

  #isOperator(text: string): boolean {
    return this.#token.kind === "operator" && this.#token.text === text;
  }

  #take(text: string): boolean {
    if (!this.#isOperator(text)) return false;
    this.#next();
    return true;
  }

  #expect(text: string, role: string): void {
    if (!this.#take(text)) throw this.#unexpected(`\`${text}\` (${role})`);
  }

  /** A comma, unless the list ends here. */
  #separator(closing: string): void {
    if (!this.#take(",") && !this.#isOperator(closing))
      throw this.#unexpected(`\`,\` or \`${closing}\``);
  }

  #next(): void {
    this.#within(this.#token.end);
    this.#previous = this.#token;
    this.#token = this.#tokens.next();
  }

  #within(end: number): number {
    if (end - this.#start <= MAX_LENGTH) return end;
    throw this.#error(
      { kind: "expression_too_long", most: MAX_LENGTH },
      { start: this.#start, end },
    );
  }

  #unexpected(wanted: string, token = this.#token): ExpressionError {
    const found = token.kind === "end" ? "the end" : `\`${token.text.slice(0, 40)}\``;
    const hint = hintForSyntax(this.#previous.text, token.text);
    return this.#error(
      { kind: "malformed_expression", wanted, found, ...(hint === undefined ? {} : { hint }) },
      token,
    );
  }

  #error(problem: ProblemOf, range: Range): ExpressionError {
    return new ExpressionError(problem, range);
  }
}

function identifierOf({ text, start, end }: Token): Identifier {
  return { name: text, start, end };
}

function wrongCount(
  name: string,
  least: number,
  most: number,
  given: readonly Node[],
  range: Range,
): ExpressionError {
  return new ExpressionError(
    { kind: "wrong_count", name, least, most, given: given.length },
    range,
  );
}
