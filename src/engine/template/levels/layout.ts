/**
 * The layout of a deployment: for each name of each level, the resources and components that conditions and loops make
 * of it. It depends on the config values alone, never on an object, so every plan of a deployment has the same one.
 */
import { kindOf } from "#engine/kind-of.ts";
import { own } from "#engine/template/own.ts";
import { MAX_RESOURCES } from "#engine/template/parse.ts";
import { quoted } from "#engine/template/report.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type {
  Each,
  Expression,
  Level,
  Library,
  Place,
  Repeatable,
  ResourceDeclaration,
  Within,
} from "#engine/template/template.ts";
import {
  isMap,
  PartlyKnown,
  Secret,
  hasSealed,
  mayBe,
  Unknown,
  unknownOf,
  type Value,
} from "#engine/value.ts";
import { addressIn } from "./address.ts";
import { componentOf, MAX_LINKS } from "./level.ts";

/** What a name stands for. */
export type Presence<T> =
  | { kind: "one"; item: T }
  /** Its condition is false. */
  | { kind: "absent" }
  /** A loop, by key, sorted by code unit. */
  | { kind: "each"; items: ReadonlyMap<string, T> }
  /** A loop whose keys a check does not know. The item stands for each of its turns. */
  | { kind: "open"; item: T };

/** A resource with its address. */
export interface Placed {
  address: string;
  within: Within;
  declaration: ResourceDeclaration;
}

export const MAX_DEPTH = 5;
/** Resources and uses of components, also of components without resources. */
const MAX_PARTS = 1000;
const KEY = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,100}$/u;

export class Layout {
  readonly #library: Library;
  readonly #isCheck: boolean;
  readonly #evaluate: (expression: Expression, within: Within) => Value;
  readonly #resources = new Map<Level, Map<string, Presence<Placed>>>();
  readonly #components = new Map<Level, Map<string, Presence<Level>>>();
  /** The names under decision. A component that is used twice has each of its names twice. */
  readonly #open: { level: Level; name: string }[] = [];
  #parts = 0;

  /**
   * `evaluate` computes conditions and loops, with unknown outputs. `isCheck`: the config values are unknown too, so each
   * condition counts as true, and a loop may be open.
   */
  constructor(
    library: Library,
    evaluate: (expression: Expression, within: Within) => Value,
    { isCheck }: { isCheck: boolean },
  ) {
    this.#library = library;
    this.#evaluate = evaluate;
    this.#isCheck = isCheck;
  }

  /** Throws `ResolveError` for a condition or a loop that cannot be computed. */
  resource(level: Level, name: string): Presence<Placed> | undefined {
    const declaration = own(level.template.resources, name);
    if (declaration === undefined) return undefined;
    return this.#presence(this.#resources, level, name, declaration, (address, each) => ({
      address,
      within: within(level, each),
      declaration,
    }));
  }

  /** The levels of a component; throws `ResolveError` as `resource`, and for one that is not in the library. */
  component(level: Level, name: string): Presence<Level> | undefined {
    const declaration = own(level.template.components, name);
    if (declaration === undefined) return undefined;
    const version = componentOf(declaration, level.pins, this.#library);
    if (version === undefined)
      throw new ResolveError(
        "unknown_component",
        `The component ${quoted(declaration.component)} of ${quoted(name)} is not available.`,
        declaration.place,
      );
    return this.#presence(this.#components, level, name, declaration, (address, each) => {
      const inner: Level = {
        address,
        ...version,
        use: { declaration, within: within(level, each) },
      };
      if (depthOf(inner) > MAX_DEPTH)
        throw new ResolveError(
          "components_too_deep",
          `The component ${quoted(name)} is nested deeper than ${MAX_DEPTH} levels.`,
          declaration.place,
          "Write a part of the inner components in an outer one.",
        );
      return inner;
    });
  }

  #presence<T>(
    known: Map<Level, Map<string, Presence<T>>>,
    level: Level,
    name: string,
    declaration: Repeatable,
    make: (address: string, each?: Each) => T,
  ): Presence<T> {
    const names = known.get(level) ?? new Map<string, Presence<T>>();
    known.set(level, names);
    const before = names.get(name);
    if (before !== undefined) return before;
    if (this.#open.some((one) => one.level === level && one.name === name))
      throw new ResolveError(
        "dependency_cycle",
        `The condition or the loop of ${quoted(name)} depends on itself.`,
        declaration.place,
      );
    if (this.#open.length >= MAX_LINKS)
      throw new ResolveError(
        "nesting_too_deep",
        `More than ${MAX_LINKS} conditions and loops depend on each other in a chain.`,
        declaration.place,
        "Decide by config values directly.",
      );
    this.#open.push({ level, name });
    try {
      const presence = this.#decide(level, name, declaration, make);
      names.set(name, presence);
      return presence;
    } finally {
      this.#open.pop();
    }
  }

  #decide<T>(
    level: Level,
    name: string,
    { when, forEach, place }: Repeatable,
    make: (address: string, each?: Each) => T,
  ): Presence<T> {
    if (when !== undefined && !this.#isIncluded(name, when, level)) return { kind: "absent" };
    if (forEach === undefined) {
      this.#count(1, place);
      return { kind: "one", item: make(addressIn(level, name)) };
    }
    const keys = this.#keysOf(name, forEach, level);
    if (keys === undefined) {
      const each = { key: unknownOf("string"), of: forEach };
      return { kind: "open", item: make(addressIn(level, name), each) };
    }
    this.#count(keys.length, place);
    const items = keys.map(
      (key) => [key, make(addressIn(level, name, key), { key, of: forEach })] as const,
    );
    return { kind: "each", items: new Map(items) };
  }

  #count(parts: number, place: Place): void {
    this.#parts += parts;
    if (this.#parts > MAX_PARTS)
      throw new ResolveError(
        "too_many_resources",
        `The template has more than ${MAX_PARTS} resources and components, with its loops written out.`,
        place,
        "Split the template, and bind the outputs of one instance to the config of the next.",
      );
  }

  #isIncluded(name: string, when: Expression, level: Level): boolean {
    const value = unsealed(this.#evaluate(when, { level }), "condition", name, when.place);
    if (value instanceof Unknown && mayBe(value, ["boolean"])) {
      if (this.#isCheck) return true;
      throw notKnown("condition", name, when.place);
    }
    if (typeof value === "boolean") return value || this.#isCheck;
    throw new ResolveError(
      "invalid_condition",
      `The condition of ${quoted(name)} is ${kindOf(value)}. It must be true or false.`,
      when.place,
    );
  }

  /** The keys of a loop; undefined: a check does not know them. */
  #keysOf(name: string, forEach: Expression, level: Level): string[] | undefined {
    const { place } = forEach;
    const value = unsealed(this.#evaluate(forEach, { level }), "loop", name, place);
    const isOpen =
      (value instanceof Unknown && mayBe(value, ["object", "array"])) ||
      value instanceof PartlyKnown ||
      (Array.isArray(value) && value.some((item) => item instanceof Unknown));
    if (isOpen) {
      if (this.#isCheck) return undefined;
      throw notKnown("loop", name, place);
    }
    const keys = Array.isArray(value) ? value : isMap(value) ? Object.keys(value) : undefined;
    if (keys === undefined) throw invalidLoop(name, `is over ${kindOf(value)}`, place);
    const texts: string[] = [];
    for (const key of keys) {
      if (typeof key !== "string")
        throw invalidLoop(
          name,
          `has ${kindOf(key)} in its list`,
          place,
          isMap(key) ? MAPS : undefined,
        );
      const isPlain = key === key.normalize("NFC") && key === key.trim();
      if (!isPlain || !KEY.test(key))
        throw invalidLoop(name, `has the key ${quoted(key)}`, place, KEYS);
      texts.push(key);
    }
    if (new Set(texts).size < texts.length)
      throw invalidLoop(name, "has the same text twice in its list", place);
    if (texts.length > MAX_RESOURCES)
      throw invalidLoop(name, `has ${texts.length} keys`, place, FEWER);
    return texts.toSorted((a, b) => (a < b ? -1 : 1));
  }
}

const KEYS =
  "A key has 1 to 100 characters, no control or invisible ones, no blanks at its ends, and composed letters (NFC).";
const FEWER = `A template has at most ${MAX_RESOURCES} resources in all.`;
const TEXTS = "A loop takes a map, or a list of unique texts.";
const MAPS =
  "Make a map of the list, with a member that is unique in it: `${zones.transformMapEntry(i, zone, {zone.name: zone})}`.";

function invalidLoop(name: string, problem: string, place: Place, hint = TEXTS): ResolveError {
  return new ResolveError("invalid_loop", `The loop of ${quoted(name)} ${problem}.`, place, hint);
}

function notKnown(what: "condition" | "loop", name: string, place: Place): ResolveError {
  return new ResolveError(
    "not_known_yet",
    `The ${what} of ${quoted(name)} depends on a value that is known only after apply.`,
    place,
    "Use config values, variables made of them, and names under `control`.",
  );
}

/** The value without marks of the template itself. */
function unsealed(value: Value, what: string, name: string, place: Place): Value {
  const outer = value instanceof Secret ? value.value : value;
  const keys = Array.isArray(outer) ? outer : [];
  if ((value instanceof Secret && value.sealed) || keys.some(hasSealed))
    throw new ResolveError(
      "sealed_value",
      `The ${what} of ${quoted(name)} is a secret value: the resources of a plan would tell it.`,
      place,
      "Decide by a config value that is not secret.",
    );
  return Array.isArray(outer)
    ? outer.map((item) => (item instanceof Secret ? item.value : item))
    : outer;
}

function within(level: Level, each: Each | undefined): Within {
  return each === undefined ? { level } : { level, each };
}

function depthOf(level: Level): number {
  let depth = 0;
  for (let at: Level | undefined = level; at?.use !== undefined; at = at.use.within.level)
    depth += 1;
  return depth;
}
