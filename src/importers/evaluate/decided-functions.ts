/** Terraform's operators and functions, for arguments that the files decide. */
import { addressIn, blocksInTurn, netmaskOf, subBlock } from "./address-blocks.ts";
import { setOf } from "./constraint.ts";
import {
  asNumber,
  asText,
  asTruth,
  decidedList,
  decidedLiteral,
  decidedMap,
  failed,
  unnamed,
} from "./decided.ts";
import {
  type Deciding,
  type Function_,
  MAX_ITEMS,
  MAX_TEXT,
  Metered,
  type Place,
  stepsOf,
  stepsOfText,
} from "./deciding.ts";
import { digests } from "./digests.ts";
import { parsedText } from "./json-text.ts";
import type { Bound, Decided, Literal, Scope } from "./scope.ts";
import { setFunctions } from "./set-functions.ts";
import { ofTexts, textFunctions } from "./text-functions.ts";
import { partsOfText, regex, regexall, replace } from "./text-patterns.ts";

/** The maximum number of parts of a split text. */
const MAX_PARTS = MAX_ITEMS;

/** The value of a call. Undefined: it is open, or the function is not known here. */
export function callDecided(
  name: string,
  args: readonly Decided[],
  scope: Scope,
  deciding: Deciding,
): Decided | undefined {
  const compute = functions.get(name);
  const read = args.reduce((steps, arg) => steps + stepsOf(arg), args.length);
  // Spent before the call: `concat` of many copies of a list would copy all of them.
  if (compute === undefined || !deciding.spend(read)) return undefined;
  const place = new Metered(scope, deciding);
  const made = compute(args, place);
  if (!place.spend(stepsOf(made))) return undefined;
  if (made?.kind === "list" && made.items.length > MAX_ITEMS) return undefined;
  if (made?.kind === "literal" && typeof made.value === "string" && made.value.length > MAX_TEXT)
    return undefined;
  return made;
}

/** A number with at most six decimals, which is as exact as in the source's tool. */
function exact(number: number): Decided | undefined {
  const scaled = number * 1e6;
  return Number.isSafeInteger(scaled) ? decidedLiteral(number) : undefined;
}

const ofNumbers =
  (compute: (...numbers: number[]) => number | boolean | undefined): Function_ =>
  (args) => {
    const numbers = args.map(asNumber).filter((one) => one !== undefined);
    if (numbers.length !== args.length) return undefined;
    const made = compute(...numbers);
    if (made === undefined) return failed;
    return typeof made === "number" ? exact(made) : decidedLiteral(made);
  };

const same: Function_ = ([only]) => only;

const tolist: Function_ = ([of]) => (of?.kind === "list" ? decidedList(of.items) : of);

function isSame(one: Decided | undefined, other: Decided | undefined): boolean | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (isNull(one) || isNull(other)) return isNull(one) && isNull(other);
  if (one.kind !== "literal" || other.kind !== "literal") return undefined;
  // The conversion between two types in a comparison is not known here.
  return typeof one.value === typeof other.value ? one.value === other.value : undefined;
}

function isNull(of: Decided): boolean {
  return of.kind === "literal" && of.value === null;
}

const equal =
  (isWanted: boolean): Function_ =>
  ([one, other]) => {
    const found = isSame(one, other);
    return found === undefined ? undefined : decidedLiteral(found === isWanted);
  };

const logical =
  (compute: (one: boolean, other: boolean) => boolean): Function_ =>
  (args) => {
    const [one, other] = args.map(asTruth);
    return one === undefined || other === undefined
      ? undefined
      : decidedLiteral(compute(one, other));
  };

const length: Function_ = ([of]) => {
  if (of?.kind === "list") return decidedLiteral(of.items.length);
  if (of?.kind === "map") return decidedLiteral(of.members.size);
  const text = asText(of);
  // In other texts the numbers of letters and characters differ.
  return text !== undefined && /^[\x20-\x7e]*$/.test(text)
    ? decidedLiteral(text.length)
    : undefined;
};

const contains: Function_ = ([list, wanted], { decide }) => {
  if (list?.kind !== "list" || wanted?.kind !== "literal") return undefined;
  const found = new Set(list.items.map((item) => isSame(decide(item), wanted)));
  if (found.has(true)) return decidedLiteral(true);
  return found.has(undefined) ? undefined : decidedLiteral(false);
};

function listsIn(args: readonly Decided[]): (readonly Bound[])[] | undefined {
  const lists = args.flatMap((arg) => (arg.kind === "list" ? [arg.items] : []));
  return lists.length === args.length ? lists : undefined;
}

/** The texts of a list; undefined unless all items are decided. */
function textsIn(of: Decided | undefined, { decide }: Place): string[] | undefined {
  if (of?.kind !== "list") return undefined;
  const texts = of.items.map((item) => asText(decide(item))).filter((one) => one !== undefined);
  return texts.length === of.items.length ? texts : undefined;
}

const concat: Function_ = (args) => {
  const lists = listsIn(args);
  return lists && decidedList(lists.flat());
};

/** Attributes that are single texts. */
const textAttribute = /^(?:id|arn|name|self_link|json)$/;

const flatten: Function_ = ([of], { decide, attribute }) => {
  if (of?.kind !== "list") return undefined;
  const flat: Bound[] = [];
  const waiting = of.items.toReversed();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const one = decide(at);
    if (flat.length + waiting.length > MAX_ITEMS) return undefined;
    if (one === undefined && !textAttribute.test(String(attribute(at)))) return undefined;
    if (one?.kind === "list") for (const item of one.items.toReversed()) waiting.push(item);
    else flat.push(at);
  }
  return decidedList(flat);
};

const compact: Function_ = ([of], { decide, attribute }) => {
  if (of?.kind !== "list") return undefined;
  const kept: Bound[] = [];
  for (const item of of.items) {
    const one = decide(item);
    if (one === undefined && attribute(item) === undefined) return undefined;
    if (one?.kind !== "literal" || (one.value !== null && one.value !== "")) kept.push(item);
  }
  return decidedList(kept);
};

const distinct: Function_ = ([of], { decide }) => {
  if (of?.kind !== "list") return undefined;
  const found = new Map<Literal, Bound>();
  for (const item of of.items) {
    const one = decide(item);
    if (one?.kind !== "literal") return undefined;
    if (!found.has(one.value)) found.set(one.value, item);
  }
  return decidedList([...found.values()]);
};

const toset: Function_ = ([of], { decide }) =>
  of?.kind === "list" ? setOf(of.items, decide) : undefined;

function sortedKeys(of: Decided | undefined): string[] | undefined {
  return of?.kind === "map" ? [...of.members.keys()].toSorted() : undefined;
}

const keys: Function_ = ([of], { literal, scope }) => {
  const names = sortedKeys(of);
  return names && decidedList(names.map((name) => literal(name, scope)));
};

const values: Function_ = ([of], { decide }) => {
  if (of?.kind !== "map") return undefined;
  const members = [...of.members].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return decidedList(members.map(([name, one]) => unnamed(name, one, decide)));
};

const zipmap: Function_ = ([names, items], place) => {
  const texts = textsIn(names, place);
  if (texts === undefined || items?.kind !== "list") return undefined;
  if (texts.length !== items.items.length) return failed;
  return decidedMap(new Map(items.items.map((item, at) => [texts[at] ?? "", item])));
};

const merge: Function_ = (args) => {
  const members = new Map<string, Bound>();
  for (const arg of args) {
    if (isNull(arg)) continue;
    if (arg.kind !== "map") return undefined;
    for (const [name, one] of arg.members) members.set(name, one);
  }
  return members.size > MAX_ITEMS ? undefined : decidedMap(members);
};

const coalesceList: Function_ = (args) =>
  args.find((arg) => arg.kind === "list" && arg.items.length > 0) ??
  (listsIn(args) === undefined ? undefined : failed);

const slice: Function_ = ([of, ...ends]) => {
  const [start, end] = ends.map(asNumber);
  if (of?.kind !== "list" || start === undefined || end === undefined) return undefined;
  const isWithin = start >= 0 && start <= end && end <= of.items.length;
  return isWithin ? decidedList(of.items.slice(start, end)) : failed;
};

const reverse: Function_ = ([of]) =>
  of?.kind === "list" ? decidedList(of.items.toReversed()) : undefined;

const sort: Function_ = ([of], place) => {
  const texts = textsIn(of, place);
  if (texts === undefined) return undefined;
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  // The cost of comparisons: texts with a common start are compared to its end.
  if (!place.spend(stepsOfText(characters) * Math.ceil(Math.log2(texts.length + 1))))
    return undefined;
  return decidedList(texts.toSorted().map((text) => place.literal(text, place.scope)));
};

/** `range(end)`, `range(start, end)`, `range(start, end, step)`. */
const range: Function_ = (args, { literal, scope }) => {
  const numbers = args.map(asNumber);
  const [first, second, third] = numbers;
  if (first === undefined || numbers.includes(undefined)) return undefined;
  const [start, end] = second === undefined ? [0, first] : [first, second];
  const step = third ?? (end < start ? -1 : 1);
  const count = Math.ceil((end - start) / step);
  if (step === 0 || count > MAX_ITEMS) return undefined;
  const items = Array.from({ length: Math.max(0, count) }, (_, at) => start + at * step);
  return decidedList(items.map((number) => literal(number, scope)));
};

const join: Function_ = ([separator, list], place) => {
  const between = asText(separator);
  const texts = textsIn(list, place);
  if (between === undefined || texts === undefined) return undefined;
  const length = texts.reduce((sum, text) => sum + text.length + between.length, 0);
  return length > 2 * MAX_TEXT ? undefined : decidedLiteral(texts.join(between));
};

const split: Function_ = (args, { literal, scope, spend }) => {
  const [separator, text] = args.map(asText);
  if (separator === undefined || separator === "" || text === undefined) return undefined;
  const parts = partsOfText(text, separator, spend);
  if (parts === undefined || parts > MAX_PARTS) return undefined;
  return decidedList(text.split(separator).map((part) => literal(part, scope)));
};

const contained: Function_ = (args, { spend }) => {
  const [text, part] = args.map(asText);
  if (text === undefined || part === undefined || args.length !== 2) return undefined;
  return part === ""
    ? decidedLiteral(true)
    : truthOf(partsOfText(text, part, spend), (parts) => parts > 1);
};

function truthOf(of: number | undefined, told: (number: number) => boolean): Decided | undefined {
  return of === undefined ? undefined : decidedLiteral(told(of));
}

const truthOfAll =
  (isEvery: boolean): Function_ =>
  ([of], { decide }) => {
    if (of?.kind !== "list") return undefined;
    const truths = new Set(of.items.map((item) => asTruth(decide(item))));
    if (truths.has(!isEvery)) return decidedLiteral(!isEvery);
    return truths.has(undefined) ? undefined : decidedLiteral(isEvery);
  };

const subnet: Function_ = ([block, ...rest]) => {
  const [bits, number] = rest.map(asNumber);
  const around = asText(block);
  if (around === undefined || bits === undefined || number === undefined) return undefined;
  const found = subBlock(around, bits, number);
  return found === undefined ? undefined : decidedLiteral(found);
};

const host: Function_ = ([block, number]) => {
  const [around, at] = [asText(block), asNumber(number)];
  const found = around === undefined || at === undefined ? undefined : addressIn(around, at);
  return found === undefined ? undefined : decidedLiteral(found);
};

const subnets: Function_ = ([block, ...rest], { literal, scope }) => {
  const around = asText(block);
  const bits = rest.map(asNumber).filter((one) => one !== undefined);
  if (around === undefined || bits.length < rest.length) return undefined;
  const found = blocksInTurn(around, bits);
  return found && decidedList(found.map((one) => literal(one, scope)));
};

const netmask: Function_ = ([block]) => {
  const around = asText(block);
  const found = around === undefined ? undefined : netmaskOf(around);
  return found === undefined ? undefined : decidedLiteral(found);
};

/** Undefined: the text is not a list or object, or is too large. */
const fromJson: Function_ = ([of], { decide, scope, spend }) => {
  if (of?.kind !== "literal" || of.value === null) return failed;
  // Every other character may be a value.
  if (!spend(String(of.value).length)) return undefined;
  const read = parsedText(of, 1);
  return read && decide({ expression: read, scope });
};

const toNumber: Function_ = ([of]) => {
  if (of !== undefined && isNull(of)) return of;
  const number = asNumber(of);
  return number === undefined ? undefined : decidedLiteral(number);
};

const toBool: Function_ = ([of]) => {
  if (of !== undefined && isNull(of)) return of;
  const truth = asTruth(of);
  return truth === undefined ? undefined : decidedLiteral(truth);
};

const toText: Function_ = ([of]) => {
  if (of !== undefined && isNull(of)) return of;
  const text = asText(of);
  return text === undefined ? undefined : decidedLiteral(text);
};

const negate = ofNumbers((one = 0, other) => (other === undefined ? -one : one - other));

/** The evaluated functions and operators. {@link callDecided} spends the steps for all of them. */
export const functions: ReadonlyMap<string, Function_> = new Map<string, Function_>([
  ["==", equal(true)],
  ["!=", equal(false)],
  ["&&", logical((one, other) => one && other)],
  ["||", logical((one, other) => one || other)],
  [
    "!",
    ([of]) => {
      const truth = asTruth(of);
      return truth === undefined ? undefined : decidedLiteral(!truth);
    },
  ],
  ["<", ofNumbers((one = 0, other = 0) => one < other)],
  ["<=", ofNumbers((one = 0, other = 0) => one <= other)],
  [">", ofNumbers((one = 0, other = 0) => one > other)],
  [">=", ofNumbers((one = 0, other = 0) => one >= other)],
  ["+", ofNumbers((one = 0, other = 0) => one + other)],
  ["-", negate],
  ["*", ofNumbers((one = 0, other = 0) => one * other)],
  ["/", ofNumbers((one = 0, other = 0) => (other === 0 ? undefined : one / other))],
  ["%", ofNumbers((one = 0, other = 0) => (other === 0 ? undefined : one % other))],
  ["min", ofNumbers((...all) => (all.length === 0 ? undefined : Math.min(...all)))],
  ["max", ofNumbers((...all) => (all.length === 0 ? undefined : Math.max(...all)))],
  ["abs", ofNumbers((one = 0) => Math.abs(one))],
  ["ceil", ofNumbers((one = 0) => Math.ceil(one))],
  ["floor", ofNumbers((one = 0) => Math.floor(one))],
  ["length", length],
  ["contains", contains],
  ["concat", concat],
  ["flatten", flatten],
  ["compact", compact],
  ["distinct", distinct],
  ["toset", toset],
  ["tolist", tolist],
  ["tomap", same],
  ["tonumber", toNumber],
  ["tobool", toBool],
  ["tostring", toText],
  ["keys", keys],
  ["values", values],
  ["zipmap", zipmap],
  ["merge", merge],
  ["coalescelist", coalesceList],
  ["slice", slice],
  ["reverse", reverse],
  ["sort", sort],
  ["range", range],
  ["jsondecode", fromJson],
  ["join", join],
  ["split", split],
  ["replace", replace],
  ["regex", regex],
  ["regexall", regexall],
  ["strcontains", contained],
  ["alltrue", truthOfAll(true)],
  ["anytrue", truthOfAll(false)],
  ["cidrsubnet", subnet],
  ["cidrhost", host],
  ["cidrsubnets", subnets],
  ["cidrnetmask", netmask],
  ["nonsensitive", same],
  ["pow", ofNumbers((one = 0, other = 0) => one ** other)],
  ["signum", ofNumbers((one = 0) => Math.sign(one))],
  ...textFunctions,
  ...setFunctions,
  ...[...digests].map(([name, digest]) => [name, ofTexts(digest)] as const),
]);
