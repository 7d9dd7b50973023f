import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogueFor } from "#providers/catalogue/catalogue.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { mappingsOf, rulesIn, tableProblems } from "#test/support/mapping-problems.ts";
import { loadMappings } from "./load-mappings.ts";
import type { MappingTable, TypeMapping } from "./type-mapping.ts";

const folder = new URL(".", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const tables = files.map((name): [string, MappingTable] => [
  name.replace(".json", ""),
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as MappingTable,
]);

const keysOf = {
  table: ["provider", "naming", "madeFromVendor", "common", "types", "variants", "parts"],
  variants: ["by", "of"],
  part: ["partOf", "type", "item", "defaults", "unless", "properties"],
  beside: ["each", "type", "of", "members", "to", "set"],
  type: [
    "type",
    "under",
    "unless",
    "properties",
    "set",
    "defaults",
    "outputs",
    "constants",
    "beside",
    "id",
  ],
  rule: [
    "to",
    "members",
    "values",
    "as",
    "many",
    "one",
    "each",
    "defaults",
    "wrap",
    "pair",
    "rewrites",
    "also",
    "reads",
    "onlyReferences",
    "onlyValues",
    "weak",
    "more",
  ],
};

function unknownKeys(of: object, known: readonly string[], at: string): string[] {
  return Object.keys(of).flatMap((key) => (known.includes(key) ? [] : [`${at}.${key}`]));
}

function unknownRuleKeys(rules: TypeMapping["properties"], at: string): string[] {
  return Object.entries(rules ?? {}).flatMap(([name, mapping]) =>
    rulesIn(mapping).flatMap((rule) => [
      ...unknownKeys(rule, keysOf.rule, `${at}.${name}`),
      ...unknownRuleKeys(rule.members, `${at}.${name}`),
    ]),
  );
}

/** Azure's types beyond the verified ones, of which only the operator's catalogue may know more than the name. */
const isOpenType = /^azure:Microsoft\.[A-Za-z.]+(?:\/[A-Za-z]+)+@\d{4}-\d\d-\d\d$/;

describe.each(tables)("the table of %s", (name, table) => {
  it("has the form of tables, so that no rule is ignored", () => {
    expect(table.provider).toBe(name);
    expect(["same", "camel", "pascal"]).toContain(table.naming);
    expect([
      ...unknownKeys(table, keysOf.table, name),
      ...unknownRuleKeys(table.common, "common"),
      ...mappingsOf(table).flatMap(([source, mapping]) => [
        ...unknownKeys(mapping, keysOf.type, source),
        ...unknownRuleKeys(mapping.properties, source),
        ...(mapping.beside ?? []).flatMap((one) => [
          ...unknownKeys(one, keysOf.beside, source),
          ...unknownRuleKeys(one.members, source),
        ]),
      ]),
      ...Object.entries(table.variants ?? {}).flatMap(([source, one]) =>
        unknownKeys(one, keysOf.variants, source),
      ),
      ...Object.entries(table.parts ?? {}).flatMap(([source, part]) => [
        ...unknownKeys(part, keysOf.part, source),
        ...unknownRuleKeys(part.properties, source),
      ]),
    ]).toEqual([]);
    const sources = [table.types, table.variants, table.parts].flatMap((one) =>
      Object.keys(one ?? {}),
    );
    for (const source of sources) expect(source).toMatch(new RegExp(`^${name}_`));
    expect(new Set(sources).size).toBe(sources.length);
  });

  it("names types and properties that there are, and says nothing twice", async () => {
    const types = [
      ...mappingsOf(table).flatMap(([, { type, beside = [] }]) => [
        type,
        ...beside.map((one) => one.type),
      ]),
      ...Object.values(table.parts ?? {}).map(({ type }) => type),
    ];
    const catalogue = await catalogueFor(types, builtAssets);
    const factsOf = (type: string): TypeFacts | undefined => catalogue.facts(type);
    const unknown = types.filter((type) => factsOf(type) === undefined && !isOpenType.test(type));
    expect(unknown).toEqual([]);
    expect(tableProblems(table, factsOf)).toEqual([]);
  });

  it("is what an import reads", async () => {
    const read = await loadMappings([name], builtAssets, new Map());
    expect(read.get(name)).toEqual(table);
  });
});
