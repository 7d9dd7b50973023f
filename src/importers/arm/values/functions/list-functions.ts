/** ARM's functions of lists and objects. Some of them take texts too. */
import {
  areEqual,
  type ArmType,
  call,
  isNull,
  itemOf,
  list,
  lowered,
  memberNamed,
  numberIn,
  textIn,
} from "#importers/arm/values/known-values.ts";
import { madeList, madeObject } from "#importers/arm/values/made-values.ts";
import { type Expression, literal, type Member } from "#importers/expression.ts";
import { type ArmFunction, type ArmFunctions, type CallPlace } from "./arm-function.ts";

const MAX_RANGE = 1_000;

const array: ArmFunction = ([of], { line, typeOf }) => {
  if (of === undefined) return undefined;
  const type = typeOf(of);
  if (type === "array") return of;
  if (type === "null") return undefined;
  return type === undefined ? call("arm:array", [of], line) : list([of]);
};

const contains: ArmFunction = ([container, item], { line, typeOf }) => {
  if (container === undefined || item === undefined) return undefined;
  if (container.kind === "list") {
    const found = new Set(container.items.map((one) => areEqual(one, item)));
    if (found.has(true)) return literal(true);
    if (!found.has(undefined)) return literal(false);
    return call("contains", [container, item], line);
  }
  const name = textIn(item) ?? (numberIn(item) === undefined ? undefined : String(numberIn(item)));
  if (container.kind === "object" && name !== undefined)
    return literal(memberNamed(container.members, name) !== undefined);
  const text = textIn(container);
  if (text !== undefined && name !== undefined) return literal(text.includes(name));
  const type = typeOf(container);
  if (type === "string") return call("arm:contains", [container, item], line);
  if (type === "array") return call("contains", [container, item], line);
  if (type === "object") return call("arm:hasKey", [container, lowered(item, line)], line);
  return call("arm:containsAny", [container, item, lowered(item, line)], line);
};

const length: ArmFunction = ([of], { line }) => {
  const known = of && sizeOf(of);
  return known === undefined ? of && call("length", [of], line) : literal(known);
};

function sizeOf(of: Expression): number | undefined {
  if (of.kind === "list") return of.items.length;
  if (of.kind === "object") return of.members.length;
  return textIn(of)?.length;
}

const empty: ArmFunction = ([of], { line, typeOf }) => {
  if (of === undefined) return undefined;
  if (isNull(of)) return literal(true);
  const known = sizeOf(of);
  if (known !== undefined) return literal(known === 0);
  // A text with a known part is not empty.
  if (of.kind === "text" && of.parts.some((part) => (textIn(part) ?? "") !== ""))
    return literal(false);
  if (typeOf(of) === "string") return call("==", [of, literal("")], line);
  return call("==", [call("length", [of], line), literal(0)], line);
};

/** The part of a text or list at one end. */
function end(at: "first" | "last"): ArmFunction {
  return ([of], { line, typeOf }) => {
    if (of === undefined) return undefined;
    if (of.kind === "list") return of.items.at(at === "first" ? 0 : -1) ?? literal(null);
    const text = textIn(of);
    if (text !== undefined) return literal(at === "first" ? text.slice(0, 1) : text.slice(-1));
    const type = typeOf(of);
    if (type === "array")
      return at === "first" ? call("[]", [of, literal(0)], line) : call("arm:last", [of], line);
    return type === "string"
      ? call(at === "first" ? "arm:take" : "arm:takeLast", [of, literal(1)], line)
      : call(at === "first" ? "arm:firstAny" : "arm:lastAny", [of], line);
  };
}

/** Bicep's `list[^1]` and `list[?^1]`. */
function fromEnd(isOptional: boolean): ArmFunction {
  return ([of, count], { line }) => {
    const number = numberIn(count);
    if (of === undefined || number === undefined || number < 1) return undefined;
    if (of.kind === "list") return of.items.at(-number) ?? (isOptional ? literal(null) : undefined);
    return call(isOptional ? "arm:tryFromEnd" : "arm:fromEnd", [of, literal(number)], line);
  };
}

function cut(kind: "take" | "skip"): ArmFunction {
  return ([of, count], { line, typeOf }) => {
    const number = numberIn(count);
    if (of === undefined || count === undefined) return undefined;
    if (number === undefined) {
      const type = typeOf(of);
      return call(`arm:${kind}${ofType(type)}`, [of, count], line);
    }
    const known = Math.max(0, number);
    if (of.kind === "list")
      return list(kind === "take" ? of.items.slice(0, known) : of.items.slice(known));
    const text = textIn(of);
    if (text !== undefined)
      return literal(kind === "take" ? text.slice(0, known) : text.slice(known));
    const type = typeOf(of);
    return call(`arm:${kind}${ofType(type)}`, [of, literal(known)], line);
  };
}

/** The form for texts, for lists, or for values of which only the deployment knows. */
function ofType(type: ArmType | undefined): string {
  return type === "string" ? "" : type === "array" ? "Items" : "Any";
}

const range: ArmFunction = ([start, count], { line, spend }) => {
  const from = numberIn(start);
  const known = numberIn(count);
  if (from === undefined || count === undefined) return undefined;
  if (known !== undefined)
    return known >= 0 && known <= MAX_RANGE && spend(known)
      ? list(Array.from({ length: known }, (_, at) => literal(from + at)))
      : undefined;
  const numbers = call("range", [count], line);
  if (from === 0) return numbers;
  const index = itemOf("index", line);
  return {
    kind: "for",
    names: ["index"],
    of: numbers,
    value: call("+", [index, literal(from)], line),
    isGrouped: false,
    line,
  };
};

const union: ArmFunction = (args, place) => {
  const { line, typeOf } = place;
  if (args.length === 0) return undefined;
  if (args.every((arg) => arg.kind === "list")) return unionOfLists(args, place);
  const given = args.filter((arg) => !isNull(arg));
  if (given.every((arg) => arg.kind === "object"))
    return given.reduce<Expression | undefined>(
      (one, other) => one && mergedObjects(one, other, place),
      given[0] ?? literal(null),
    );
  const types = new Set(given.map(typeOf));
  if (types.has("array")) return call("distinct", [call("concat", given, line)], line);
  // `merge` replaces nested objects, which ARM merges.
  const isFlat = given.filter((arg) => !hasScalarsAlone(arg)).length <= 1;
  return types.has("object") && isFlat ? call("merge", given, line) : undefined;
};

function unionOfLists(
  args: readonly Expression[],
  { line, spend }: CallPlace,
): Expression | undefined {
  const items: Expression[] = [];
  let isOpen = false;
  for (const item of args.flatMap((arg) => (arg.kind === "list" ? arg.items : []))) {
    if (!spend(items.length)) return undefined;
    const found = new Set(items.map((one) => areEqual(one, item)));
    if (found.has(true)) continue;
    isOpen ||= found.has(undefined);
    items.push(item);
  }
  return isOpen ? call("distinct", [list(items)], line) : list(items);
}

/** ARM merges nested objects too. Undefined: the budget is spent. */
function mergedObjects(
  one: Expression,
  other: Expression,
  place: CallPlace,
): Expression | undefined {
  if (one.kind !== "object" || other.kind !== "object") return other;
  const members = new Map<string, Member>(one.members.map((at) => [at.name.toLowerCase(), at]));
  for (const member of other.members) {
    const key = member.name.toLowerCase();
    const before = members.get(key);
    const merged = before && mergedObjects(before.value, member.value, place);
    if (!place.spend(1) || (before !== undefined && merged === undefined)) return undefined;
    members.set(
      key,
      before === undefined || merged === undefined ? member : { ...before, value: merged },
    );
  }
  return { kind: "object", members: [...members.values()] };
}

/** Whether no member of an object is an object. Tags are texts. */
function hasScalarsAlone(of: Expression): boolean {
  if (of.kind === "object")
    return of.members.every(({ value }) => value.kind === "literal" || value.kind === "text");
  return of.kind === "reference" && /tags$/i.test(String(of.path.at(-1) ?? nameOf(of)));
}

function nameOf({ target }: Extract<Expression, { kind: "reference" }>): string {
  return target.kind === "resource" ? target.address : target.name;
}

const shallowMerge: ArmFunction = ([objects], { line }) => {
  if (objects?.kind !== "list") return undefined;
  const { items } = objects;
  if (!items.every((item) => item.kind === "object"))
    return items.length === 0 ? undefined : call("merge", items, line);
  const members = new Map<string, Member>();
  for (const item of items)
    for (const member of item.kind === "object" ? item.members : [])
      members.set(member.name.toLowerCase(), member);
  return { kind: "object", members: [...members.values()] };
};

const intersection: ArmFunction = (args, { spend }) => {
  const [first, ...others] = args;
  if (first?.kind === "list" && others.every((one) => one.kind === "list")) {
    const kept: Expression[] = [];
    for (const item of first.items) {
      const found = new Set(
        others.map((one) => {
          const all = one.kind === "list" ? one.items : [];
          const equal = new Set(
            spend(all.length) ? all.map((at) => areEqual(at, item)) : [undefined],
          );
          return equal.has(true) ? true : equal.has(undefined) ? undefined : false;
        }),
      );
      if (found.has(false)) continue;
      if (found.has(undefined)) return undefined;
      if (!spend(kept.length)) return undefined;
      if (!kept.some((one) => areEqual(one, item) === true)) kept.push(item);
    }
    return list(kept);
  }
  if (first?.kind !== "object" || !others.every((one) => one.kind === "object")) return undefined;
  const members: Member[] = [];
  for (const member of first.members) {
    const found = new Set(
      others.map((one) => {
        const other = one.kind === "object" ? memberNamed(one.members, member.name) : undefined;
        return other === undefined ? false : areEqual(other.value, member.value);
      }),
    );
    if (found.has(undefined)) return undefined;
    if (!found.has(false)) members.push(member);
  }
  return { kind: "object", members };
};

function position(at: "first" | "last"): ArmFunction {
  return ([of, item], { line, typeOf }) => {
    if (of === undefined || item === undefined) return undefined;
    if (of.kind === "list") {
      const found = of.items.map((one) => areEqual(one, item));
      if (found.includes(undefined)) return undefined;
      return literal(at === "first" ? found.indexOf(true) : found.lastIndexOf(true));
    }
    const text = textIn(of)?.toLowerCase();
    const part = textIn(item)?.toLowerCase();
    if (text !== undefined && part !== undefined)
      return literal(at === "first" ? text.indexOf(part) : text.lastIndexOf(part));
    const name = at === "first" ? "arm:indexOf" : "arm:lastIndexOf";
    return typeOf(of) === "string"
      ? call(name, [lowered(of, line), lowered(item, line)], line)
      : undefined;
  };
}

function extreme(name: "max" | "min"): ArmFunction {
  return (args, { line }) => {
    const [first] = args;
    const items = args.length === 1 && first?.kind === "list" ? first.items : args;
    const numbers = items.map(numberIn);
    if (numbers.length > 0 && numbers.length < MAX_RANGE && !numbers.includes(undefined))
      return literal(Math[name](...numbers.filter((one) => one !== undefined)));
    return items.length === 2 ? call(name, items, line) : undefined;
  };
}

const createObject: ArmFunction = (args, { line }) => {
  const members = new Map<string, Member>();
  for (let at = 0; at < args.length; at += 2) {
    const name = textIn(args[at]);
    const value = args[at + 1];
    if (value === undefined) return undefined;
    // The names of the members are computed.
    if (name === undefined) return call("arm:createObject", args, line);
    members.set(name, { name, value, line });
  }
  return madeObject([...members.values()], line);
};

const objectKeys: ArmFunction = ([of], { line }) => {
  if (of?.kind === "object") return list(of.members.map(({ name }) => literal(name)));
  return of && call("keys", [of], line);
};

/** The members of an object as pairs, by their names. */
const items: ArmFunction = ([of], { line }) => {
  if (of?.kind === "object")
    return list(
      of.members
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, value }) => pair(literal(name), value, line)),
    );
  if (of === undefined) return undefined;
  return {
    kind: "for",
    names: ["name", "one"],
    of,
    value: pair(itemOf("name", line), itemOf("one", line), line),
    isGrouped: false,
    line,
  };
};

function pair(key: Expression, value: Expression, line: number): Expression {
  return {
    kind: "object",
    members: [
      { name: "key", value: key, line },
      { name: "value", value, line },
    ],
  };
}

const flatten: ArmFunction = ([of], { line }) => {
  if (of?.kind === "list" && of.items.every((item) => item.kind === "list"))
    return list(of.items.flatMap((item) => (item.kind === "list" ? item.items : [item])));
  return of && call("arm:flatten", [of], line);
};

export const listFunctions: ArmFunctions = [
  ["array", array],
  ["contains", contains],
  ["createarray", (args, { line }) => madeList(args, line)],
  ["createobject", createObject],
  ["empty", empty],
  ["first", end("first")],
  ["flatten", flatten],
  ["indexfromend", fromEnd(false)],
  ["indexof", position("first")],
  ["intersection", intersection],
  ["items", items],
  ["last", end("last")],
  ["lastindexof", position("last")],
  ["length", length],
  ["max", extreme("max")],
  ["min", extreme("min")],
  ["objectkeys", objectKeys],
  ["range", range],
  ["shallowmerge", shallowMerge],
  ["skip", cut("skip")],
  ["take", cut("take")],
  ["tryindexfromend", fromEnd(true)],
  ["union", union],
];
