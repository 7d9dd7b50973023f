/** The words of the tables' form, checked against their types. */
import { isJsonMap, type Json } from "#platform/json.ts";
import type {
  BesideMapping,
  MappingTable,
  PartMapping,
  PropertyRule,
  TypeMapping,
  TypeVariants,
} from "./type-mapping.ts";

type Words<T> = Readonly<Record<keyof T, true>>;

export const mappingWords = {
  table: {
    provider: true,
    naming: true,
    madeFromVendor: true,
    common: true,
    types: true,
    variants: true,
    parts: true,
  } satisfies Words<MappingTable>,
  variants: { by: true, of: true } satisfies Words<TypeVariants>,
  part: {
    partOf: true,
    type: true,
    item: true,
    defaults: true,
    unless: true,
    properties: true,
  } satisfies Words<PartMapping>,
  beside: {
    each: true,
    type: true,
    of: true,
    members: true,
    to: true,
    set: true,
  } satisfies Words<BesideMapping>,
  type: {
    type: true,
    under: true,
    unless: true,
    properties: true,
    unset: true,
    protectedBy: true,
    set: true,
    defaults: true,
    outputs: true,
    constants: true,
    beside: true,
    id: true,
  } satisfies Words<TypeMapping>,
  rule: {
    to: true,
    members: true,
    values: true,
    as: true,
    many: true,
    one: true,
    each: true,
    defaults: true,
    pair: true,
    rewrites: true,
    also: true,
    wrap: true,
    reads: true,
    onlyReferences: true,
    onlyValues: true,
    weak: true,
    more: true,
  } satisfies Words<PropertyRule>,
} as const;

/** The unknown words of a table, with their paths. An ignored word makes a wrong draft. */
export function unknownWords(table: Json): string[] {
  const found: string[] = [];
  const look = (of: Json | undefined, kind: keyof typeof mappingWords, at: string): void => {
    if (!isJsonMap(of)) return;
    for (const word of Object.keys(of))
      if (!Object.hasOwn(mappingWords[kind], word)) found.push(`${at}.${word}`);
  };
  const lookAtRule = (rule: Json, at: string): void => {
    if (!isJsonMap(rule)) return;
    look(rule, "rule", at);
    lookAtRules(rule["members"], at);
    for (const [index, more] of [rule["more"] ?? []].flat().entries())
      lookAtRule(more, `${at}.more.${index}`);
  };
  const lookAtRules = (rules: Json | undefined, at: string): void => {
    for (const [name, rule] of entriesOf(rules)) lookAtRule(rule, `${at}.${name}`);
  };
  const lookAtType = (type: Json, at: string): void => {
    if (!isJsonMap(type)) return;
    look(type, "type", at);
    lookAtRules(type["properties"], at);
    for (const [index, beside] of [type["beside"] ?? []].flat().entries()) {
      look(beside, "beside", `${at}.beside.${index}`);
      lookAtRules(isJsonMap(beside) ? beside["members"] : undefined, `${at}.beside.${index}`);
    }
  };
  if (!isJsonMap(table)) return ["."];
  look(table, "table", "");
  lookAtRules(table["common"], "common");
  for (const [name, type] of entriesOf(table["types"])) lookAtType(type, name);
  for (const [name, variant] of entriesOf(table["variants"])) {
    look(variant, "variants", name);
    for (const [kind, type] of entriesOf(isJsonMap(variant) ? variant["of"] : undefined))
      lookAtType(type, `${name} ${kind}`);
  }
  for (const [name, part] of entriesOf(table["parts"])) {
    look(part, "part", name);
    lookAtRules(isJsonMap(part) ? part["properties"] : undefined, name);
  }
  return found;
}

function entriesOf(of: Json | undefined): [string, Json][] {
  return isJsonMap(of) ? Object.entries(of) : [];
}
