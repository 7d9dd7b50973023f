import { type FunctionEntry, list, map } from "#engine/expressions/function-entry.ts";
import { sortedKeys } from "#engine/expressions/values/sorted-keys.ts";
import { isMap, PartlyKnown, unknownOf, type Value } from "#engine/value.ts";

const method = { style: "method", reads: "outside", sealed: "inside" } as const;
const receiver = { name: "map", types: map } as const;
const COST = "A unit for each entry.";

export const mapFunctions: readonly FunctionEntry[] = [
  {
    ...method,
    name: "keys",
    parameters: [receiver],
    result: list,
    description: "The keys of the map in order.",
    cost: COST,
    evaluate: ({ values: [value = null], budget, at }) => {
      if (!isMap(value)) return unknownOf("array");
      const keys = sortedKeys(value);
      budget.spend(keys.length, at);
      return keys;
    },
  },
  {
    ...method,
    name: "values",
    passesItems: true,
    parameters: [receiver],
    result: list,
    description: "The members of the map in the order of their keys.",
    cost: COST,
    evaluate: ({ values: [value = null], budget, at }) => {
      if (!isMap(value)) return unknownOf("array");
      const keys = sortedKeys(value);
      budget.spend(keys.length, at);
      return keys.map((key) => value[key] ?? null);
    },
  },
  {
    ...method,
    name: "merge",
    passesItems: true,
    parameters: [receiver, { name: "other", types: map }],
    result: map,
    description: "The members of both maps; of equal keys, the member of the second one.",
    partly: true,
    cost: COST,
    evaluate: ({ values: [first = null, second = null] }) => merge(first, second),
  },
];

/** An unknown key of the second map may be any key of the first. */
function merge(first: Value, second: Value): Value {
  if (second instanceof PartlyKnown) return new PartlyKnown(second.known, second.later);
  if (!isMap(second)) return unknownOf("object");
  if (isMap(first)) return joined(first, second);
  if (!(first instanceof PartlyKnown)) return unknownOf("object");
  return new PartlyKnown(joined(first.known, second), first.later);
}

function joined(first: { [key: string]: Value }, second: { [key: string]: Value }) {
  return Object.fromEntries([...Object.entries(first), ...Object.entries(second)]);
}
