/**
 * The conversion of a value by the `type` of its variable:
 * https://developer.hashicorp.com/terraform/language/expressions/type-constraints
 */
import { type Expression, literal } from "#importers/expression.ts";
import { asTruth, decidedList, decidedLiteral, decidedMap, decidedSet, failed } from "./decided.ts";
import type { Bound, Constraint, Decided, Scope } from "./scope.ts";

const open: Constraint = { kind: "open" };
const any: Constraint = { kind: "any" };
const MAX_DEPTH = 20;

const known = new WeakMap<Expression, Constraint>();

export function constraintOf(type: Expression | undefined): Constraint {
  if (type === undefined) return any;
  const before = known.get(type);
  if (before !== undefined) return before;
  const read = readConstraint(type, 0);
  known.set(type, read);
  return read;
}

function readConstraint(type: Expression, depth: number): Constraint {
  if (depth > MAX_DEPTH) return open;
  if (type.kind === "opaque") return named(type.text);
  if (type.kind === "literal") return named(String(type.value));
  if (type.kind !== "call") return open;
  const [first, second] = type.args;
  if (first === undefined) return open;
  const { name } = type;
  switch (name) {
    case "list":
    case "set":
    case "map":
      return { kind: name, of: readConstraint(first, depth + 1) };
    case "optional":
      return {
        kind: "optional",
        of: readConstraint(first, depth + 1),
        default: second ?? literal(null),
      };
    case "object":
      return first.kind === "object"
        ? {
            kind: "object",
            attributes: new Map(
              first.members.map((one) => [one.name, readConstraint(one.value, depth + 1)]),
            ),
          }
        : open;
    default:
      return open;
  }
}

function named(name: string): Constraint {
  switch (name) {
    case "any":
    case "list":
    case "map":
      return any;
    case "string":
    case "number":
    case "bool":
      return { kind: name };
    default:
      return open;
  }
}

/** Converts a value by a constraint; undefined if the result is open. `decide`: evaluates the value's content. */
export function constrained(
  of: Decided,
  constraint: Constraint,
  scope: Scope,
  decide: (bound: Bound) => Decided | undefined,
): Decided | undefined {
  if (constraint.kind === "open") return undefined;
  if (of.kind === "error" || constraint.kind === "any") return of;
  if (constraint.kind === "optional")
    return of.kind === "literal" && of.value === null
      ? decide({ expression: constraint.default, scope, constraint: constraint.of })
      : constrained(of, constraint.of, scope, decide);
  if (of.kind === "literal") return literalAs(of, constraint);
  switch (constraint.kind) {
    case "list":
      return of.kind === "list"
        ? decidedList(of.items.map((item) => ({ ...item, constraint: constraint.of })))
        : failed;
    case "set":
      return of.kind === "list" ? setOf(of.items, decide) : failed;
    case "map":
      return of.kind === "map"
        ? decidedMap(
            new Map(
              [...of.members].map(([name, one]) => [name, { ...one, constraint: constraint.of }]),
            ),
          )
        : failed;
    case "object":
      return of.kind === "map" ? objectOf(of.members, constraint.attributes, scope) : failed;
    case "string":
    case "number":
    case "bool":
      return failed;
  }
}

function literalAs(
  of: Extract<Decided, { kind: "literal" }>,
  { kind }: Constraint,
): Decided | undefined {
  const { value } = of;
  if (value === null) return of;
  if (kind === "string") return decidedLiteral(String(value));
  if (kind === "bool") {
    const truth = asTruth(of);
    return truth === undefined ? failed : decidedLiteral(truth);
  }
  if (kind !== "number") return failed;
  if (typeof value === "number") return of;
  // Other texts do not have a number that can be computed with here.
  return typeof value === "string" && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value)
    ? decidedLiteral(Number(value))
    : undefined;
}

/** The distinct texts, sorted; undefined if some are not decided. */
export function setOf(
  items: readonly Bound[],
  decide: (bound: Bound) => Decided | undefined,
): Decided | undefined {
  const found = new Map<string, Bound>();
  for (const item of items) {
    const one = decide(item);
    if (one?.kind !== "literal" || typeof one.value !== "string") return undefined;
    found.set(one.value, { expression: literal(one.value), scope: item.scope });
  }
  return decidedSet([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item));
}

function objectOf(
  members: ReadonlyMap<string, Bound>,
  attributes: ReadonlyMap<string, Constraint>,
  scope: Scope,
): Decided {
  const made = new Map<string, Bound>();
  for (const [name, constraint] of attributes) {
    const given = members.get(name);
    if (given !== undefined) made.set(name, { ...given, constraint });
    else if (constraint.kind === "optional")
      made.set(name, { expression: constraint.default, scope, constraint: constraint.of });
    else return failed;
  }
  return decidedMap(made);
}
