/** The shapes of the arguments of operators and functions, for values that are asked for in their place. */
import type { Expression } from "#importers/expression.ts";
import type { ValueShape } from "#providers/provider.ts";
import type { At } from "./formula-at.ts";

type Type = ValueShape["type"];

const types: Readonly<Record<string, readonly Type[] | Type>> = {
  merge: "object",
  keys: "object",
  values: "object",
  concat: "array",
  distinct: "array",
  flatten: "array",
  compact: "array",
  sort: "array",
  reverse: "array",
  length: "array",
  contains: ["array", "string"],
  join: ["string", "array"],
  formatlist: ["string", "array"],
  "&&": "boolean",
  "||": "boolean",
  "!": "boolean",
  "+": "number",
  "-": "number",
  "*": "number",
  "/": "number",
  "%": "number",
};

const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

/** Undefined: the argument has the shape of the whole value. */
export function operandShape(
  name: string,
  args: readonly Expression[],
  nth: number,
): ValueShape | undefined {
  if (comparisons.has(name)) return { type: comparedType(args[1 - nth]) };
  const own = types[name];
  const type = typeof own === "object" ? own[nth] : own;
  return type === undefined ? undefined : { type };
}

function comparedType(other: Expression | undefined): Type {
  const value = other?.kind === "literal" ? other.value : "";
  return typeof value === "number" || typeof value === "boolean"
    ? (typeof value as Type)
    : "string";
}

export function withShape(at: At, shape: ValueShape | undefined): At {
  return shape === undefined ? at : { ...at, use: { ...at.use, shape } };
}
