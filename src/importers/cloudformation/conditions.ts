import { type Expression, literal } from "#importers/expression.ts";
import { memberOf, nameIn, type DataNode } from "#importers/text/data-node.ts";
import { argumentsIn, intrinsicOf } from "./intrinsic.ts";

/** The maximum depth of conditions that refer to others. */
const MAX_DEPTH = 50;
/** The maximum number of parts of one condition, with those that it names. */
const MAX_PARTS = 40;
/** The same for all places that name a condition: each has it as a whole. */
const MAX_ALL_PARTS = 20_000;

const operators: ReadonlyMap<string, string> = new Map([
  ["Fn::Equals", "=="],
  ["Fn::Not", "!"],
  ["Fn::And", "&&"],
  ["Fn::Or", "||"],
]);

interface Written {
  expression: Expression;
  parts: number;
}

/** Evaluates the conditions of a template that literals decide, and writes the others as expressions. */
export class Conditions {
  readonly #section: DataNode | undefined;
  readonly #literalOf: (node: DataNode) => string | undefined;
  readonly #known = new Map<string, boolean | undefined>();
  readonly #expressions = new Map<string, Written | undefined>();
  #left = MAX_ALL_PARTS;
  #isOpen = false;

  /** `literalOf`: the text of a value that depends on nothing outside the template. */
  constructor(section: DataNode | undefined, literalOf: (node: DataNode) => string | undefined) {
    this.#section = section;
    this.#literalOf = literalOf;
  }

  get count(): number {
    return this.#section?.kind === "map" ? this.#section.members.size : 0;
  }

  /** Whether a condition holds. Undefined for an unknown condition and for one that the deployment decides. */
  holds(name: string, depth = 0): boolean | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    // This is also the answer for a condition that refers to itself.
    this.#known.set(name, undefined);
    const node = memberOf(this.#section, name);
    const decided = node === undefined ? undefined : this.#decide(node, depth + 1);
    this.#known.set(name, decided);
    return decided;
  }

  /**
   * The condition as an expression, if the deployment decides it. Undefined for an unknown condition, for one that is too
   * long, and inside another one, where CloudFormation has no `Fn::If`.
   */
  expression(name: string, read: (node: DataNode) => Expression): Expression | undefined {
    if (this.#isOpen) return undefined;
    if (!this.#expressions.has(name)) this.#expressions.set(name, this.#whole(name, read));
    const written = this.#expressions.get(name);
    this.#left -= written?.parts ?? 0;
    return this.#left < 0 ? undefined : written?.expression;
  }

  #whole(name: string, read: (node: DataNode) => Expression): Written | undefined {
    const parts = { left: MAX_PARTS };
    this.#isOpen = true;
    const expression = this.#named(name, read, parts);
    this.#isOpen = false;
    return expression && { expression, parts: MAX_PARTS - parts.left };
  }

  #named(
    name: string,
    read: (node: DataNode) => Expression,
    parts: { left: number },
  ): Expression | undefined {
    const holds = this.holds(name);
    if (holds !== undefined) return literal(holds);
    const node = memberOf(this.#section, name);
    return node === undefined ? undefined : this.#written(node, read, parts);
  }

  #written(
    node: DataNode,
    read: (node: DataNode) => Expression,
    parts: { left: number },
  ): Expression | undefined {
    parts.left -= 1;
    if (parts.left < 0) return undefined;
    const named = conditionNamed(node);
    if (named !== undefined) return this.#named(named, read, parts);
    const intrinsic = intrinsicOf(node);
    const operator = intrinsic === undefined ? undefined : operators.get(intrinsic.name);
    if (intrinsic === undefined || operator === undefined) return undefined;
    const { line } = node;
    const args = argumentsIn(intrinsic.argument);
    // CloudFormation compares texts.
    const written = args.map((arg): Expression | undefined =>
      operator === "=="
        ? { kind: "call", name: "tostring", args: [read(arg)], line }
        : this.#written(arg, read, parts),
    );
    const known = written.filter((one) => one !== undefined);
    const [first, ...others] = known;
    if (first === undefined || known.length !== written.length) return undefined;
    if (operator === "!") return { kind: "call", name: operator, args: [first], line };
    return others.reduce<Expression>(
      (left, right) => ({ kind: "call", name: operator, args: [left, right], line }),
      first,
    );
  }

  #decide(node: DataNode, depth: number): boolean | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const named = conditionNamed(node);
    if (named !== undefined) return this.holds(named, depth);
    const intrinsic = intrinsicOf(node);
    if (intrinsic === undefined) return undefined;
    const { name, argument } = intrinsic;
    const args = argumentsIn(argument);
    if (name === "Fn::Equals") return this.#equal(args);
    if (name === "Fn::Not") {
      const [only] = args;
      const decided = only === undefined ? undefined : this.#decide(only, depth + 1);
      return decided === undefined ? undefined : !decided;
    }
    if (name !== "Fn::And" && name !== "Fn::Or") return undefined;
    // One true part decides an Or, one false part an And.
    const decisive = name === "Fn::Or";
    const parts = new Set(args.map((part) => this.#decide(part, depth + 1)));
    if (parts.has(decisive)) return decisive;
    return parts.has(undefined) ? undefined : !decisive;
  }

  #equal([left, right]: readonly DataNode[]): boolean | undefined {
    if (left === undefined || right === undefined) return undefined;
    const first = this.#literalOf(left);
    const second = this.#literalOf(right);
    return first === undefined || second === undefined ? undefined : first === second;
  }
}

/** The name in `!Condition Name` or `Condition: Name`. */
function conditionNamed(node: DataNode): string | undefined {
  if (node.tag === "!Condition") return nameIn(node);
  if (node.kind !== "map" || node.members.size !== 1) return undefined;
  return nameIn(memberOf(node, "Condition"));
}
