/** What the rules of a mapping table make of a value. */
import type { PropertyMapping, PropertyRule } from "#importers/mappings/type-mapping.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import { cannot, type Converted, isCall, isReference, joined, value } from "./converted.ts";
import { fill } from "./property-paths.ts";

/** `name`: what the mapping `true` says. */
export function ruleOf(
  mapping: PropertyMapping | undefined,
  name: string,
): PropertyRule | undefined {
  if (mapping === undefined || mapping === null || mapping === false) return undefined;
  if (mapping === true) return { to: name };
  return typeof mapping === "string" ? { to: mapping } : mapping;
}

export function rulesOf(rule: PropertyRule | undefined): ReadonlyMap<string, PropertyMapping> {
  return new Map(Object.entries(rule?.members ?? {}));
}

/** The keys of a map there are the user's. */
export function keepsKeys(rule: PropertyRule | undefined, shape: ValueShape | undefined): boolean {
  if (rule?.as === "pairs" || rule?.as === "keys" || rule?.as === "entries") return true;
  return shape?.type === "object" && shape.object === undefined && shape.items !== undefined;
}

export function wantsStructure(
  shape: ValueShape | undefined,
  rule: PropertyRule | undefined,
): boolean {
  return rule?.as === "parsed" || shape?.type === "object" || shape?.type === "array";
}

export function withoutRequired(shape: ObjectShape | undefined): ObjectShape | undefined {
  return shape === undefined ? undefined : { ...shape, required: [] };
}

/** What the value is before the rule wraps it: of a list that it wraps, the shape of the member. */
export function shapeInside(
  shape: ValueShape | undefined,
  rule: PropertyRule | undefined,
): ValueShape | undefined {
  const wrap = rule?.wrap;
  if (wrap === undefined) return shape;
  const member = (of: ValueShape | undefined): ValueShape | undefined =>
    of?.object !== undefined && Object.hasOwn(of.object.properties, wrap)
      ? of.object.properties[wrap]
      : undefined;
  if (shape?.type !== "array") return member(shape);
  const items = member(shape.items);
  return rule?.many === true ? items : { type: "array", ...(items === undefined ? {} : { items }) };
}

export interface RuleWords {
  /** What another argument of the source's resource is here. */
  argument: (name: string) => Json;
  /** The default of the config value that a reference is to. */
  defaultOf: (reference: string) => Json | undefined;
}

/** The value in the form that the rule says. */
export function applyRule(made: Json, rule: PropertyRule | undefined, words: RuleWords): Converted {
  if (rule === undefined) return value(made);
  const named = eachOf(made, (item) => rewritten(valueFor(item, rule), item, rule, words));
  const before = [made].flat();
  const isSaid = [named].flat().every((one, at) => isReference(one) || one !== before[at]);
  if (rule.onlyReferences === true && !isSaid)
    return cannot(
      "The source names another object in words that the provider's API does not take.",
    );
  const shaped = shapedBy(named, rule);
  if (rule.one === true && Array.isArray(shaped)) {
    const [only] = shaped;
    if (shaped.length !== 1 || only === undefined) return cannot("Our type takes one of them.");
    return value(wrapped(only, rule));
  }
  const all = rule.many === true && !Array.isArray(shaped) ? [shaped] : shaped;
  return value(Array.isArray(all) ? all.map((item) => wrapped(item, rule)) : wrapped(all, rule));
}

function eachOf(made: Json, change: (item: Json) => Json): Json {
  return Array.isArray(made) ? made.map(change) : change(made);
}

function valueFor(item: Json, { values }: PropertyRule): Json {
  if (values === undefined || typeof item === "object") return item;
  const name = String(item);
  return Object.hasOwn(values, name) ? (values[name] ?? item) : item;
}

const MAX_REWRITTEN = 1_000;

function rewritten(item: Json, before: Json, rule: PropertyRule, words: RuleWords): Json {
  const { rewrites, reads } = rule;
  if (rewrites === undefined || item !== before || typeof item !== "string") return item;
  if (isReference(item)) return computed(item, rewrites, reads, words);
  if (item.length > MAX_REWRITTEN) return item;
  for (const [pattern, text] of rewrites) {
    const groups: readonly string[] | null = new RegExp(`^(?:${pattern})$`).exec(item);
    if (groups !== null) return filled(text, groups, words);
  }
  return item;
}

/** What only the deployment knows is what the first pattern says, unless it is an id already. */
function computed(
  reference: string,
  rewrites: NonNullable<PropertyRule["rewrites"]>,
  reads: string | undefined,
  words: RuleWords,
): Json {
  const [first] = rewrites;
  if (first === undefined || isIdOfObject(reference, reads)) return reference;
  const [pattern, text] = first;
  if (/\$[1-9]/.test(text)) return reference;
  const initial = words.defaultOf(reference);
  if (typeof initial === "string" && !new RegExp(`^(?:${pattern})$`).test(initial.slice(0, 1_000)))
    return reference;
  return filled(text, [reference], words);
}

function isIdOfObject(reference: string, reads = "id"): boolean {
  return [reads, "id", "selfLink"].some((name) => reference.endsWith(`.${name}}`));
}

function filled(text: string, groups: readonly string[], { argument }: RuleWords): Json {
  const parts = text
    .split(/(\$\d|\{[a-z_]+\})/)
    .filter((part) => part !== "")
    .map((part): Json => {
      if (/^\$\d$/.test(part)) return groups[Number(part.slice(1))] ?? "";
      return /^\{[a-z_]+\}$/.test(part) ? argument(part.slice(1, -1)) : part;
    });
  const made = joined(parts);
  return made.kind === "value" ? made.value : (groups[0] ?? "");
}

function wrapped(item: Json, { wrap, defaults }: PropertyRule): Json {
  if (wrap === undefined) return item;
  const around: JsonMap = { [wrap]: item };
  fill(around, defaults);
  return around;
}

function shapedBy(made: Json, { as, pair = ["Key", "Value"] }: PropertyRule): Json {
  if (as === "pairs" && isJsonMap(made) && !isCall(made))
    return Object.entries(made).map(([key, one]): JsonMap => ({ [pair[0]]: key, [pair[1]]: one }));
  if (as === "text" && isReference(made)) return { "fn::join": ["", [made]] };
  if (as === "text" && (typeof made === "number" || typeof made === "boolean")) return String(made);
  if (as === "base64" && typeof made === "string") return { "fn::toBase64": made };
  if (as === "parsed" && isJsonMap(made)) return made["fn::toJSON"] ?? made;
  return made;
}
