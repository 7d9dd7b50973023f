import {
  isSet,
  type Likeness,
  likenessAt,
  meaningOf,
  sentLikeness,
  sideBySide,
} from "#engine/likeness.ts";
import { own } from "#engine/template/own.ts";
import {
  isMap,
  hasUnknown,
  PartlyKnown,
  redact,
  reveal,
  Secret,
  Unknown,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import type { Json } from "#platform/json.ts";
import { MASK } from "#platform/mask.ts";
import {
  anyKey,
  formatPropertyPath,
  matchesSegment,
  parsePropertyPath,
  type PathSegment,
} from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { PropertyChange } from "./steps.ts";

export interface DiffOptions {
  /** Property paths; `*` is every property. */
  ignoreChanges: readonly string[];
  replaceOnChanges: readonly string[];
}

export interface InputsDiff {
  /** Sorted by path. */
  changes: PropertyChange[];
  replace: boolean;
  /** The update or replacement applies only if a value that becomes known after apply differs. */
  tentative: boolean;
  /** The reason for the replacement. */
  reason?: string;
}

type Certainty = "same" | "unknown" | "different";

interface Difference {
  path: readonly (string | number)[];
  before: Value | undefined;
  after: Value | undefined;
  certainty: Exclude<Certainty, "same">;
}

/** The facts of a type that a comparison of properties needs. */
export type DiffFacts = Pick<TypeFacts, "immutable"> &
  Partial<Pick<TypeFacts, "caseInsensitive" | "sets">>;

/**
 * The changes from the inputs last sent (`before`) to the desired ones (`after`). Secrets are compared by content and
 * shown as `[secret]`, on both sides when either is secret. A value known only after apply is a tentative change.
 * Letter case and order that mean nothing to the cloud are no change, nor is `null` for a missing member. An item added
 * to or removed from a list changes no immutable property of the other items. Throws when an option contains an invalid
 * property path.
 */
export function diffInputs(
  before: ValueMap,
  after: ValueMap,
  facts: DiffFacts,
  options: DiffOptions,
): InputsDiff {
  const differences: Difference[] = [];
  const desired = applyIgnored(before, after, options.ignoreChanges);
  collect([], before, desired, sentLikeness(facts), differences);
  const forcing = options.replaceOnChanges.map((text) => ({ text, path: pathOf(text) }));
  const immutable = facts.immutable.map((text) => ({ text, path: pathOf(text) }));
  const immutableNames = new Set<string>();
  const forcingTexts = new Set<string>();
  let replaceSurely = false;
  const changes = differences.map((difference): PropertyChange => {
    let certainty: Certainty = "same";
    for (const { text, path } of immutable) {
      const fixed = certaintyUnder(difference, path, "kept items");
      if (fixed !== "same")
        immutableNames.add(path.length === 0 ? String(difference.path[0]) : text);
      certainty = combine(certainty, fixed);
    }
    for (const { text, path } of forcing) {
      const forced = certaintyUnder(difference, path, "all items");
      if (forced !== "same") forcingTexts.add(text);
      certainty = combine(certainty, forced);
    }
    if (certainty === "different") replaceSurely = true;
    return {
      path: formatPropertyPath(difference.path),
      ...displayValues(difference.before, difference.after),
      replaces: certainty !== "same",
    };
  });
  const replace = immutableNames.size > 0 || forcingTexts.size > 0;
  const sure = replace ? replaceSurely : differences.some((d) => d.certainty === "different");
  const reason = [
    ...(immutableNames.size > 0
      ? [`${[...immutableNames].join(", ")} cannot be changed in place`]
      : []),
    ...(forcingTexts.size > 0 ? [`replaceOnChanges: ${[...forcingTexts].join(", ")}`] : []),
  ].join("; ");
  return {
    changes,
    replace,
    tentative: changes.length > 0 && !sure,
    ...(replace ? { reason } : {}),
  };
}

/**
 * The inputs to send: `after`, with the old value (or absence) at each path of `ignoreChanges`. A list item that exists
 * on only one side stays as it is, unless it is the last.
 */
export function applyIgnored(
  before: ValueMap,
  after: ValueMap,
  ignoreChanges: readonly string[],
): ValueMap {
  let kept: Value | undefined = after;
  for (const text of ignoreChanges) kept = keepOld(before, kept, pathOf(text), false);
  return isMap(kept) ? kept : {};
}

function pathOf(text: string): PathSegment[] {
  const path = parsePropertyPath(text);
  if (path === undefined)
    throw new Error(
      `"${text}" is not a property path; examples: settings.size, rules[0].port, labels["a.b"]`,
    );
  // `tags.*` means all of `tags`.
  while (path.at(-1) === anyKey) path.pop();
  return path;
}

/** `after` with the value at `path` taken from `before`. */
function keepOld(
  before: Value | undefined,
  after: Value | undefined,
  path: readonly PathSegment[],
  secret: boolean,
): Value | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return before !== undefined && secret ? new Secret(before) : before;
  if (before instanceof Secret) return keepOld(before.value, after, path, true);
  if (after instanceof Secret) {
    const inner = keepOld(before, after.value, path, false);
    return inner === undefined ? undefined : new Secret(inner, after);
  }
  if (Array.isArray(after)) {
    const items = [...after];
    const old = Array.isArray(before) ? before : [];
    const indexes = segment === anyKey ? items.keys() : [Number(segment)];
    for (const i of indexes) {
      if (segment === anyKey && i >= old.length) continue;
      const item = keepOld(old[i], items[i], rest, secret);
      if (item !== undefined && i <= items.length) items[i] = item;
      else if (item === undefined && i === items.length - 1) items.pop();
    }
    return items;
  }
  if (after !== undefined && !isMap(after)) return after;
  if (after === undefined && !isMap(before)) return undefined;
  const entries = new Map(Object.entries(after ?? {}));
  const old = new Map(isMap(before) ? Object.entries(before) : []);
  const keys =
    segment === anyKey
      ? [...(after === undefined ? old : entries).keys()].filter((key) => old.has(key))
      : [String(segment)];
  for (const key of keys) {
    const item = keepOld(old.get(key), entries.get(key), rest, secret);
    if (item === undefined) entries.delete(key);
    else entries.set(key, item);
  }
  const emptied = entries.size === 0 && Object.keys(after ?? {}).length > 0;
  if (entries.size === 0 && (after === undefined || (before === undefined && emptied)))
    return undefined;
  return Object.fromEntries(entries);
}

function collect(
  path: readonly (string | number)[],
  before: Value | undefined,
  after: Value | undefined,
  likeness: Likeness,
  into: Difference[],
): void {
  if (isMap(before) && isMap(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const key of [...keys].sort())
      collect(
        [...path, key],
        member(before, key),
        member(after, key),
        likenessAt(likeness, key),
        into,
      );
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const lists = isSet(likeness)
      ? sideBySide(before, after, (item) => keyOf(item, likenessAt(likeness, 0)))
      : { left: before, right: after };
    const length = Math.max(before.length, after.length);
    for (let i = 0; i < length; i += 1)
      collect([...path, i], lists.left[i], lists.right[i], likenessAt(likeness, i), into);
    return;
  }
  const certainty = compare(before, after);
  if (certainty === "same" || meansTheSame(before, after, likeness)) return;
  into.push({ path, before, after, certainty });
}

function keyOf(value: Value, likeness: Likeness): string | undefined {
  return hasUnknown(value) ? undefined : meaningOf(reveal(value), likeness);
}

function meansTheSame(
  before: Value | undefined,
  after: Value | undefined,
  likeness: Likeness,
): boolean {
  if (before === undefined || after === undefined) return false;
  const [a, b] = [keyOf(before, likeness), keyOf(after, likeness)];
  return a !== undefined && a === b;
}

function displayValues(
  before: Value | undefined,
  after: Value | undefined,
): { before: Json; after: Json } {
  const secret = before instanceof Secret || after instanceof Secret;
  const show = (value: Value | undefined): Json =>
    value === undefined ? null : secret ? MASK : redact(value);
  return { before: show(before), after: show(after) };
}

/**
 * Whether a difference changes the value at `path`: the difference may be at the path, below it or above it. With `kept
 * items`, `[*]` means the items of a list and members of a map that exist before and after.
 */
function certaintyUnder(
  difference: Difference,
  path: readonly PathSegment[],
  where: "all items" | "kept items",
): Certainty {
  const common = Math.min(difference.path.length, path.length);
  for (let i = 0; i < common; i += 1) {
    const pattern = path[i];
    const segment = difference.path[i];
    if (pattern === undefined || segment === undefined || !matchesSegment(pattern, segment))
      return "same";
  }
  if (path.length <= difference.path.length) return difference.certainty;
  const { before, after } = difference;
  const isItem = path[common - 1] === anyKey;
  if (where === "kept items" && isItem && (before === undefined || after === undefined))
    return "same";
  return compareAt(before, after, path.slice(common), where);
}

function compareAt(
  before: Value | undefined,
  after: Value | undefined,
  path: readonly PathSegment[],
  where: "all items" | "kept items",
): Certainty {
  const [segment, ...rest] = path;
  if (segment === undefined) return compare(before, after);
  const [a, b] = [unwrapSecret(before), unwrapSecret(after)];
  const kept = segment === anyKey && where === "kept items";
  if (kept && (a === undefined || b === undefined)) return "same";
  if (
    a instanceof Unknown ||
    a instanceof PartlyKnown ||
    b instanceof Unknown ||
    b instanceof PartlyKnown
  )
    return "unknown";
  const keys = segment === anyKey ? new Set([...keysOf(a), ...keysOf(b)]) : [String(segment)];
  let certainty: Certainty = "same";
  for (const key of keys) {
    const [x, y] = [child(a, key), child(b, key)];
    if (kept && (x === undefined || y === undefined)) continue;
    certainty = combine(certainty, compareAt(x, y, rest, where));
  }
  return certainty;
}

function keysOf(value: Value | undefined): string[] {
  return Array.isArray(value) || isMap(value) ? Object.keys(value) : [];
}

function child(value: Value | undefined, key: string): Value | undefined {
  if (Array.isArray(value)) return Object.hasOwn(value, key) ? value[Number(key)] : undefined;
  return isMap(value) ? member(value, key) : undefined;
}

/** A member of a map. To a cloud, `null` means no member. */
function member(map: ValueMap, key: string): Value | undefined {
  const value = own(map, key);
  return unwrapSecret(value) === null ? undefined : value;
}

function unwrapSecret(value: Value | undefined): Value | undefined {
  return value instanceof Secret ? value.value : value;
}

function combine(a: Certainty, b: Certainty): Certainty {
  if (a === "different" || b === "different") return "different";
  return a === "unknown" || b === "unknown" ? "unknown" : "same";
}

function compare(before: Value | undefined, after: Value | undefined): Certainty {
  const [a, b] = [unwrapSecret(before), unwrapSecret(after)];
  if (a === undefined || b === undefined) return a === b ? "same" : "different";
  if (a instanceof Unknown || b instanceof Unknown) return "unknown";
  if (a instanceof PartlyKnown || b instanceof PartlyKnown) return comparePartly(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return "different";
    return a.reduce<Certainty>(
      (certainty, item, i) => combine(certainty, compare(item, b[i])),
      "same",
    );
  }
  if (isMap(a) && isMap(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].reduce<Certainty>(
      (certainty, key) => combine(certainty, compare(member(a, key), member(b, key))),
      "same",
    );
  }
  return a === b ? "same" : "different";
}

/** When one of two objects is known only in part, its known keys can prove a difference but not equality. */
function comparePartly(a: Value, b: Value): Certainty {
  const [known, other] =
    a instanceof PartlyKnown ? [a.known, b] : [b instanceof PartlyKnown ? b.known : {}, a];
  if (other instanceof PartlyKnown) {
    const shared = Object.keys(known).filter((key) => Object.hasOwn(other.known, key));
    return shared.reduce<Certainty>(
      (certainty, key) => combine(certainty, compare(member(known, key), member(other.known, key))),
      "unknown",
    );
  }
  if (!isMap(other)) return "different";
  return Object.keys(known).reduce<Certainty>(
    (certainty, key) => combine(certainty, compare(member(known, key), member(other, key))),
    "unknown",
  );
}
