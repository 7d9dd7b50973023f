/** Every way to get one property wrong, and what the check of a template says of it. */
import { expect } from "vitest";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Provider, ProviderContext, ProviderTypes } from "#providers/provider.ts";

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

/** What the check of a template says of one resource. `open`: providers whose types may be missing from the table. */
export function diagnosticsOf(
  types: ProviderTypes,
  type: string,
  properties: JsonMap,
  open: readonly string[] = [],
): Diagnostic[] {
  const { template } = parseTemplate(JSON.stringify({ resources: { one: { type, properties } } }));
  if (template === undefined) throw new Error("the template cannot be read");
  return checkTemplate(template, {
    facts: (name) => types.facts(name),
    types: () => types.types(),
    openProviders: new Set(open),
  });
}

/** What the check says of one resource whose types nest: a mistake in each member of the top level, one missing. */
export function expectTopLevelChecked(
  types: ProviderTypes,
  type: string,
  properties: JsonMap,
  open: readonly string[] = [],
): void {
  const codesOf = (given: JsonMap): string[] =>
    diagnosticsOf(types, type, given, open).map(({ code, line }) => `${code} at ${line}`);
  expect(codesOf(properties)).toEqual([]);
  for (const member of Object.keys(properties)) {
    const { [member]: value = null, ...rest } = properties;
    expect(codesOf({ ...rest, [`${member}x`]: value }), member).toContain("unknown_property at 1");
  }
  for (const member of types.facts(type)?.required ?? []) {
    const { [member]: _, ...rest } = properties;
    expect(codesOf(rest), member).toContain("missing_property at 1");
  }
}

/** The mistakes in the properties of one type that the check finds nothing wrong with, or not on its line. */
export function unfoundMistakes(types: ProviderTypes, type: string, properties: JsonMap): string[] {
  const expected = /^(unknown_property|property_type|missing_property)$/;
  const required = types.facts(type)?.required ?? [];
  return mutationsOf(properties, required).flatMap(({ what, properties: mistaken }) => {
    const [found] = diagnosticsOf(types, type, mistaken);
    return found !== undefined && expected.test(found.code) && found.line === 1 ? [] : [what];
  });
}

/** The mistakes that a create of the type is not refused for, for good and without effect. */
export async function takenMistakes(
  provider: Provider,
  context: ProviderContext,
  { type, properties }: { type: string; properties: JsonMap },
): Promise<string[]> {
  const taken: string[] = [];
  const required = provider.facts(type)?.required ?? [];
  for (const { what, properties: mistaken } of mutationsOf(properties, required)) {
    const call = { type, name: "chosen-1", properties: mistaken, token: "t-1" };
    const outcome = await provider.create(context, call);
    if (outcome.kind !== "failed" || outcome.retryable || outcome.unknownOutcome || outcome.id)
      taken.push(what);
  }
  return taken;
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
