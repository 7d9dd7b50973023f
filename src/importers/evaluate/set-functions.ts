/** Terraform's functions that combine lists and sets, for arguments that the files decide. */
import { setOf } from "./constraint.ts";
import { asNumber, asText, decidedList, decidedLiteral, decidedMap, failed } from "./decided.ts";
import { type Function_, MAX_ITEMS, type Place } from "./deciding.ts";
import { listed } from "./each-turn.ts";
import type { Bound, Decided } from "./scope.ts";

/** The texts of each list; undefined unless all are decided. */
function textsOf(args: readonly Decided[], { decide }: Place): (readonly string[])[] | undefined {
  const all: string[][] = [];
  for (const arg of args) {
    if (arg.kind !== "list") return undefined;
    const texts = arg.items.map((item) => {
      const one = decide(item);
      return one?.kind === "literal" && typeof one.value === "string" ? one.value : undefined;
    });
    if (!texts.every((text) => text !== undefined)) return undefined;
    all.push(texts);
  }
  return all;
}

function itemsOf(texts: readonly string[], { literal, scope }: Place): Bound[] {
  return texts.map((text) => literal(text, scope));
}

/** A set of the texts that `choose` takes from the given ones. */
const ofSets =
  (
    choose: (first: readonly string[], others: readonly ReadonlySet<string>[]) => string[],
  ): Function_ =>
  (args, place) => {
    const [first, ...others] = textsOf(args, place) ?? [];
    if (first === undefined) return undefined;
    const chosen = choose(
      first,
      others.map((texts) => new Set(texts)),
    );
    return setOf(itemsOf(chosen, place), place.decide);
  };

/** All combinations, the last list first. */
const setproduct: Function_ = (args, place) => {
  let made: (readonly Bound[])[] = [[]];
  for (const arg of args) {
    if (arg.kind !== "list" || made.length * arg.items.length > MAX_ITEMS) return undefined;
    if (!place.spend(made.length * arg.items.length * args.length)) return undefined;
    made = made.flatMap((before) => arg.items.map((item) => [...before, item]));
  }
  return args.length < 2 ? failed : decidedList(made.map((one) => listed(one, place.scope)));
};

const chunklist: Function_ = ([list, size], { scope }) => {
  const length = asNumber(size);
  if (list?.kind !== "list" || length === undefined) return undefined;
  if (!Number.isInteger(length) || length < 1) return failed;
  const count = Math.ceil(list.items.length / length);
  const chunks = Array.from({ length: count }, (_, at) =>
    listed(list.items.slice(at * length, (at + 1) * length), scope),
  );
  return decidedList(chunks);
};

/** The values whose keys are among the searched ones. */
const matchkeys: Function_ = ([values, ...others], place) => {
  const [keys, searched] = textsOf(others, place) ?? [];
  if (values?.kind !== "list" || keys === undefined || searched === undefined) return undefined;
  if (keys.length !== values.items.length) return failed;
  const wanted = new Set(searched);
  return decidedList(values.items.filter((_, at) => wanted.has(keys[at] ?? "")));
};

const index: Function_ = ([list, wanted], place) => {
  const [texts] = list === undefined ? [] : (textsOf([list], place) ?? []);
  const text = asText(wanted);
  if (texts === undefined || text === undefined) return undefined;
  const at = texts.indexOf(text);
  return at === -1 ? failed : decidedLiteral(at);
};

const sum: Function_ = ([list], { decide }) => {
  if (list?.kind !== "list") return undefined;
  const numbers = list.items.map((item) => asNumber(decide(item)));
  if (numbers.length === 0) return failed;
  const total = numbers.reduce((all: number, one) => all + (one ?? Number.NaN), 0);
  return Number.isSafeInteger(total) ? decidedLiteral(total) : undefined;
};

/** A map of lists, with the items as keys. */
const transpose: Function_ = ([map], place) => {
  if (map?.kind !== "map") return undefined;
  const found = new Map<string, Bound[]>();
  let items = 0;
  for (const [name, one] of [...map.members].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const list = place.decide(one);
    const [texts] = list === undefined ? [] : (textsOf([list], place) ?? []);
    items += texts?.length ?? 0;
    if (texts === undefined || items > MAX_ITEMS) return undefined;
    for (const text of texts) {
      const names = found.get(text) ?? [];
      found.set(text, names);
      names.push(place.literal(name, place.scope));
    }
  }
  return decidedMap(
    new Map([...found].map(([text, names]): [string, Bound] => [text, listed(names, place.scope)])),
  );
};

export const setFunctions: readonly (readonly [string, Function_])[] = [
  ["setunion", ofSets((first, others) => [first, ...others].flatMap((texts) => [...texts]))],
  [
    "setintersection",
    ofSets((first, others) => first.filter((text) => others.every((texts) => texts.has(text)))),
  ],
  ["setsubtract", ofSets((first, [other]) => first.filter((text) => other?.has(text) !== true))],
  ["setproduct", setproduct],
  ["chunklist", chunklist],
  ["matchkeys", matchkeys],
  ["index", index],
  ["sum", sum],
  ["transpose", transpose],
];
