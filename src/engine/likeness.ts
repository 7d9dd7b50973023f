/** Whether two values mean the same to a cloud, by the facts of a type. */
import { canonicalJson, isJsonMap, type Json } from "#platform/json.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { PathSet } from "./path-set.ts";

export interface Likeness {
  /** Paths that are not compared: never shown, or set by the cloud. */
  hidden: PathSet;
  caseInsensitive: PathSet;
  /** Texts of which the cloud shows more than was sent. */
  floating: PathSet;
  /** Lists without order; `all`: no list has an order. */
  sets: PathSet | "all";
}

/** The likeness of a cloud's values and those sent to it. In a type that names no sets, any list may be one. */
export function shownLikeness({
  writeOnly = [],
  readOnly = [],
  caseInsensitive,
  floating,
  sets,
}: Partial<
  Pick<TypeFacts, "writeOnly" | "readOnly" | "caseInsensitive" | "floating" | "sets">
>): Likeness {
  return {
    hidden: PathSet.of([...writeOnly, ...readOnly]),
    caseInsensitive: PathSet.of(caseInsensitive),
    floating: PathSet.of(floating),
    sets: sets === undefined ? "all" : PathSet.of(sets),
  };
}

/** The likeness of two sent values: only a list that is known to be a set has no order. */
export function sentLikeness({
  caseInsensitive,
  sets,
}: Partial<Pick<TypeFacts, "caseInsensitive" | "sets">>): Likeness {
  return {
    hidden: PathSet.none,
    caseInsensitive: PathSet.of(caseInsensitive),
    floating: PathSet.none,
    sets: PathSet.of(sets),
  };
}

/** The likeness below a key or an item. */
export function likenessAt(likeness: Likeness, segment: string | number): Likeness {
  const { hidden, caseInsensitive, floating, sets } = likeness;
  return {
    hidden: hidden.at(segment),
    caseInsensitive: caseInsensitive.at(segment),
    floating: floating.at(segment),
    sets: sets === "all" ? sets : sets.at(segment),
  };
}

/** Whether a list with this likeness has no order. */
export function isSet({ sets }: Likeness): boolean {
  return sets === "all" || sets.here;
}

/** Canonical JSON, equal for values that mean the same: a null member means none. */
export function meaningOf(value: Json, likeness: Likeness): string {
  return canonicalJson(normal(value, likeness));
}

function normal(value: Json, likeness: Likeness): Json {
  if (typeof value === "string") return likeness.caseInsensitive.here ? value.toLowerCase() : value;
  if (Array.isArray(value)) {
    const items = value.map((item, at) => normal(item, likenessAt(likeness, at)));
    return isSet(likeness) ? sorted(items) : items;
  }
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, Json][] => {
      const below = likenessAt(likeness, key);
      return item === null || below.hidden.here ? [] : [[key, normal(item, below)]];
    }),
  );
}

function sorted(items: readonly Json[]): Json[] {
  return items
    .map((item) => ({ item, key: canonicalJson(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item);
}

/**
 * Two lists without order, side by side: first the items of both, matched by `keyOf`, then the items of only one. An
 * item without a key is only in its own list.
 */
export function sideBySide<A, B>(
  left: readonly A[],
  right: readonly B[],
  keyOf: (item: A | B) => string | undefined,
): { left: A[]; right: B[] } {
  const free = new Map<string, number[]>();
  for (const [index, item] of right.entries()) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const known = free.get(key);
    if (known === undefined) free.set(key, [index]);
    else known.push(index);
  }
  for (const indexes of free.values()) indexes.reverse();
  const partners = left.map((item) => free.get(keyOf(item) ?? "")?.pop());
  const taken = new Set(partners);
  return {
    left: [
      ...left.filter((_, at) => partners[at] !== undefined),
      ...left.filter((_, at) => partners[at] === undefined),
    ],
    right: [
      ...partners.flatMap((index) => (index === undefined ? [] : right.slice(index, index + 1))),
      ...right.filter((_, index) => !taken.has(index)),
    ],
  };
}
