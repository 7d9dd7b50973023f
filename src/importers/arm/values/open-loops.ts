/** Loops whose number of objects only the deployment knows. */
import { type Expression, literal, referencesIn, withParts } from "#importers/expression.ts";
import { flatText } from "#importers/text/joined-text.ts";
import { call } from "./known-values.ts";

/** The number of objects of each loop around a resource, outermost first. */
export type OpenLoops = readonly Expression[];

/** More loops around a resource than real templates have. */
export const MAX_LOOPS = 3;

/** The index of the loop at a depth. The same for all loops of that depth, so that equal names are found. */
export function loopIndex(depth: number): Expression {
  return item(`copy ${depth}`);
}

export function isLoopIndex(name: string): boolean {
  return name.startsWith("copy ");
}

export function readsLoop(of: Expression): boolean {
  const known = reading.get(of);
  if (known !== undefined) return known;
  const reads = referencesIn(of).some(
    ({ target }) => target.kind === "item" && isLoopIndex(target.name),
  );
  reading.set(of, reads);
  return reads;
}

/** Every resource in a loop asks for the conditions around it. */
const reading = new WeakMap<Expression, boolean>();

/** The key of a resource's object in its loops, for a reader in the same turn. */
export function keyInLoops(count: number, isMapped: boolean, line: number): Expression {
  if (!isMapped) return loopIndex(0);
  return count === 1 ? call("tostring", [loopIndex(0)], line) : keyOf(count, loopIndex, line);
}

export interface Repeats {
  count?: Expression;
  forEach?: Expression;
  /** Writes the indexes of the loops in an expression. */
  inTurn: (of: Expression) => Expression;
}

/**
 * The repetition of a resource: a number of objects, or a map if several loops are around it or a condition leaves out
 * some of its objects. `test`: that condition.
 */
export function repeatsOf(loops: OpenLoops, test: Expression | undefined, line: number): Repeats {
  const [only] = loops;
  if (only === undefined) return { inTurn: (of) => of };
  if (loops.length === 1 && test === undefined) {
    const index: Expression = {
      kind: "reference",
      target: { kind: "count", name: "index" },
      path: [],
      line,
    };
    return { count: only, inTurn: (of) => withIndexes(of, () => index) };
  }
  const value: Expression = {
    kind: "reference",
    target: { kind: "each", name: "value" },
    path: [],
    line,
  };
  if (loops.length === 1) {
    const own = () => item("at");
    return {
      forEach: {
        kind: "for",
        names: ["at"],
        of: call("range", [only], line),
        key: call("tostring", [item("at")], line),
        value: item("at"),
        ...(test === undefined ? {} : { condition: withIndexes(test, own) }),
        isGrouped: false,
        line,
      },
      inTurn: (of) => withIndexes(of, () => value),
    };
  }
  const ofTurn = (depth: number) => item(`at${depth}`);
  const ofOne = (depth: number): Expression => ({ ...item("one"), path: [`at${depth}`] });
  return {
    forEach: {
      kind: "for",
      names: ["one"],
      of: turnsOf(loops, ofTurn, line),
      key: keyOf(loops.length, ofOne, line),
      value: item("one"),
      ...(test === undefined ? {} : { condition: withIndexes(test, ofOne) }),
      isGrouped: false,
      line,
    },
    inTurn: (of) => withIndexes(of, (depth) => ({ ...value, path: [`at${depth}`] })),
  };
}

/** A list of the indexes of all turns of loops inside each other. */
function turnsOf(loops: OpenLoops, index: (depth: number) => Expression, line: number): Expression {
  const indexes: Expression = {
    kind: "object",
    members: loops.map((_, depth) => ({ name: `at${depth}`, value: index(depth), line })),
  };
  return loops.reduceRight<Expression>((value, count, depth) => {
    const turns: Expression = {
      kind: "for",
      names: [`at${depth}`],
      of: call("range", [withIndexes(count, index)], line),
      value,
      isGrouped: false,
      line,
    };
    return depth === loops.length - 1 ? turns : call("arm:flatten", [turns], line);
  }, indexes);
}

function keyOf(count: number, index: (depth: number) => Expression, line: number): Expression {
  const parts = Array.from({ length: count }, (_, depth) => [literal("-"), index(depth)]);
  return flatText(parts.flat().slice(1), line);
}

function withIndexes(of: Expression, index: (depth: number) => Expression): Expression {
  if (of.kind === "reference" && of.target.kind === "item" && isLoopIndex(of.target.name))
    return index(Number(of.target.name.slice("copy ".length)));
  return withParts(of, (part) => withIndexes(part, index));
}

type Reference = Extract<Expression, { kind: "reference" }>;

function item(name: string): Reference {
  return { kind: "reference", target: { kind: "item", name }, path: [], line: 0 };
}
