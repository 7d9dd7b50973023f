import {
  hasUnknown,
  isMap,
  mayBe,
  PartlyKnown,
  reveal,
  Secret,
  Unknown,
  type Value,
  type ValueType,
} from "#engine/value.ts";
import { escapePointer, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { own } from "./own.ts";
import { type SchemaProblem, valueProblems } from "./value-schema.ts";
import { valueWords } from "./value-words.ts";
import type { WorkBudget } from "./work-budget.ts";

const PART_COST = 30;

/** As `valueProblems`, for a value that may have unknown parts: only the problems that no value of these parts mends. */
export function knownProblems(
  schema: JsonMap,
  value: Value,
  budget: WorkBudget,
  pointer = "",
): SchemaProblem[] {
  if (!budget.spend(PART_COST)) return [];
  if (value instanceof Secret) return knownProblems(schema, value.value, budget, pointer);
  if (value instanceof Unknown || value instanceof PartlyKnown)
    return typeProblems(schema, value, pointer);
  if (!hasUnknown(value))
    return valueProblems(schema, reveal(value), budget).map((problem) => ({
      ...problem,
      pointer: `${pointer}${problem.pointer}`,
    }));
  const outer = outerProblems(schema, value, budget);
  if (outer.length > 0) return outer.map((problem) => ({ ...problem, pointer }));
  return partsOf(schema, value).flatMap(({ part, member, key }) =>
    isJsonMap(part) ? knownProblems(part, member, budget, `${pointer}/${escapePointer(key)}`) : [],
  );
}

/** A value of each type, for the words about it. */
const samples: { readonly [Type in ValueType]: Json } = {
  string: "",
  integer: 0,
  number: 0,
  boolean: false,
  object: {},
  array: [],
};

function typeProblems(
  schema: JsonMap,
  value: Unknown | PartlyKnown,
  pointer: string,
): SchemaProblem[] {
  const rule = own(schema, "type");
  const [given] = value instanceof PartlyKnown ? (["object"] as const) : (value.types ?? []);
  if (rule === undefined || given === undefined) return [];
  const wanted = (Array.isArray(rule) ? rule : [rule]).filter(isValueType);
  if (mayBe(value, wanted)) return [];
  return [{ pointer, keyword: "type", ...valueWords("type", rule, samples[given]) }];
}

function isValueType(type: Json): type is ValueType {
  return typeof type === "string" && Object.hasOwn(samples, type);
}

/** By keywords that do not read the parts. A part that is unknown may be left out, so nothing is counted as too many. */
function outerProblems(schema: JsonMap, value: Value, budget: WorkBudget): SchemaProblem[] {
  const rules = Object.fromEntries(
    ["type", "required", "minItems", "minProperties"].flatMap((keyword) => {
      const rule = own(schema, keyword);
      return rule === undefined ? [] : [[keyword, rule]];
    }),
  );
  const hollow = Array.isArray(value)
    ? value.map(() => null)
    : isMap(value)
      ? Object.fromEntries(Object.keys(value).map((key) => [key, null]))
      : null;
  return valueProblems(rules, hollow, budget);
}

function partsOf(
  schema: JsonMap,
  value: Value,
): { part: Json | undefined; member: Value; key: string }[] {
  if (Array.isArray(value)) {
    // An item that may be left out moves those after it.
    if (own(schema, "prefixItems") !== undefined) return [];
    return value.map((member, index) => ({
      part: own(schema, "items"),
      member,
      key: String(index),
    }));
  }
  if (!isMap(value)) return [];
  const members = own(schema, "properties");
  return Object.entries(value).map(([key, member]) => ({
    part:
      (isJsonMap(members) ? own(members, key) : undefined) ?? own(schema, "additionalProperties"),
    member,
    key,
  }));
}
