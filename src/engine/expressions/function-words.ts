/** The functions, methods and macros of expressions in words, for the completion of editors. */
import type { FunctionEntry } from "./function-entry.ts";
import { functions, type MacroName, specialFunctions } from "./functions.ts";

export interface FunctionWords {
  /** With its namespace: `json.encode`. */
  name: string;
  /** It stands after a value and a dot. */
  isMethod: boolean;
  /** A call with the names of its arguments; `?` follows the name of one that may be left out. */
  form: string;
  /** One sentence. */
  description: string;
}

export function functionWords(): FunctionWords[] {
  const words = [
    ...functions.map(({ name, style, parameters, description }) => ({
      name,
      isMethod: style !== "function",
      form: formOf(name, style, parameters),
      description,
    })),
    ...specialFunctions.map(({ name, style, least, description }) => ({
      name,
      isMethod: style === "method",
      form: `${style === "method" ? "optional." : ""}${name}(${least === 0 ? "" : "value"})`,
      description,
    })),
    ...Object.entries(macroWords).map(([name, [form, description]]) => ({
      name,
      isMethod: name !== "has" && name !== "cel.bind",
      form,
      description,
    })),
  ];
  return words.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function formOf(
  name: string,
  style: FunctionEntry["style"],
  parameters: FunctionEntry["parameters"],
): string {
  const names = parameters.map((one) => (one.optional === true ? `${one.name}?` : one.name));
  const [receiver, ...rest] = names;
  return style === "function"
    ? `${name}(${names.join(", ")})`
    : `${receiver}.${name}(${rest.join(", ")})`;
}

const macroWords: { readonly [Name in MacroName]: readonly [form: string, description: string] } = {
  all: ["list.all(item, condition)", "Whether the condition holds for all items or keys."],
  "cel.bind": ["cel.bind(name, value, result)", "The result, in which the name has the value."],
  exists: ["list.exists(item, condition)", "Whether the condition holds for an item or key."],
  exists_one: [
    "list.exists_one(item, condition)",
    "Whether the condition holds for exactly one item or key.",
  ],
  filter: ["list.filter(item, condition)", "The items or keys for which the condition holds."],
  has: ["has(value.member)", "Whether the member exists, or a resource with a condition."],
  map: ["list.map(item, result)", "A list with a result for each item or key."],
  optFlatMap: [
    "optional.optFlatMap(value, optional)",
    "The optional made of the value, if there is a value.",
  ],
  optMap: [
    "optional.optMap(value, result)",
    "An optional with the result for the value, if there is a value.",
  ],
  transformList: [
    "map.transformList(key, value, result)",
    "A list with a result for each entry of a map, or each index and item of a list.",
  ],
  transformMap: [
    "map.transformMap(key, value, result)",
    "A map with the same keys and a result for each of them.",
  ],
  transformMapEntry: [
    "list.transformMapEntry(index, item, {key: value})",
    "A map of the entries that are made of each item or entry. No key may occur twice.",
  ],
};
