/** The table of functions: the language, its checks and editors read it. */
import type { NodeOf, Range } from "./ast.ts";
import type { Budget } from "./budget.ts";
import type { FunctionEntry } from "./function-entry.ts";
import { addressFunctions } from "./functions/address-functions.ts";
import { conversionFunctions } from "./functions/conversion-functions.ts";
import { encodingFunctions } from "./functions/encoding-functions.ts";
import { listFunctions } from "./functions/list-functions.ts";
import { mapFunctions } from "./functions/map-functions.ts";
import { textFunctions } from "./functions/text-functions.ts";
import { ExpressionError } from "./problem.ts";

export const functions: readonly FunctionEntry[] = [
  ...textFunctions,
  ...listFunctions,
  ...mapFunctions,
  ...addressFunctions,
  ...encodingFunctions,
  ...conversionFunctions,
];

/** A function of the evaluator itself, because its arguments or its result are not plain values. */
export interface SpecialFunction {
  name: string;
  style: "method" | "function";
  least: number;
  most: number;
  description: string;
}

export const specialFunctions: readonly SpecialFunction[] = [
  special("omit", "function", 0, "Leaves out the property, item or entry."),
  special("optional.none", "function", 0, "An optional without a value."),
  special("optional.of", "function", 1, "An optional with this value."),
  special(
    "optional.ofNonZeroValue",
    "function",
    1,
    "An optional with this value unless it is empty, 0, false or null.",
  ),
  special("hasValue", "method", 0, "Whether the optional has a value."),
  special("value", "method", 0, "The value of the optional; an error if it has none."),
  special("orValue", "method", 1, "The value of the optional, or another one."),
  special("or", "method", 1, "The optional if it has a value, else another one."),
];

function special(
  name: string,
  style: SpecialFunction["style"],
  count: number,
  description: string,
): SpecialFunction {
  return { name, style, least: count, most: count, description };
}

const byName = new Map(functions.map((entry) => [entry.name, entry]));
const specialByName = new Map(specialFunctions.map((entry) => [entry.name, entry]));
/** The macros, which the parser reads. */
const macros = [
  "all",
  "cel.bind",
  "exists",
  "exists_one",
  "filter",
  "has",
  "map",
  "optFlatMap",
  "optMap",
  "transformList",
  "transformMap",
  "transformMapEntry",
] as const;
export type MacroName = (typeof macros)[number];
const callableNames = [...byName.keys(), ...specialByName.keys(), ...macros];

/** True for the name of a function with a namespace: `json.encode`. */
export function isNamespaced(name: string): boolean {
  return name.includes(".") && (byName.has(name) || specialByName.has(name));
}

export function specialFunction(name: string): SpecialFunction | undefined {
  return specialByName.get(name);
}

/** A called function, its places and the budget. */
export interface Calling {
  name: string;
  nameAt: Range;
  isMethod: boolean;
  at: Range;
  budget: Budget;
}

export function callingOf(node: NodeOf<"call">, budget: Budget): Calling {
  const { function: called, of } = node;
  return { name: called.name, nameAt: called, isMethod: of !== undefined, at: node, budget };
}

/** The function of a call. Throws if there is none of this name in this style. */
export function findFunction({ name, nameAt, isMethod, budget }: Calling): FunctionEntry {
  const found = byName.get(name);
  if (
    found !== undefined &&
    (found.style === "method or function" || (found.style === "method") === isMethod)
  )
    return found;
  const spelling = found === undefined ? undefined : spellingOf(found);
  throw new ExpressionError(
    {
      kind: "unknown_function",
      name,
      ...(spelling === undefined ? budget.nearest(name, callableNames) : { spelling }),
    },
    nameAt,
  );
}

function spellingOf({ name, style, parameters }: FunctionEntry): string {
  const names = parameters.filter(({ optional }) => optional === undefined).map((one) => one.name);
  const [receiver, ...rest] = names;
  return style === "function"
    ? `${name}(${names.join(", ")})`
    : `${receiver}.${name}(${rest.join(", ")})`;
}
