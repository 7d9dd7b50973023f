/** Every way to get one property wrong, and what the check of a template says of it. */
import type { Diagnostic } from "#engine/diagnostics.ts";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ProviderTypes } from "#providers/provider.ts";

export interface Mutation {
  what: string;
  properties: JsonMap;
}

const wrong = (value: Json): Json => (typeof value === "object" ? "wrong" : { wrong: true });

export function mutationsOf(properties: JsonMap, required: readonly string[]): Mutation[] {
  const dropped = required.map((name): Mutation => {
    const { [name]: _, ...rest } = properties;
    return { what: `without ${name}`, properties: rest };
  });
  const changed = Object.entries(properties).flatMap(([name, value]): Mutation[] => {
    const { [name]: _, ...rest } = properties;
    return [
      { what: `${name} misspelt`, properties: { ...rest, [`${name}x`]: value } },
      { what: `${name} of a wrong type`, properties: { ...rest, [name]: wrong(value) } },
    ];
  });
  return [...dropped, ...changed];
}

/** What the check of a template says of one resource. */
export function diagnosticsOf(
  types: ProviderTypes,
  type: string,
  properties: JsonMap,
): Diagnostic[] {
  const { template } = parseTemplate(JSON.stringify({ resources: { one: { type, properties } } }));
  if (template === undefined) throw new Error("the template cannot be read");
  return checkTemplate(template, {
    facts: (name) => types.facts(name),
    types: () => types.types(),
    openProviders: new Set(),
  });
}

/** Every text with its path; an item of a list is `[*]`. */
export function textsIn(value: Json, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, `${path}[*]`));
  if (!isJsonMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    textsIn(item, path === "" ? key : `${path}.${key}`),
  );
}
