/** The form of a function in the table of functions.ts, and its arguments. */
import type { Value, ValueType } from "#engine/value.ts";
import type { Range } from "./ast.ts";
import type { Budget } from "./budget.ts";
import { ExpressionError } from "./problem.ts";
import { measure } from "./values/measure.ts";

export interface Parameter {
  name: string;
  /** Absent: any. */
  types?: readonly ValueType[];
  optional?: true;
}

export interface FunctionEntry {
  /** With its namespace: `json.encode`. */
  name: string;
  /** `method`: `text.trim()`, where the value before the dot is the first parameter. */
  style: "method" | "function" | "method or function";
  parameters: readonly Parameter[];
  /** The types of the result. Absent: any. */
  result?: readonly ValueType[];
  /** One sentence for editors. */
  description: string;
  /**
   * `whole`: reads all parts of its arguments, so the result is unknown if any part is unknown, and secret if any is
   * secret. `outside`: reads texts, numbers and the outermost lists and maps only; their items and members keep their
   * marks.
   */
  reads: "whole" | "outside";
  /**
   * `refused`: no argument is sealed, nor a part of one that it reads. `inside`: sealed items and members pass into the
   * result. `passed`: it fails for no content, so it takes sealed values, and the result is sealed.
   */
  sealed: "refused" | "inside" | "passed";
  /**
   * Is evaluated although a part that it reads is only known after apply, or an argument is a map of which only some keys
   * are known. Without it, the result is unknown then.
   */
  partly?: true;
  /** The result has items or members of its arguments, with their marks. */
  passesItems?: true;
  /** `kept`: it sets the marks of the result itself, and takes unknown values. */
  marks?: "kept";
  /** How much longer a result can be than the arguments, for sealed ones. */
  growth?: number;
  /** Its name in a template's `fn::` form, which takes one argument, or a list of the parameters in this order. */
  template?: { name: string; order: "one" | readonly number[] };
  /** The units of each call. Absent: 1. */
  units?: number;
  /** What it costs beyond that, a unit for 32 characters that it reads, and its result. */
  cost?: string;
  evaluate: (call: Call) => Value;
}

/** The arguments are of the right types, without marks where the function reads them. */
export interface Call {
  entry: FunctionEntry;
  values: readonly Value[];
  /** As given, with marks. */
  given: readonly Value[];
  /** The places of the arguments. */
  places: readonly Range[];
  at: Range;
  budget: Budget;
}

export const text: readonly ValueType[] = ["string"];
export const number: readonly ValueType[] = ["number"];
export const whole: readonly ValueType[] = ["integer"];
export const list: readonly ValueType[] = ["array"];
export const map: readonly ValueType[] = ["object"];
export const boolean: readonly ValueType[] = ["boolean"];

export function textAt({ values }: Call, index: number): string {
  const value = values[index];
  return typeof value === "string" ? value : "";
}

export function numberAt({ values }: Call, index: number): number | undefined {
  const value = values[index];
  return typeof value === "number" ? value : undefined;
}

export function listAt({ values }: Call, index: number): readonly Value[] {
  const value = values[index];
  return Array.isArray(value) ? value : [];
}

export function placeAt({ places, at }: Call, index: number): Range {
  return places[index] ?? at;
}

/** A refusal of an argument by its content. `reason` continues the function's name; it is not told of a secret. */
export function refused(call: Call, index: number, reason: string, hint?: string): ExpressionError {
  const { entry, given } = call;
  const isSecret = given.some((value) => measure(value).secret);
  return new ExpressionError(
    {
      kind: "invalid_argument",
      subject: `\`${entry.name}\``,
      reason: isSecret ? "cannot use this secret value." : reason,
      ...(hint === undefined ? {} : { hint }),
    },
    placeAt(call, index),
  );
}
