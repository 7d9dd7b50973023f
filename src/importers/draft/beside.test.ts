import { describe, expect, it } from "vitest";
import { mappingWords } from "#importers/mappings/mapping-words.ts";
import type { BesideMapping, MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";

const text: ValueShape = { type: "string" };
const types = {
  "aws:AWS::Fake::Table": knownType({ properties: { Name: text } }, { outputs: ["Arn", "Number"] }),
  "aws:AWS::Fake::Route": knownType({
    properties: { TableId: text, Target: text, Mode: text, Size: { type: "integer" } },
    required: ["TableId", "Target"],
  }),
};

async function drafted(
  beside: Partial<BesideMapping>,
  source: string,
  outputs: Readonly<Record<string, string>> = {},
) {
  const table: MappingTable = {
    provider: "fake",
    naming: "pascal",
    types: {
      fake_table: {
        type: "aws:AWS::Fake::Table",
        outputs,
        beside: [{ each: "route", type: "aws:AWS::Fake::Route", of: "TableId", ...beside }],
      },
      fake_plain: { type: "aws:AWS::Fake::Table" },
    },
  };
  const { resources, gaps, draft, config } = await draftOfTable(table, types, source);
  const { mapped, partlyMapped, notMapped } = draft;
  return { resources, gaps, config, counts: [mapped, partlyMapped, notMapped] };
}

const table = (settings: string, more = "") =>
  `resource "fake_table" "this" {\n ${settings}\n }\n${more}`;
const route = (settings: string) => `route {\n ${settings}\n }\n`;
const type = "aws:AWS::Fake::Route";
const own = { type: "aws:AWS::Fake::Table", properties: {} };

describe("the words of objects beside a resource", () => {
  const tests: Readonly<Record<keyof BesideMapping, () => Promise<void>>> = {
    each: async () => {
      const made = await drafted({}, table(route(`target = "a"`) + route(`target = "b"`)));
      expect(made).toEqual({
        resources: {
          table: own,
          tableRoute0: { type, properties: { TableId: "${table.id}", Target: "a" } },
          tableRoute1: { type, properties: { TableId: "${table.id}", Target: "b" } },
        },
        gaps: [],
        config: {},
        counts: [1, 0, 0],
      });
      expect((await drafted({}, table(""))).resources).toEqual({ table: own });
      expect((await drafted({ to: "Target" }, table("route = null"))).resources).toEqual({
        table: own,
      });
    },
    type: async () => {
      const made = await drafted({}, table(route(`target = "a"`)));
      expect(made.resources["tableRoute"]?.type).toBe(type);
    },
    of: async () => {
      const made = await drafted({}, table(route(`target = "a"`)), { id: "Number" });
      expect(made.resources["tableRoute"]?.properties["TableId"]).toBe("${table.Number}");
    },
    members: async () => {
      const members = { goal: "Target", mode: { to: "Mode", values: { a: "A" } } } as const;
      const made = await drafted(
        { members },
        table(route(`goal = "x"\n mode = "a"\n size = 1\n strange = 1`)),
      );
      expect(made.resources["tableRoute"]?.properties).toEqual({
        TableId: "${table.id}",
        Target: "x",
        Mode: "A",
        Size: 1,
      });
      expect([made.gaps, made.counts]).toEqual([["fake_table.this route.strange"], [0, 1, 0]]);
    },
    to: async () => {
      const source = `route = ["a", fake_plain.p.arn]`;
      const made = await drafted({ to: "Target" }, table(source, `resource "fake_plain" "p" {}`));
      const targets = Object.values(made.resources).map(({ properties }) => properties["Target"]);
      expect(targets).toEqual([undefined, "a", "${plainP.Arn}", undefined]);
    },
    set: async () => {
      const made = await drafted({ set: { Mode: "in" } }, table(route(`target = "a"`)));
      expect(made.resources["tableRoute"]?.properties["Mode"]).toBe("in");
    },
  };

  it("have a test each", () => {
    expect(Object.keys(tests).toSorted()).toEqual(Object.keys(mappingWords.beside).toSorted());
  });

  it.each(Object.entries(tests))("`%s` is known", async (_, test) => {
    await expect(test()).resolves.toBeUndefined();
  });
});

describe("an object beside a resource", () => {
  it("is a dependency of objects that need the resource", async () => {
    const source = table(
      route(`target = "a"`),
      `resource "fake_plain" "p" { name = fake_table.this.arn }
       resource "fake_plain" "q" { depends_on = [fake_table.this] }`,
    );
    const { resources } = await drafted({}, source);
    expect(resources["plainP"]?.options).toEqual({ dependsOn: ["${tableRoute}"] });
    expect(resources["plainQ"]?.options).toEqual({ dependsOn: ["${table}", "${tableRoute}"] });
    expect(resources["tableRoute"]?.options).toBeUndefined();
  });

  it("exists for each item of a local or of a variable's default, and the default is listed", async () => {
    const blocks = `[{ target = "a" }, { target = "b" }]`;
    const local = await drafted({}, table("route = local.routes", `locals { routes = ${blocks} }`));
    expect(Object.keys(local.resources)).toEqual(["table", "tableRoute0", "tableRoute1"]);
    expect(local.gaps).toEqual([]);
    const variable = `variable "routes" { default = ${blocks} }`;
    const ofVariable = await drafted({}, table("route = var.routes", variable));
    expect(Object.keys(ofVariable.resources)).toEqual(["table", "tableRoute0", "tableRoute1"]);
    expect(ofVariable.gaps).toEqual(["fake_table.this route[0]", "fake_table.this route[1]"]);
  });

  it("does not exist where its block is computed", async () => {
    const made = await drafted({}, table("route = var.routes", `variable "routes" {}`));
    expect(made).toMatchObject({ resources: { table: own }, gaps: ["fake_table.this route"] });
    expect(Object.keys(made.resources)).toEqual(["table"]);
  });
});
