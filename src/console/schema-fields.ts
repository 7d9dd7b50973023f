/** Inputs for a JSON Schema: a template's variables, or a provider's settings. Pure. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { MASK } from "#platform/mask.ts";
import type { Choice, Field } from "./act-form.tsx";

/** The schema of a map, as the API returns it. */
type Schema = Readonly<Record<string, unknown>>;

/** `map`: the member of the body that contains the values. */
export function schemaFields(map: string, { properties, required }: Schema): Field[] {
  const mustBeSet = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isJsonMap(properties) ? properties : {}).map(([name, schema]) => ({
    name: `${map}.${name}`,
    ...fieldOf(name, isJsonMap(schema) ? schema : {}, mustBeSet.has(name)),
  }));
}

/**
 * The inputs for a patch of the current values, including values that the schema no longer declares. An emptied value
 * is removed. A secret stays unless a new one is typed.
 */
export function changedSchemaFields(map: string, schema: Schema, values: JsonMap): Field[] {
  const fields = schemaFields(map, schema);
  const declared = new Set(fields.map(({ words }) => words));
  const others = Object.keys(values).filter((name) => !declared.has(name));
  return [
    ...fields,
    ...others.map((name): Field => ({
      name: `${map}.${name}`,
      words: name,
      kind: "json",
      hint: "There is no such one any more: empty it.",
    })),
  ].map((field) => withValue(field, own(values, field.words)));
}

function own(values: JsonMap, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function withValue(declared: Field, value: Json | undefined): Field {
  // Not required, because a profile or a binding may provide the value.
  const field = { ...declared, isRequired: false };
  const { kind, choices = [] } = field;
  if (kind === "secret" || kind === "secretJson" || value === MASK)
    return {
      ...field,
      kind: kind === "secret" ? kind : "secretJson",
      placeholder: value === undefined ? "not set" : "set: type to replace it",
    };
  const emptied = { ...field, empty: "null" } as const;
  if (value === undefined) return emptied;
  if (kind === "jsonChoice") {
    const text = JSON.stringify(value);
    const isOffered = choices.some((choice) => choice.value === text);
    // A value that is no longer a choice.
    const former = isOffered ? [] : [{ value: text, words: textOf(value) }];
    return { ...emptied, value: text, choices: [...choices, ...former] };
  }
  if (kind === "lines" && Array.isArray(value)) return { ...emptied, value: value.map(textOf) };
  if (typeof value === "string" && kind === "text")
    return { ...emptied, kind: value.includes("\n") ? "multiline" : "text", value };
  if (kind === "number" && typeof value === "number") return { ...emptied, value: textOf(value) };
  return {
    ...emptied,
    kind: "json",
    value: JSON.stringify(value, null, 1),
    ...(isJsonMap(value) && { before: value }),
  };
}

function fieldOf(name: string, schema: JsonMap, isRequired: boolean): Omit<Field, "name"> {
  const values = choicesOf(schema);
  const isSecret = schema["writeOnly"] === true;
  const hint = hintOf(schema, values !== undefined && !isSecret);
  return {
    words: name,
    isRequired,
    ...(hint === "" ? {} : { hint }),
    ...(isSecret
      ? { kind: schema["type"] === "string" ? "secret" : "secretJson" }
      : values === undefined
        ? { kind: kindOf(schema) }
        : { kind: "jsonChoice", choices: withNone(values, schema, isRequired) }),
  };
}

function kindOf({ type, items }: JsonMap): NonNullable<Field["kind"]> {
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  const areTexts =
    type === "array" && isJsonMap(items ?? null) && (items as JsonMap)["type"] === "string";
  return areTexts ? "lines" : "json";
}

function choicesOf(schema: JsonMap): Choice[] | undefined {
  const values = schema["type"] === "boolean" ? [true, false] : schema["enum"];
  if (!Array.isArray(values)) return undefined;
  return values.map((value) => ({ value: JSON.stringify(value), words: textOf(value) }));
}

/** An unchanged input follows the default of later versions too. */
function withNone(
  choices: readonly Choice[],
  { default: initial }: JsonMap,
  isRequired: boolean,
): Choice[] {
  const none = isRequired ? "choose" : "not set";
  const words = initial === undefined ? none : `default: ${textOf(initial)}`;
  return [{ value: "", words }, ...choices];
}

/** Rules to show before a value is sent, in the order of the hint. */
const rules: readonly (readonly [keyword: string, words: (value: string) => string])[] = [
  ["minLength", (value) => `At least ${value} characters.`],
  ["maxLength", (value) => `At most ${value} characters.`],
  ["minimum", (value) => `At least ${value}.`],
  ["maximum", (value) => `At most ${value}.`],
  ["format", (value) => `Format: ${value}.`],
  ["pattern", (value) => `It must match ${value}.`],
];

/** The JSON type to enter, if the schema has one. */
const jsonWords: Readonly<Record<string, string>> = {
  array: "As JSON: a list.",
  object: "As JSON: a map.",
};

function hintOf(schema: JsonMap, isChoice: boolean): string {
  const { description, default: initial, type, items } = schema;
  const kind = kindOf(schema);
  const said = typeof description === "string" && description !== "" ? description : undefined;
  return [
    ...(said === undefined ? [] : [sentence(said)]),
    ...(initial === undefined || initial === "" || isChoice
      ? []
      : [`Default: ${textOf(initial)}.`]),
    ...(isChoice
      ? []
      : rules.flatMap(([keyword, words]) => {
          const value = schema[keyword];
          // A description is easier to read than a pattern.
          const isSaid = keyword === "pattern" && said !== undefined;
          return value === undefined || isSaid ? [] : [words(textOf(value))];
        })),
    ...(kind === "lines" && items !== undefined ? ["One on each line."] : []),
    ...(kind === "json" && !isChoice ? [jsonWords[textOf(type ?? "")] ?? "As JSON."] : []),
  ].join(" ");
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
