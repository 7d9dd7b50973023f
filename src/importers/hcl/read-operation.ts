/** Reads operators and traversals. The syntax tree has their parts in a row, in the order of the text. */
import { type Expression, literal } from "#importers/expression.ts";
import { exactNumber } from "#importers/text/data-limits.ts";
import {
  instanceReference,
  itemReference,
  MAX_PATH,
  referenceTo,
  stepAt,
  type Traversal,
  traversalAt,
} from "./references.ts";
import { lineOf, type Source } from "./source-text.ts";

/** The maximum depth of lists, objects, calls, texts and operators in an expression. Deeper ones are kept as text. */
export const MAX_EXPRESSION_DEPTH = 60;

/** The readers for the parts of an operation. */
export interface Readers {
  /** Undefined: the term has no form of its own. */
  term: (source: Source, node: number, depth: number) => Expression | undefined;
  expression: (source: Source, node: number, depth: number) => Expression;
  opaque: (source: Source, first: number, last: number) => Expression;
}

/** https://developer.hashicorp.com/terraform/language/expressions/operators */
const ranks: ReadonlyMap<string, number> = new Map([
  ["||", 1],
  ["&&", 2],
  ["==", 3],
  ["!=", 3],
  ["<", 4],
  ["<=", 4],
  [">", 4],
  [">=", 4],
  ["+", 5],
  ["-", 5],
  ["*", 6],
  ["/", 6],
  ["%", 6],
]);

/** Reads a variable, or an expression of several nodes. Undefined: it is kept as text. */
export function readOperation(
  source: Source,
  node: number,
  depth: number,
  readers: Readers,
): Expression | undefined {
  const { tree } = source;
  const nodes = tree.children(node);
  const operators = nodes.filter((one) => tree.kind(one) === "operator").length;
  // Each operator may add a level.
  if (depth + operators > MAX_EXPRESSION_DEPTH) return undefined;
  return new Operation(source, nodes, depth + operators, readers).read();
}

/** The value of a number; its text if a double cannot hold it. */
export function numberIn(text: string): number | string {
  return exactNumber(Number(text), text);
}

class Operation {
  readonly #source: Source;
  readonly #nodes: readonly number[];
  readonly #depth: number;
  readonly #readers: Readers;
  #at = 0;

  constructor(source: Source, nodes: readonly number[], depth: number, readers: Readers) {
    this.#source = source;
    this.#nodes = nodes;
    this.#depth = depth;
    this.#readers = readers;
  }

  read(): Expression | undefined {
    const condition = this.#operation(1);
    if (this.#operator() !== "?") return condition;
    const [yes, no] = this.#nodes.slice(this.#at + 1);
    if (condition === undefined || yes === undefined || no === undefined) return undefined;
    return this.#call("?:", [condition, this.#expression(yes), this.#expression(no)]);
  }

  /** Reads operators of at least this rank, from left to right. */
  #operation(rank: number): Expression | undefined {
    let left = this.#unary();
    for (;;) {
      const operator = this.#operator();
      const own = ranks.get(operator);
      if (own === undefined || own < rank || left === undefined) return left;
      this.#at += 1;
      const right = this.#operation(own + 1);
      left = right && this.#call(operator, [left, right]);
    }
  }

  #unary(): Expression | undefined {
    const operator = this.#operator();
    if (operator === "") return this.#operand();
    this.#at += 1;
    if (operator === "-" && this.#isPlainNumber()) {
      const { tree } = this.#source;
      return literal(numberIn(`-${tree.source(this.#nodes[this.#at++] ?? 0)}`));
    }
    const of = this.#unary();
    return of && this.#call(operator, [of]);
  }

  #isPlainNumber(): boolean {
    const { tree } = this.#source;
    const [number, next] = this.#nodes.slice(this.#at, this.#at + 2);
    return (
      number !== undefined &&
      tree.kind(number) === "number" &&
      (next === undefined || tree.kind(next) === "operator")
    );
  }

  /** Reads a term and the steps below it. */
  #operand(): Expression | undefined {
    const { tree } = this.#source;
    const term = this.#nodes[this.#at];
    if (term === undefined) return undefined;
    this.#at += 1;
    const start = this.#at;
    while (this.#nodes[this.#at] !== undefined && this.#operator() === "") this.#at += 1;
    const steps = this.#nodes.slice(start, this.#at);
    if (steps.length > MAX_PATH) return undefined;
    const { of, rest } =
      tree.kind(term) === "variable"
        ? this.#reference(term, steps)
        : { of: this.#readers.term(this.#source, term, this.#depth), rest: steps };
    return (
      (of && this.#below(of, rest)) ??
      this.#readers.opaque(this.#source, term, steps.at(-1) ?? term)
    );
  }

  /** Reads the longest part of a variable and its steps that is a reference. */
  #reference(term: number, steps: readonly number[]): { of?: Expression; rest: readonly number[] } {
    const { tree } = this.#source;
    const last = steps.at(-1) ?? term;
    const traversal: Traversal = traversalAt(tree, term, tree.after(last));
    const line = lineOf(this.#source, term);
    const { items } = this.#source;
    const of = items?.has(traversal.root)
      ? itemReference(traversal, line, items)
      : (referenceTo(traversal, line) ?? instanceReference(traversal, line));
    const rest = steps.slice(traversal.steps.length);
    return of === undefined ? { rest } : { of, rest };
  }

  /** Reads the steps below a value. Undefined: a step has no form here. */
  #below(of: Expression, steps: readonly number[]): Expression | undefined {
    const { tree } = this.#source;
    if (steps.length === 0) return of;
    const splat = steps.findIndex((step) => tree.kind(step) === "splat");
    if (splat === 0) return this.#belowEach(of, steps);
    const own = splat === -1 ? steps : steps.slice(0, splat);
    const args = this.#steps(own);
    if (args === undefined) return undefined;
    const part = this.#call("[]", [of, ...args]);
    return splat === -1 ? part : this.#belowEach(part, steps.slice(splat));
  }

  /** Reads a splat. After `[*]` all steps apply to each item; after `.*` only names do. */
  #belowEach(of: Expression, [splat, ...steps]: readonly number[]): Expression | undefined {
    const { tree } = this.#source;
    const isFull = splat !== undefined && tree.source(splat).startsWith("[");
    const other = isFull ? -1 : steps.findIndex((step) => tree.kind(step) !== "member");
    const args = this.#steps(other === -1 ? steps : steps.slice(0, other));
    if (args === undefined) return undefined;
    const all = this.#call("[*]", [of, ...args]);
    if (other === -1) return all;
    const rest = this.#steps(steps.slice(other));
    return rest && this.#call("[]", [all, ...rest]);
  }

  #steps(nodes: readonly number[]): Expression[] | undefined {
    const { tree } = this.#source;
    const steps: Expression[] = [];
    for (const node of nodes) {
      const step = stepAt(tree, node);
      // The expression of an index is its child node.
      if (step !== undefined) steps.push(literal(step));
      else if (tree.kind(node) === "index") steps.push(this.#expression(node + 1));
      else return undefined;
    }
    return steps;
  }

  #expression(node: number): Expression {
    return this.#readers.expression(this.#source, node, this.#depth + 1);
  }

  #call(name: string, args: readonly Expression[]): Expression {
    const line = lineOf(this.#source, this.#nodes[0] ?? 0);
    return { kind: "call", name, args, line };
  }

  /** The next operator; empty if another kind of node comes next. */
  #operator(): string {
    const { tree } = this.#source;
    const node = this.#nodes[this.#at];
    return node !== undefined && tree.kind(node) === "operator" ? tree.source(node) : "";
  }
}
