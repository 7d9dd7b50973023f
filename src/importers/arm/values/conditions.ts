/** The conditions of a resource: its own, and those of the resources and deployments around it. */
import type { Expression } from "#importers/expression.ts";
import { keyOf } from "./arm-names.ts";
import { call } from "./known-values.ts";
import { readsLoop } from "./open-loops.ts";

/** All of them hold. Resources without a condition of their own share the list of those around them. */
export type Conditions = readonly Expression[];

/** More conditions are one, which no reader is known to have: each resource below repeats them. */
const MAX_CONDITIONS = 20;

/** The conditions with one more. The sides of `and` are conditions of their own. */
export function withCondition(before: Conditions, condition: Expression): Conditions {
  const sides: Expression[] = [];
  const waiting = [condition];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (before.length + sides.length + waiting.length > MAX_CONDITIONS)
      return [[...before, condition].reduce((one, other) => call("&&", [one, other], 0))];
    if (next.kind === "call" && next.name === "&&") waiting.push(...next.args.toReversed());
    else sides.push(next);
  }
  const keys = new Set(before.map(keyOf));
  return [...before, ...sides.filter((side) => !keys.has(keyOf(side) ?? UNKNOWN))];
}

/** The key of a condition that no reader is known to have. */
const UNKNOWN = "?";

/** The keys of the conditions, by which readers know that they hold. */
export function keysOf(conditions: Conditions): readonly string[] {
  const known = keys.get(conditions);
  if (known !== undefined) return known;
  const made = conditions.map((one) => keyOf(one) ?? UNKNOWN);
  keys.set(conditions, made);
  return made;
}

const keys = new WeakMap<Conditions, readonly string[]>();

/** The conditions that hold in a place, with those of a resource in it. */
export function withKeys(
  holds: ReadonlySet<string> | undefined,
  conditions: Conditions,
): ReadonlySet<string> {
  const added = keysOf(conditions).filter((key) => key !== UNKNOWN && holds?.has(key) !== true);
  return holds !== undefined && added.length === 0 ? holds : new Set([...(holds ?? []), ...added]);
}

/** One condition for all objects of a resource, and one that differs from one object of its loops to the next. */
export interface Parted {
  same: Expression | undefined;
  differing: Expression | undefined;
}

export function partedConditions(conditions: Conditions, line: number): Parted {
  const known = parted.get(conditions);
  if (known !== undefined) return known;
  const differing = conditions.filter(readsLoop);
  const others = conditions.filter((one) => !differing.includes(one));
  const made = { same: allOf(others, line), differing: allOf(differing, line) };
  parted.set(conditions, made);
  return made;
}

const parted = new WeakMap<Conditions, Parted>();

function allOf(conditions: Conditions, line: number): Expression | undefined {
  const [first, ...others] = conditions;
  return first && others.reduce((one, other) => call("&&", [one, other], line), first);
}
