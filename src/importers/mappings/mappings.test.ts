import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogueFor } from "#providers/catalogue/catalogue.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { commonProblems, problemsOf } from "#test/support/mapping-problems.ts";
import { loadMappings } from "./load-mappings.ts";
import type { MappingTable, TypeMapping } from "./type-mapping.ts";

const folder = new URL(".", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const tables = files.map((name): [string, MappingTable] => [
  name.replace(".json", ""),
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as MappingTable,
]);

const keysOf = {
  table: ["provider", "naming", "madeFromVendor", "common", "types"],
  type: ["type", "under", "unless", "properties", "set", "defaults", "outputs", "id"],
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
  ],
};

function unknownKeys(of: object, known: readonly string[], at: string): string[] {
  return Object.keys(of).flatMap((key) => (known.includes(key) ? [] : [`${at}.${key}`]));
}

function unknownRuleKeys(rules: TypeMapping["properties"], at: string): string[] {
  return Object.entries(rules ?? {}).flatMap(([name, rule]) =>
    typeof rule !== "object" || rule === null
      ? []
      : [
          ...unknownKeys(rule, keysOf.rule, `${at}.${name}`),
          ...unknownRuleKeys(rule.members, `${at}.${name}`),
        ],
  );
}

describe.each(tables)("the table of %s", (name, table) => {
  it("has the form of tables, so that no rule is ignored", () => {
    expect(table.provider).toBe(name);
    expect(["same", "camel", "pascal"]).toContain(table.naming);
    expect([
      ...unknownKeys(table, keysOf.table, name),
      ...unknownRuleKeys(table.common, "common"),
      ...Object.entries(table.types).flatMap(([source, mapping]) => [
        ...unknownKeys(mapping, keysOf.type, source),
        ...unknownRuleKeys(mapping.properties, source),
      ]),
    ]).toEqual([]);
    for (const source of Object.keys(table.types)) expect(source).toMatch(new RegExp(`^${name}_`));
  });

  it("names types and properties that there are, and says nothing twice", async () => {
    const types = Object.values(table.types).map(({ type }) => type);
    const catalogue = await catalogueFor(types, builtAssets);
    const problems = Object.entries(table.types).flatMap(([source, mapping]) => {
      const facts = catalogue.facts(mapping.type);
      if (facts !== undefined) return problemsOf(table, source, mapping, facts);
      const isOpen = /^azure:Microsoft\.[A-Za-z.]+(?:\/[A-Za-z]+)+@\d{4}-\d\d-\d\d$/.test(
        mapping.type,
      );
      return isOpen ? [] : [`${source}: there is no type ${mapping.type}`];
    });
    expect([...problems, ...commonProblems(table, (type) => catalogue.facts(type))]).toEqual([]);
  });

  it("is what an import reads", async () => {
    const read = await loadMappings([name], builtAssets, new Map());
    expect(read.get(name)).toEqual(table);
  });
});
