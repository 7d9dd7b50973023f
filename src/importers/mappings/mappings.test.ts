import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import { catalogueFor } from "#providers/catalogue/catalogue.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { mappingsOf, tableProblems } from "#test/support/mapping-problems.ts";
import { loadMappings } from "./load-mappings.ts";
import { unknownWords } from "./mapping-words.ts";
import type { MappingTable } from "./type-mapping.ts";

const folder = new URL(".", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const tables = files.map((name): [string, MappingTable] => [
  name.replace(".json", ""),
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as MappingTable,
]);

/** Azure types beyond the verified ones. Only the operator's catalogue may know more of them than the name. */
const isOpenType = /^azure:Microsoft\.[A-Za-z.]+(?:\/[A-Za-z]+)+@\d{4}-\d\d-\d\d$/;

describe.each(tables)("the table of %s", (name, table) => {
  it("has only known words, so that no rule is ignored", () => {
    expect(table.provider).toBe(name);
    expect(["same", "camel", "pascal"]).toContain(table.naming);
    expect(unknownWords(table as unknown as Json)).toEqual([]);
    const sources = [table.types, table.variants, table.parts].flatMap((one) =>
      Object.keys(one ?? {}),
    );
    for (const source of sources) expect(source).toMatch(new RegExp(`^${name}_`));
    expect(new Set(sources).size).toBe(sources.length);
  });

  it("names existing types and properties, and has no duplicate rules", async () => {
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

  it("is loaded by an import", async () => {
    const read = await loadMappings([name], builtAssets, new Map());
    expect(read.get(name)).toEqual(table);
  });
});
