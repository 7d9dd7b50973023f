import { type Expression, literal } from "#importers/expression.ts";
import type { SourceLocal } from "#importers/source-module.ts";
import { lineOf, memberOf, membersOf, nameIn, type DataNode } from "#importers/text/data-node.ts";
import { argumentsIn, intrinsicOf } from "./intrinsic.ts";
import type { RepeatedValues } from "./repeated-values.ts";

/** The maximum depth of conditions that refer to others. */
const MAX_DEPTH = 50;
/** The maximum number of parts of one condition, with those that it names. */
const MAX_PARTS = 40;

const operators: ReadonlyMap<string, string> = new Map([
  ["Fn::Equals", "=="],
  ["Fn::Not", "!"],
  ["Fn::And", "&&"],
  ["Fn::Or", "||"],
]);

type Read = (node: DataNode) => Expression;

/**
 * Evaluates the conditions of a template that literals decide. The others are names of the module. A place that reads
 * one has the parts of its `And` and `Not`, so that the draft shows which other conditions hold there.
 */
export class Conditions {
  readonly #section: DataNode | undefined;
  readonly #literalOf: (node: DataNode) => string | undefined;
  readonly #known = new Map<string, boolean | undefined>();
  readonly #parts = new Map<string, { expression: Expression; count: number }>();
  /** Each place that names a condition has its parts. */
  readonly #repeated: RepeatedValues;

  /** `literalOf`: the text of a value that depends on nothing outside the template. */
  constructor(
    section: DataNode | undefined,
    literalOf: (node: DataNode) => string | undefined,
    repeated: RepeatedValues,
  ) {
    this.#section = section;
    this.#literalOf = literalOf;
    this.#repeated = repeated;
  }

  get count(): number {
    return membersOf(this.#section).size;
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

  /** The condition where a value, a resource or an output depends on it. Undefined for an unknown condition. */
  expression(name: string): Expression | undefined {
    const node = memberOf(this.#section, name);
    if (node === undefined) return undefined;
    let known = this.#parts.get(name);
    if (known === undefined) {
      const parts = { left: MAX_PARTS };
      const made = this.#inParts(name, parts, 0);
      known = {
        expression: parts.left < 0 ? named(name, node) : made,
        count: MAX_PARTS - Math.max(0, parts.left),
      };
      this.#parts.set(name, known);
    }
    return this.#repeated.take(known.count) ? known.expression : named(name, node);
  }

  /** The conditions that the deployment decides, as names of the module. */
  locals(read: Read, file: string): SourceLocal[] {
    return [...membersOf(this.#section)].flatMap(([name, node]): SourceLocal[] => {
      if (this.holds(name) !== undefined) return [];
      const value = this.#written(node, read);
      if (value === undefined) return [];
      return [{ name: conditionName(name), value, file, line: lineOf(node) }];
    });
  }

  #inParts(name: string, parts: { left: number }, depth: number): Expression {
    const holds = this.holds(name);
    if (holds !== undefined) return literal(holds);
    const node = memberOf(this.#section, name);
    return (node && this.#partsOf(node, parts, depth)) ?? named(name, node);
  }

  /** The conditions that an `And`, a `Not` or a mere name consists of; undefined for another condition. */
  #partsOf(node: DataNode, parts: { left: number }, depth: number): Expression | undefined {
    parts.left -= 1;
    if (parts.left < 0 || depth > MAX_DEPTH) return undefined;
    const name = conditionNamed(node);
    if (name !== undefined) return this.#inParts(name, parts, depth + 1);
    const intrinsic = intrinsicOf(node);
    if (intrinsic?.name !== "Fn::And" && intrinsic?.name !== "Fn::Not") return undefined;
    const operands = argumentsIn(intrinsic.argument).map((one) =>
      this.#partsOf(one, parts, depth + 1),
    );
    const known = operands.filter((one) => one !== undefined);
    const [first] = known;
    if (first === undefined || known.length !== operands.length) return undefined;
    if (intrinsic.name === "Fn::And") return joined("&&", known, node.line);
    return { kind: "call", name: "!", args: [first], line: node.line };
  }

  #written(node: DataNode, read: Read, depth = 0): Expression | undefined {
    const name = conditionNamed(node);
    if (name !== undefined) return this.expression(name);
    const intrinsic = intrinsicOf(node);
    const operator = intrinsic === undefined ? undefined : operators.get(intrinsic.name);
    if (intrinsic === undefined || operator === undefined || depth > MAX_DEPTH) return undefined;
    const { line } = node;
    const args = argumentsIn(intrinsic.argument);
    if (operator === "==") {
      // CloudFormation compares texts.
      const texts = args.map((arg): Expression => ({
        kind: "call",
        name: "tostring",
        args: [read(arg)],
        line,
      }));
      return texts.length === 2 ? { kind: "call", name: operator, args: texts, line } : undefined;
    }
    const written = args.map((arg) => this.#written(arg, read, depth + 1));
    const known = written.filter((one) => one !== undefined);
    const [first] = known;
    if (first === undefined || known.length !== written.length) return undefined;
    if (operator !== "!") return joined(operator, known, line);
    if (first.kind === "call" && first.name === "==") return { ...first, name: "!=" };
    return { kind: "call", name: operator, args: [first], line };
  }

  #decide(node: DataNode, depth: number): boolean | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const name = conditionNamed(node);
    if (name !== undefined) return this.holds(name, depth);
    const intrinsic = intrinsicOf(node);
    if (intrinsic === undefined) return undefined;
    const args = argumentsIn(intrinsic.argument);
    if (intrinsic.name === "Fn::Equals") return this.#equal(args);
    if (intrinsic.name === "Fn::Not") {
      const [only] = args;
      const decided = only === undefined ? undefined : this.#decide(only, depth + 1);
      return decided === undefined ? undefined : !decided;
    }
    if (intrinsic.name !== "Fn::And" && intrinsic.name !== "Fn::Or") return undefined;
    // One true part decides an Or, one false part an And.
    const decisive = intrinsic.name === "Fn::Or";
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

/** Conditions, mappings and parameters may have the same name. */
function conditionName(name: string): string {
  return `Conditions.${name}`;
}

function named(name: string, node: DataNode | undefined): Expression {
  const target = { kind: "local", name: conditionName(name) } as const;
  return { kind: "reference", target, path: [], line: node?.line ?? 1 };
}

function joined(operator: string, operands: readonly Expression[], line: number): Expression {
  const [first = literal(true), ...others] = operands;
  return others.reduce(
    (left, right): Expression => ({ kind: "call", name: operator, args: [left, right], line }),
    first,
  );
}

/** The name in `!Condition Name` or `Condition: Name`. */
function conditionNamed(node: DataNode): string | undefined {
  if (node.tag === "!Condition") return nameIn(node);
  if (node.kind !== "map" || node.members.size !== 1) return undefined;
  return nameIn(memberOf(node, "Condition"));
}
