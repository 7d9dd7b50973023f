import type { JSX } from "hono/jsx/jsx-runtime";
import { asText, listAt, mapAt, textAt } from "#areas/docs/document/json-at.ts";
import { choicesOf, resolveSchema } from "#areas/docs/document/resolve-schema.ts";
import { limitsOf, patternOf } from "#areas/docs/document/schema-limits.ts";
import { typeName } from "#areas/docs/document/type-name.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { TextWithCode } from "./text-with-code.tsx";

const MAX_DEPTH = 8;
/** A choice of more words than this is folded. */
const MAX_WORDS = 16;

interface Field {
  name: string;
  required: boolean;
  schema: Json | undefined;
  description: string;
}

interface FieldOptions {
  document: JsonMap;
  /** Fields of a request show whether they are required; an answer has all its fields. */
  side: "input" | "output";
}

/** The fields of a body, an answer or an event; undefined: it has no fields, and its type says all. */
export function schemaFields(
  schema: Json | undefined,
  options: FieldOptions,
  depth = 0,
): JSX.Element | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const { schema: resolved } = resolveSchema(schema, options.document);
  const choices = choicesOf(resolved);
  if (choices.length > 0) return alternatives(choices, options, depth);
  if (resolved["type"] === "array") return schemaFields(resolved["items"], options, depth);
  const properties = Object.entries(mapAt(resolved, "properties"));
  if (properties.length === 0)
    return isJsonMap(resolved["additionalProperties"])
      ? schemaFields(resolved["additionalProperties"], options, depth)
      : undefined;
  const required = new Set(listAt(resolved, "required"));
  const fields = properties.map(([name, inner]) => ({
    name,
    required: required.has(name),
    schema: inner,
    description: "",
  }));
  return <FieldList fields={fields} options={options} depth={depth} />;
}

function alternatives(
  choices: readonly Json[],
  options: FieldOptions,
  depth: number,
): JSX.Element | undefined {
  const listed = choices.flatMap((choice) => {
    const fields = schemaFields(choice, options, depth + 1);
    return fields === undefined ? [] : [{ name: typeName(choice, options.document), fields }];
  });
  if (listed.length <= 1) return listed[0]?.fields;
  return (
    <>
      {listed.map(({ name, fields }, at) => (
        <>
          <p class="or">
            {at === 0 ? "Either" : "or"} <span class="type">{name}</span>
          </p>
          {fields}
        </>
      ))}
    </>
  );
}

export function FieldList(shown: {
  fields: readonly Field[];
  options: FieldOptions;
  depth: number;
}): JSX.Element {
  const { fields, options, depth } = shown;
  return (
    <ul class="fields">
      {fields.map((field) => (
        <FieldItem field={field} options={options} depth={depth} />
      ))}
    </ul>
  );
}

function FieldItem(shown: { field: Field; options: FieldOptions; depth: number }): JSX.Element {
  const { field, options, depth } = shown;
  const { document, side } = options;
  const { schema } = resolveSchema(field.schema, document);
  const element = schema["type"] === "array" ? resolveSchema(schema["items"], document).schema : {};
  const description = field.description || textAt(schema, "description");
  const pattern = patternOf(schema) ?? patternOf(element);
  const words = [...listAt(schema, "enum"), ...listAt(element, "enum")];
  const facts = [
    ...limitsOf(schema),
    ...limitsOf(element).map((limit) => `each ${limit}`),
    ...(schema["default"] === undefined ? [] : [`default ${JSON.stringify(schema["default"])}`]),
  ];
  const inner = schemaFields(field.schema, options, depth + 1);
  return (
    <li>
      <code class="name">{field.name}</code>{" "}
      <span class="type">{typeName(field.schema, document)}</span>{" "}
      {side === "input" && field.required && <span class="required">required</span>}{" "}
      {facts.length > 0 && <span class="facts">{facts.join(" · ")}</span>}
      {description !== "" && (
        <p>
          <TextWithCode text={description} />
        </p>
      )}
      {words.length > 0 && <WordList words={words} />}
      {pattern !== undefined && (
        <p class="pattern">
          <code>{pattern}</code>
        </p>
      )}
      {inner !== undefined && (
        <details open={side === "input"}>
          <summary>Fields</summary>
          {inner}
        </details>
      )}
    </li>
  );
}

function WordList({ words }: { words: readonly Json[] }): JSX.Element {
  const list = <p class="words">{words.map((word) => [<code>{asText(word)}</code>, " "])}</p>;
  return words.length <= MAX_WORDS ? (
    list
  ) : (
    <details>
      <summary>{words.length} values</summary>
      {list}
    </details>
  );
}
