/** Converts paths of properties in a resource's options, such as those that the source's tool ignores. */
import type { PropertyMapping, PropertyRule } from "#importers/mappings/type-mapping.ts";
import {
  anyKey,
  formatPropertyPath,
  type PathSegment,
  parsePropertyPath,
} from "#platform/property-path.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import { shapeOf } from "./properties/draft-properties.ts";
import { shapeAt } from "./properties/property-paths.ts";
import { keepsKeys, rulesFor, rulesOf } from "./properties/property-rules.ts";
import { converted, type Naming, propertyIn } from "./types/name-of-property.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";

export type OurPath =
  | { kind: "found"; path: string }
  | { kind: "no property" }
  /** Our property is a list of keys and values, and a path names an item by its number. */
  | { kind: "pairs" }
  /** Our property has another form below the top. */
  | { kind: "other form" };

const none: OurPath = { kind: "no property" };

export function ourPathOf(written: string, made: DraftedResource): OurPath {
  const { mapped } = made;
  const path = parsePropertyPath(written) ?? [];
  const [top] = path;
  if (top === anyKey && path.length === 1) return { kind: "found", path: "*" };
  if (typeof top !== "string") return none;
  const walk = new Walk(mapped.naming, path);
  const shape = shapeOf(made);
  const { under } = mapped;
  const isBelow =
    under !== undefined &&
    !mapped.rules.has(top) &&
    propertyOf(shape, top, mapped.naming) === undefined;
  if (isBelow) walk.enter(under, shape);
  else walk.enterTop(shape);
  return walk.members(mapped.rules);
}

/** One path on its way down. */
class Walk {
  readonly #naming: Naming;
  readonly #left: PathSegment[];
  readonly #found: PathSegment[] = [];
  #shape: ValueShape | undefined;

  constructor(naming: Naming, path: readonly PathSegment[]) {
    this.#naming = naming;
    this.#left = [...path];
  }

  enterTop(object: ObjectShape | undefined): void {
    this.#shape = { type: "object", ...(object === undefined ? {} : { object }) };
  }

  /** `to`: names with dots between them. */
  enter(to: string, object: ObjectShape | undefined): void {
    this.#found.push(...to.split("."));
    this.#shape = shapeAt(object, to);
  }

  /** The next name is a member of the object here. */
  members(rules: ReadonlyMap<string, PropertyMapping>): OurPath {
    const name = this.#left.shift();
    if (typeof name !== "string") return none;
    const object = this.#shape?.object;
    const mapping = rules.get(name);
    if (mapping === undefined) {
      const own = propertyOf(object, name, this.#naming);
      if (own === undefined) return none;
      this.#found.push(own);
      this.#shape =
        object && Object.hasOwn(object.properties, own) ? object.properties[own] : undefined;
      return this.#below(undefined);
    }
    const [rule] = rulesFor(mapping, converted(name, this.#naming));
    if (rule === undefined) return none;
    // The members of the block stand in its place.
    if (rule.to === "") {
      this.#skipIndex();
      return this.#left.length === 0 ? none : this.members(rulesOf(rule));
    }
    this.enter(rule.to, object);
    return this.#below(rule);
  }

  #below(rule: PropertyRule | undefined): OurPath {
    const [step] = this.#left;
    if (step === undefined) return { kind: "found", path: written(this.#found) };
    if (rule?.as === "pairs") return { kind: "pairs" };
    if (hasOtherForm(rule)) return { kind: "other form" };
    // A type may tell the names of its properties alone.
    if (this.#shape?.type === "array" || rule?.many === true) {
      const isOne = !isIndex(step);
      if (isOne && rule?.many !== true) return none;
      this.#found.push(isOne ? 0 : indexOf(step));
      if (!isOne) this.#left.shift();
      this.#shape = this.#shape?.items;
      return this.#left.length === 0 ? this.#below(undefined) : this.#inside(rule);
    }
    if (keepsKeys(rule, this.#shape)) {
      this.#found.push(step);
      this.#left.shift();
      this.#shape = this.#shape?.items;
      return this.#below(undefined);
    }
    return this.#inside(rule);
  }

  #inside(rule: PropertyRule | undefined): OurPath {
    // Terraform has a block that occurs once as a list of one.
    if (this.#shape !== undefined || rule?.members !== undefined) this.#skipIndex();
    else if (isIndex(this.#left[0])) {
      this.#found.push(indexOf(this.#left.shift()));
    }
    if (this.#left.length === 0) return { kind: "found", path: written(this.#found) };
    return this.members(rulesOf(rule));
  }

  #skipIndex(): void {
    if (isIndex(this.#left[0]) && (this.#left[0] === anyKey || Number(this.#left[0]) === 0))
      this.#left.shift();
  }
}

/** In old Terraform, an index is written as a name: `block.0.size`. */
function isIndex(step: PathSegment | undefined): boolean {
  return (
    step === anyKey ||
    typeof step === "number" ||
    (typeof step === "string" && /^\d{1,9}$/.test(step))
  );
}

function indexOf(step: PathSegment | undefined): PathSegment {
  return step === anyKey ? anyKey : Number(step);
}

function hasOtherForm(rule: PropertyRule | undefined): boolean {
  if (rule === undefined) return false;
  return (
    (rule.as !== undefined && rule.as !== "keys") ||
    rule.wrap !== undefined ||
    rule.each !== undefined
  );
}

function written(path: readonly PathSegment[]): string {
  return path.reduce<string>((text, step) => {
    const one = step === anyKey ? "[*]" : formatPropertyPath([step]);
    return text === "" || one.startsWith("[") ? text + one : `${text}.${one}`;
  }, "");
}

function propertyOf(
  shape: ObjectShape | undefined,
  name: string,
  naming: Naming,
): string | undefined {
  const found = shape && propertyIn(shape, name, naming);
  if (found !== undefined || (shape !== undefined && shape.open !== true)) return found;
  return converted(name, naming);
}
