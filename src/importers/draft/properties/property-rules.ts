/** Applies the rules of a mapping table to a value. */
import {
  cannot,
  type Converted,
  isCall,
  isReference,
  value,
} from "#importers/draft/values/converted.ts";
import { formulaOf, isExpression, omittedWith } from "#importers/draft/values/formulas/formula.ts";
import { computed } from "#importers/draft/values/use.ts";
import type { PropertyMapping, PropertyRule } from "#importers/mappings/type-mapping.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import { fill, shapeAt, writeAt } from "./property-paths.ts";
import { rewritten, type RewriteWords } from "./rewrites.ts";

/**
 * The rules of a mapping, its own first; empty if the argument is dropped. `name`: the property for the mapping `true`.
 */
export function rulesFor(mapping: PropertyMapping, name: string): readonly PropertyRule[] {
  if (mapping === null || mapping === false) return [];
  if (mapping === true) return [{ to: name }];
  if (typeof mapping === "string") return [{ to: mapping }];
  return [mapping, ...(mapping.more ?? []).flatMap((one) => rulesFor(one, name))];
}

export function rulesOf(rule: PropertyRule | undefined): ReadonlyMap<string, PropertyMapping> {
  return new Map(Object.entries(rule?.members ?? {}));
}

/** Whether the keys of a map are the user's. */
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

/** The shape of the value before the rule wraps it. For a wrapped list, the shape of a list of members. */
export function shapeInside(
  shape: ValueShape | undefined,
  rule: PropertyRule | undefined,
): ValueShape | undefined {
  const wrap = rule?.wrap;
  if (wrap === undefined) return shape;
  const member = (of: ValueShape | undefined) => shapeAt(of?.object, wrap);
  if (shape?.type !== "array") return member(shape);
  const items = member(shape.items);
  return rule?.many === true ? items : { type: "array", ...(items === undefined ? {} : { items }) };
}

export interface RuleWords extends RewriteWords {
  /** Returns a reference to a new config value with this default: the value of the source's variable in our words. */
  inOurWords: (initial: Json | undefined) => Json;
}

/** Converts a value to the form of the rule. */
export function applyRule(made: Json, rule: PropertyRule | undefined, words: RuleWords): Converted {
  if (rule === undefined) return value(made);
  const before = Array.isArray(made) ? made : [made];
  const named = before.map((item) => inOurWords(item, rule, words));
  for (const [at, { isChanged }] of named.entries()) {
    if (isChanged) continue;
    if (rule.onlyValues === true)
      return cannot("It means something else to the provider's API, or counts in another unit.");
    if (rule.onlyReferences === true && !isOfObject(before[at], words))
      return cannot(
        "The source names another object in words that the provider's API does not take.",
      );
  }
  const all = named.map((one) => one.made).filter((one) => one !== null);
  if (all.length === 0 && named.length > 0)
    return { kind: "absent", reason: "Ours has it so without it." };
  const [only] = all;
  return formed(Array.isArray(made) || only === undefined ? all : only, rule, words);
}

interface Named {
  made: Json;
  /** Whether `values` or `rewrites` decided the value. */
  isChanged: boolean;
}

function inOurWords(item: Json, rule: PropertyRule, words: RuleWords): Named {
  const { values } = rule;
  if (values !== undefined && typeof item !== "object") {
    const variable = isReference(item) ? words.variable(item) : undefined;
    const isOpen = variable === undefined ? isFormula(item) : variable["open"] === true;
    const chosen = isOpen ? chosenOf(String(item), values, rule.onlyValues === true) : undefined;
    if (chosen !== undefined) return { made: chosen, isChanged: true };
    const given = variable === undefined ? item : variable["default"];
    const name = typeof given === "object" ? "" : String(given);
    const found = Object.hasOwn(values, name) ? values[name] : undefined;
    if (variable === undefined && found !== undefined) return { made: found, isChanged: true };
    // The variable's values are in the source's words, whoever sets it.
    if (variable !== undefined && (found !== undefined || variable["type"] !== "string"))
      return { made: words.inOurWords(found), isChanged: true };
  }
  const made = typeof item === "string" ? rewritten(item, rule, words) : undefined;
  return made === undefined ? { made: item, isChanged: false } : { made, isChanged: true };
}

/** Whether a value is computed, and no plain reference. */
function isFormula(item: Json): boolean {
  return typeof item === "string" && /^\$\{.*[^\w.[\]"-].*\}$/s.test(item);
}

/** The formula that takes a value in the source's words and gives it in ours; undefined: some are left out. */
function chosenOf(
  item: string,
  values: NonNullable<PropertyRule["values"]>,
  isOnly: boolean,
): string | undefined {
  const text = item.slice(2, -1);
  const table = formulaOf({ ...values });
  if (table === undefined || text.includes("omit()") || Object.values(values).includes(null))
    return undefined;
  const key = Object.keys(values).every((name) => /^(?:true|false|\d+)$/.test(name))
    ? `string(${text})`
    : text;
  return isOnly ? `\${${table}[${key}]}` : `\${${table}[?${key}].orValue(${text})}`;
}

/** Whether a value is a reference to an object. The text of a variable is in the source's words instead. */
function isOfObject(item: Json | undefined, words: RuleWords): boolean {
  return item !== undefined && isReference(item) && words.variable(item) === undefined;
}

/** Whether the number of values, or their content, is unknown. */
function isComputed(made: Json, words: RuleWords): boolean {
  if (isCall(made)) return true;
  const type = isReference(made) ? words.variable(made)?.["type"] : undefined;
  return type === "array" || type === "object";
}

function formed(made: Json, rule: PropertyRule, words: RuleWords): Converted {
  const { wrap, one, many, as } = rule;
  if (as === "pairs" && typeof made === "string" && isExpression(made)) {
    const pairs = omittedWith(made, (inner) => openPairs(inner, rule)) ?? openPairs(made, rule);
    return pairs === null ? cannot(computed) : value(pairs);
  }
  if (as === "pairs" && !(isJsonMap(made) && !isCall(made)))
    return cannot("Our type takes a list of pairs, which only a map that is written out tells.");
  const shaped = as === "pairs" ? shapedBy(made, rule) : eachOf(made, (it) => shapedBy(it, rule));
  if (wrap !== undefined && isComputed(shaped, words) && as === undefined)
    return cannot(
      "Our type takes an object for each, which only a list that is written out tells.",
    );
  if (one === true) {
    const [only] = Array.isArray(shaped) ? shaped : [shaped];
    if (Array.isArray(shaped) && (shaped.length !== 1 || only === undefined))
      return cannot("Our type takes one of them.");
    return only === undefined || isComputed(only, words)
      ? cannot("Our type takes one, and nothing tells that it is one.")
      : value(wrapped(only, rule));
  }
  const isOne = many === true && !Array.isArray(shaped) && !isComputed(shaped, words);
  const all = isOne ? [shaped] : shaped;
  return value(eachOf(all, (item) => wrapped(item, rule)));
}

function eachOf(made: Json, change: (item: Json) => Json): Json {
  return Array.isArray(made) ? made.map(change) : change(made);
}

function wrapped(item: Json, rule: PropertyRule): Json {
  const { wrap, defaults } = rule;
  if (wrap === undefined) return item;
  const omitted = omittedWith(item, (inner) => wrapped(inner, rule));
  if (omitted !== undefined) return omitted;
  const around: JsonMap = {};
  writeAt(around, wrap, item);
  fill(around, defaults);
  return around;
}

/** The pairs of a map that only the deployment knows; null: the language has no form for them. */
function openPairs(map: Json, { pair = ["Key", "Value"] }: PropertyRule): Json {
  const text = formulaOf(map);
  const [key, one] = pair.map((name) => JSON.stringify(name));
  return text === undefined
    ? null
    : `\${${text}.transformList(key, one, {${key}: key, ${one}: string(one)})}`;
}

function shapedBy(made: Json, { as, pair = ["Key", "Value"] }: PropertyRule): Json {
  if (as === "pairs" && isJsonMap(made) && !isCall(made))
    return Object.entries(made).map(([key, one]): Json => {
      const paired = (inner: Json): JsonMap => ({ [pair[0]]: key, [pair[1]]: inner });
      return omittedWith(one, paired) ?? paired(one);
    });
  if (as === "text" && isReference(made)) return { "fn::join": ["", [made]] };
  if (as === "text" && (typeof made === "number" || typeof made === "boolean")) return String(made);
  if (as === "base64" && (typeof made === "string" || isCall(made)))
    return { "fn::toBase64": made };
  if (as === "parsed" && isJsonMap(made)) return made["fn::toJSON"] ?? made;
  return made;
}
