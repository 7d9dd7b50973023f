/** The fields of a body, an answer or a set of parameters as a list in HTML. Pure. */
import { escapeHtml } from "#http/pages/escape-html.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import {
  asText,
  choicesOf,
  limitsOf,
  listAt,
  mapAt,
  patternOf,
  resolve,
  textAt,
  typeName,
} from "./schema.ts";
import { code, inline } from "./text.ts";

const MAX_DEPTH = 8;
/** A choice of more words than this is folded. */
const MAX_WORDS = 16;

interface Field {
  name: string;
  required: boolean;
  schema: Json | undefined;
  description: string;
}

export interface FieldOptions {
  document: JsonMap;
  /** What is sent says which of it is required; what is answered is all there. */
  side: "input" | "output";
}

/** Empty if the schema has no fields to list: then its type says all. */
export function schemaFields(schema: Json | undefined, options: FieldOptions, depth = 0): string {
  if (depth > MAX_DEPTH) return "";
  const { schema: resolved } = resolve(schema, options.document);
  const choices = choicesOf(resolved);
  if (choices.length > 0) return alternatives(choices, options, depth);
  if (resolved["type"] === "array") return schemaFields(resolved["items"], options, depth);
  const properties = Object.entries(mapAt(resolved, "properties"));
  if (properties.length === 0)
    return isJsonMap(resolved["additionalProperties"])
      ? schemaFields(resolved["additionalProperties"], options, depth)
      : "";
  const required = new Set(listAt(resolved, "required"));
  return fieldList(
    properties.map(([name, inner]) => ({
      name,
      required: required.has(name),
      schema: inner,
      description: "",
    })),
    options,
    depth,
  );
}

function alternatives(choices: readonly Json[], options: FieldOptions, depth: number): string {
  const told = choices
    .map((choice) => ({
      name: typeName(choice, options.document),
      fields: schemaFields(choice, options, depth + 1),
    }))
    .filter(({ fields }) => fields !== "");
  if (told.length === 1) return told[0]?.fields ?? "";
  return told
    .map(
      ({ name, fields }, at) =>
        `<p class="or">${at === 0 ? "Either" : "or"} <span class="type">${escapeHtml(name)}</span></p>${fields}`,
    )
    .join("");
}

export function parameterFields(parameters: readonly JsonMap[], document: JsonMap): string {
  return fieldList(
    parameters.map((parameter) => ({
      name: textAt(parameter, "name"),
      required: parameter["required"] === true,
      schema: parameter["schema"],
      description: textAt(parameter, "description"),
    })),
    { document, side: "input" },
    0,
  );
}

function fieldList(fields: readonly Field[], options: FieldOptions, depth: number): string {
  return `<ul class="fields">${fields.map((field) => fieldItem(field, options, depth)).join("")}</ul>`;
}

function fieldItem(field: Field, options: FieldOptions, depth: number): string {
  const { document, side } = options;
  const { schema } = resolve(field.schema, document);
  const element = schema["type"] === "array" ? resolve(schema["items"], document).schema : {};
  const description = field.description || textAt(schema, "description");
  const pattern = patternOf(schema) ?? patternOf(element);
  const words = [...listAt(schema, "enum"), ...listAt(element, "enum")];
  const facts = [
    ...limitsOf(schema),
    ...limitsOf(element).map((limit) => `each ${limit}`),
    ...(schema["default"] === undefined ? [] : [`default ${JSON.stringify(schema["default"])}`]),
  ];
  const inner = schemaFields(field.schema, options, depth + 1);
  return [
    `<li><code class="name">${escapeHtml(field.name)}</code>`,
    ` <span class="type">${escapeHtml(typeName(field.schema, document))}</span>`,
    side === "input" && field.required ? ' <span class="required">required</span>' : "",
    facts.length > 0 ? ` <span class="facts">${escapeHtml(facts.join(" · "))}</span>` : "",
    description === "" ? "" : `<p>${inline(description)}</p>`,
    wordList(words),
    pattern === undefined ? "" : `<p class="pattern">${code(pattern)}</p>`,
    inner === ""
      ? ""
      : `<details${side === "input" ? " open" : ""}><summary>Fields</summary>${inner}</details>`,
    "</li>",
  ].join("");
}

function wordList(words: readonly Json[]): string {
  if (words.length === 0) return "";
  const list = `<p class="words">${words.map((word) => code(asText(word))).join(" ")}</p>`;
  return words.length <= MAX_WORDS
    ? list
    : `<details><summary>${words.length} values</summary>${list}</details>`;
}
