import {
  boolean,
  type FunctionEntry,
  number,
  refused,
  text,
  whole,
} from "#engine/expressions/function-entry.ts";
import { typeOf } from "#engine/expressions/values/equality.ts";
import { textOf } from "#engine/expressions/values/text-of.ts";
import {
  Secret,
  Unknown,
  unknown,
  PartlyKnown,
  isMap,
  type Value,
  type ValueType,
} from "#engine/value.ts";

const common = { style: "function", reads: "outside", sealed: "refused" } as const;

export const conversionFunctions: readonly FunctionEntry[] = [
  {
    ...common,
    name: "string",
    parameters: [{ name: "value", types: [...text, ...number, ...boolean] }],
    result: text,
    description: "The value as a string.",
    evaluate: ({ values: [value = null] }) => textOf(value) ?? "",
  },
  {
    ...common,
    name: "int",
    parameters: [{ name: "value", types: [...number, ...text] }],
    result: whole,
    description: "The value as a whole number; a fraction is cut off.",
    evaluate: (call) => {
      const [value = null] = call.values;
      const isDigits = typeof value === "string" && /^-?[0-9]{1,16}$/.test(value);
      const result = typeof value === "number" ? Math.trunc(value) : isDigits ? Number(value) : NaN;
      if (!Number.isSafeInteger(result))
        throw refused(call, 0, "takes a number, or a text of digits, up to 2^53.");
      return result === 0 ? 0 : result;
    },
  },
  {
    ...common,
    name: "double",
    parameters: [{ name: "value", types: [...number, ...text] }],
    result: number,
    description: "The value as a number with fractions, which `/` does not cut off.",
    evaluate: (call) => {
      const [value = null] = call.values;
      const isNumber =
        typeof value === "string" &&
        /^-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(value);
      const result = typeof value === "number" || isNumber ? Number(value) : NaN;
      if (!Number.isFinite(result))
        throw refused(call, 0, "takes a number, or a text that is one.");
      return result;
    },
  },
  {
    ...common,
    name: "bool",
    parameters: [{ name: "value", types: [...text, ...boolean] }],
    result: boolean,
    description: "The value as a boolean.",
    evaluate: (call) => {
      const [value = null] = call.values;
      if (typeof value === "boolean") return value;
      const written = textOf(value) ?? "";
      if (["1", "t", "true", "TRUE", "True"].includes(written)) return true;
      if (["0", "f", "false", "FALSE", "False"].includes(written)) return false;
      throw refused(call, 0, "takes `true` or `false`.");
    },
  },
  {
    ...common,
    name: "type",
    parameters: [{ name: "value" }],
    result: text,
    description: 'The kind of the value: "string", "number", "boolean", "list", "map" or "null".',
    partly: true,
    evaluate: ({ values: [value = null] }) => nameOfType(value),
  },
  {
    ...common,
    name: "dyn",
    parameters: [{ name: "value" }],
    description: "The value itself, as other implementations of the language need it.",
    sealed: "passed",
    marks: "kept",
    evaluate: ({ given: [value = null] }) => value,
  },
  {
    ...common,
    name: "secret",
    parameters: [{ name: "value" }],
    description: "The value, hidden in plans, logs and outputs.",
    sealed: "passed",
    marks: "kept",
    template: { name: "secret", order: "one" },
    evaluate: ({ given: [value = null] }) => new Secret(value, { sealed: false }),
  },
  {
    ...common,
    name: "unsecret",
    reads: "whole",
    parameters: [{ name: "value" }],
    description:
      "The value without the marks of this template; a value given as a secret stays one.",
    sealed: "passed",
    marks: "kept",
    template: { name: "unsecret", order: "one" },
    evaluate: ({ given: [value = null] }) => withoutMarks(value),
  },
];

const names = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  object: "map",
  array: "list",
} as const satisfies Record<ValueType, string>;

function nameOfType(value: Value): Value {
  if (value instanceof Unknown || value instanceof Secret) return unknown;
  const type = typeOf(value);
  return type === undefined ? "null" : names[type];
}

function withoutMarks(value: Value): Value {
  if (value instanceof Secret) return value.sealed ? value : withoutMarks(value.value);
  if (value instanceof PartlyKnown) {
    const known = withoutMarks(value.known);
    return isMap(known) ? new PartlyKnown(known, value.later) : value;
  }
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutMarks(item)]));
}
