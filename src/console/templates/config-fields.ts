/** The inputs of a template's variables, by their JSON Schema. Pure. */
import type { Choice, Field } from "#console/act-form.tsx";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

/** `config`: the schema of the variables, as the API answers it. */
export function configFields(config: Readonly<Record<string, unknown>>): Field[] {
  const { properties, required } = config;
  const mustBeSet = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isJsonMap(properties) ? properties : {}).map(([name, schema]) =>
    fieldOf(name, isJsonMap(schema) ? schema : {}, mustBeSet.has(name)),
  );
}

function fieldOf(name: string, schema: JsonMap, isRequired: boolean): Field {
  const values = choicesOf(schema);
  const isSecret = schema["writeOnly"] === true;
  const hint = hintOf(schema, values !== undefined && !isSecret);
  return {
    name: `variables.${name}`,
    words: name,
    isRequired,
    ...(hint === "" ? {} : { hint }),
    ...(isSecret
      ? { kind: schema["type"] === "string" ? "secret" : "secretJson" }
      : values === undefined
        ? { kind: kindOf(schema) }
        : { kind: "jsonChoice", choices: withNone(values, schema) }),
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

/** What is left as it is follows the default of later versions too. */
function withNone(choices: readonly Choice[], { default: initial }: JsonMap): Choice[] {
  const words = initial === undefined ? "choose" : `default: ${textOf(initial)}`;
  return [{ value: "", words }, ...choices];
}

/** Rules that people may know before they send a value, in the order of the hint. */
const rules: readonly (readonly [keyword: string, words: (value: string) => string])[] = [
  ["minLength", (value) => `At least ${value} characters.`],
  ["maxLength", (value) => `At most ${value} characters.`],
  ["minimum", (value) => `At least ${value}.`],
  ["maximum", (value) => `At most ${value}.`],
  ["format", (value) => `Format: ${value}.`],
  ["pattern", (value) => `It must match ${value}.`],
];

function hintOf(schema: JsonMap, isChoice: boolean): string {
  const { description, default: initial, type, items } = schema;
  const kind = kindOf(schema);
  return [
    ...(typeof description === "string" && description !== "" ? [sentence(description)] : []),
    ...(initial === undefined || isChoice ? [] : [`Default: ${textOf(initial)}`]),
    ...(isChoice
      ? []
      : rules.flatMap(([keyword, words]) => {
          const value = schema[keyword];
          return value === undefined ? [] : [words(textOf(value))];
        })),
    ...(kind === "lines" && items !== undefined ? ["One on each line."] : []),
    ...(kind === "json" && !isChoice ? [`As JSON: ${type === "array" ? "a list" : "a map"}.`] : []),
  ].join(" ");
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
