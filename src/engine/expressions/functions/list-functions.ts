import {
  type Call,
  type FunctionEntry,
  list,
  listAt,
  map,
  numberAt,
  placeAt,
  refused,
  text,
  whole,
} from "#engine/expressions/function-entry.ts";
import { order } from "#engine/expressions/values/equality.ts";
import { measure } from "#engine/expressions/values/measure.ts";
import { isSealed } from "#engine/expressions/values/outcome.ts";
import { sealedValue } from "#engine/expressions/values/sealed-value.ts";
import { isMap, Secret, Unknown, unknown, unknownOf, type Value } from "#engine/value.ts";
import { canonicalJson, type Json } from "#platform/json.ts";
import { countCharacters } from "./characters.ts";

const method = { style: "method", reads: "outside", sealed: "inside", result: list } as const;
const receiver = { name: "list", types: list } as const;

const MAX_RANGE = 10_000;

export const listFunctions: readonly FunctionEntry[] = [
  {
    name: "size",
    style: "method or function",
    parameters: [{ name: "value", types: [...text, ...list, ...map] }],
    result: whole,
    description: "The number of characters, items or members.",
    reads: "outside",
    sealed: "inside",
    template: { name: "length", order: "one" },
    evaluate: ({ values: [value = null] }) => {
      if (typeof value === "string") return countCharacters(value);
      if (Array.isArray(value)) return value.length;
      return isMap(value) ? Object.keys(value).length : unknownOf("integer");
    },
  },
  {
    ...method,
    name: "sort",
    parameters: [receiver],
    description: "The list in order; its items are all numbers, all strings or all booleans.",
    reads: "whole",
    sealed: "refused",
    cost: "A unit for each comparison of items, about items times their logarithm.",
    evaluate: sort,
  },
  {
    ...method,
    name: "distinct",
    parameters: [receiver],
    description: "The list without repeated items; the first of equal ones stays.",
    reads: "whole",
    sealed: "refused",
    evaluate: (call) => {
      const seen = new Set<string>();
      return listAt(call, 0).filter((item) => {
        const key = canonicalJson(item as Json);
        if (seen.has(key)) return false;
        seen.add(key);
        return true;
      });
    },
  },
  {
    ...method,
    name: "flatten",
    passesItems: true,
    parameters: [receiver, { name: "levels", types: whole, optional: true }],
    description: "The list with the items of its lists in their place, one level deep or more.",
    evaluate: flatten,
  },
  {
    ...method,
    name: "slice",
    passesItems: true,
    parameters: [receiver, { name: "start", types: whole }, { name: "end", types: whole }],
    description: "The items from one position up to another one.",
    evaluate: (call) => {
      const items = listAt(call, 0);
      const [start, end] = [numberAt(call, 1) ?? 0, numberAt(call, 2) ?? 0];
      if (start < 0 || start > end || end > items.length)
        throw refused(call, 1, "takes positions within the list, in order.");
      return items.slice(start, end);
    },
  },
  {
    ...method,
    name: "reverse",
    passesItems: true,
    parameters: [{ name: "value", types: [...list, ...text] }],
    result: [...list, ...text],
    description: "The list or the text from its end to its start.",
    evaluate: ({ values: [value = null], budget, at }) => {
      if (Array.isArray(value)) return value.toReversed();
      if (typeof value !== "string") return unknown;
      budget.spend(Math.ceil(value.length / 4), at);
      return Array.from(value).reverse().join("");
    },
  },
  {
    name: "lists.range",
    style: "function",
    parameters: [{ name: "count", types: whole }],
    result: list,
    description: "The whole numbers from 0 up to a count.",
    reads: "outside",
    sealed: "refused",
    evaluate: (call) => {
      const count = numberAt(call, 0) ?? 0;
      if (count < 0 || count > MAX_RANGE)
        throw refused(call, 0, `takes a number from 0 to ${MAX_RANGE}.`);
      call.budget.spend(count, call.at);
      return Array.from({ length: count }, (_, index) => index);
    },
  },
  {
    name: "select",
    passesItems: true,
    style: "method",
    parameters: [receiver, { name: "index", types: whole }],
    description: "The item at an index, as `list[index]`.",
    reads: "outside",
    sealed: "inside",
    template: { name: "select", order: [1, 0] },
    evaluate: (call) => {
      const item = listAt(call, 0)[numberAt(call, 1) ?? -1];
      if (item === undefined) throw refused(call, 1, "takes an index within the list.");
      return item;
    },
  },
  {
    name: "singleOrNone",
    passesItems: true,
    style: "method",
    parameters: [receiver],
    description: "The only item of the list; null if it is empty.",
    reads: "outside",
    sealed: "inside",
    template: { name: "singleOrNone", order: "one" },
    evaluate: (call) => {
      const items = listAt(call, 0);
      if (items.length > 1) throw refused(call, 0, "takes a list of at most one item.");
      return items[0] ?? null;
    },
  },
];

function sort(call: Call): Value {
  const items = listAt(call, 0);
  const [first] = items;
  for (const item of items)
    if (typeof item !== typeof first || !["number", "string", "boolean"].includes(typeof item))
      throw refused(call, 0, "takes items that are all numbers, all strings or all booleans.");
  const { size } = measure([...items]);
  call.budget.spend(items.length * Math.ceil(Math.log2(items.length + 1)), call.at);
  call.budget.spendOnCharacters(size * Math.ceil(Math.log2(items.length + 1)), call.at);
  return items.toSorted((a, b) =>
    typeof a === "string" && typeof b === "string" ? order(a, b) : Number(a) - Number(b),
  );
}

function flatten(call: Call): Value {
  const levels = numberAt(call, 1) ?? 1;
  if (levels < 0) throw refused(call, 1, "takes a number of levels that is not negative.");
  const items: Value[] = [];
  let open = false;
  const add = (list: readonly Value[], left: number): void => {
    call.budget.spend(list.length, call.at);
    for (const item of list) {
      if (left === 0) {
        items.push(item);
        continue;
      }
      // Whether it is a list shows in the result.
      if (isSealed(item)) throw sealedValue("`flatten`", placeAt(call, 0));
      const bare = item instanceof Secret ? item.value : item;
      if (bare instanceof Unknown) open = true;
      else if (Array.isArray(bare))
        add(item instanceof Secret ? bare.map((one) => new Secret(one, item)) : bare, left - 1);
      else items.push(item);
    }
  };
  add(listAt(call, 0), levels);
  return open ? unknownOf("array") : items;
}
