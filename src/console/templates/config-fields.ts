/** The inputs of a template's variables, by their JSON Schema. Pure. */
import type { Choice, Field } from "#console/act-form.tsx";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

/** What stands in place of a secret (docs/glossary.md: mask). */
export const MASK = "[secret]";

/** `config`: the schema of the variables, as the API answers it. */
export function configFields(config: Readonly<Record<string, unknown>>): Field[] {
  const { properties, required } = config;
  const mustBeSet = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isJsonMap(properties) ? properties : {}).map(([name, schema]) =>
    fieldOf(name, isJsonMap(schema) ? schema : {}, mustBeSet.has(name)),
  );
}

/**
 * The same for a patch of values that are set, also of those that the schema no longer declares: what is emptied is
 * removed, and a secret stays as long as nothing is typed.
 */
export function changedConfigFields(
  config: Readonly<Record<string, unknown>>,
  values: JsonMap,
): Field[] {
  const fields = configFields(config);
  const declared = new Set(fields.map(({ words }) => words));
  const others = Object.keys(values).filter((name) => !declared.has(name));
  return [
    ...fields,
    ...others.map((name): Field => ({
      name: `variables.${name}`,
      words: name,
      kind: "json",
      hint: "The template declares no such variable: empty it.",
    })),
  ].map((field) => withValue(field, own(values, field.words)));
}

function own(values: JsonMap, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function withValue(declared: Field, value: Json | undefined): Field {
  // A profile or a binding may give what is not set here.
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
    // A value from before the choices were these.
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
    ...(initial === undefined || initial === "" || isChoice ? [] : [`Default: ${textOf(initial)}`]),
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

export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
