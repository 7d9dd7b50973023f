import { describe, expect, it } from "vitest";
import { mappingWords } from "#importers/mappings/mapping-words.ts";
import type { MappingTable, PartMapping } from "#importers/mappings/type-mapping.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";

const text: ValueShape = { type: "string" };
const item: ValueShape = {
  type: "object",
  object: { properties: { Id: text, Mode: text, Size: { type: "integer" } }, required: ["Id"] },
};
const types = {
  "aws:AWS::Fake::Box": knownType(
    {
      properties: {
        Name: text,
        Mode: text,
        Lid: { type: "object", object: { properties: { Color: text, Mode: text } } },
        Items: { type: "array", items: item },
      },
    },
    { outputs: ["Arn"] },
  ),
  "aws:AWS::Fake::Other": knownType({ properties: { Name: text } }, { outputs: ["Arn"] }),
};

async function drafted(
  part: Partial<PartMapping>,
  source: string,
  files: Readonly<Record<string, string>> = {},
) {
  const table: MappingTable = {
    provider: "fake",
    naming: "pascal",
    types: {
      fake_box: { type: "aws:AWS::Fake::Box", outputs: { name: "id" } },
      fake_other: { type: "aws:AWS::Fake::Other" },
    },
    parts: { fake_part: { partOf: "box", type: "aws:AWS::Fake::Box", ...part } },
  };
  const { resources, gaps, draft, outputs, config } = await draftOfTable(table, types, {
    "main.tf": source,
    ...files,
  });
  const { mapped, partlyMapped, notMapped } = draft;
  return {
    resources,
    box: resources["box"]?.properties,
    gaps,
    outputs,
    config,
    counts: [mapped, partlyMapped, notMapped],
  };
}

const box = `resource "fake_box" "this" {\n name = "b"\n }\n`;
const part = (settings: string, label = "this") =>
  `resource "fake_part" "${label}" {\n ${settings}\n }\n`;

describe("the words of parts", () => {
  const tests: Readonly<Record<keyof PartMapping, () => Promise<void>>> = {
    partOf: async () => {
      const made = await drafted({}, `${box}${part('box = fake_box.this.id\n mode = "m"')}`);
      expect(made).toMatchObject({ box: { Name: "b", Mode: "m" }, gaps: [], counts: [2, 0, 0] });
    },
    type: async () => {
      const other = `resource "fake_other" "this" {}\n`;
      const made = await drafted({}, `${other}${part('box = fake_other.this.id\n mode = "m"')}`);
      expect(made).toMatchObject({ gaps: ["fake_part.this"], counts: [1, 0, 1] });
      expect(made.resources["other"]?.properties).toEqual({});
    },
    item: async () => {
      const source =
        part(`box = fake_box.this.id\n id = "1"`, "a") +
        part(`box = fake_box.this.id\n size = 2`, "b");
      const made = await drafted({ item: "Items" }, box + source);
      expect(made.box).toEqual({ Name: "b", Items: [{ Id: "1" }, { Size: 2, Id: "${bId}" }] });
      expect(made.counts).toEqual([3, 0, 0]);
    },
    defaults: async () => {
      const defaults = { Mode: "initial" };
      const source =
        part(`box = fake_box.this.id\n id = "1"`, "a") +
        part(`box = fake_box.this.id\n id = "2"\n mode = "m"`, "b");
      const made = await drafted({ item: "Items", defaults }, box + source);
      expect(made.box?.["Items"]).toEqual([
        { Id: "1", Mode: "initial" },
        { Id: "2", Mode: "m" },
      ]);
    },
    unless: async () => {
      const made = await drafted(
        { unless: ["binary"] },
        box + part(`box = fake_box.this.id\n binary = "x"`),
      );
      expect(made).toMatchObject({
        box: { Name: "b" },
        gaps: ["fake_part.this"],
        counts: [1, 0, 1],
      });
    },
    properties: async () => {
      const properties = { color: "Lid.Color", unknown: null } as const;
      const source = `box = fake_box.this.id\n color = "red"\n unknown = 1\n strange = 2`;
      const made = await drafted({ properties }, box + part(source));
      expect(made.box).toEqual({ Name: "b", Lid: { Color: "red" } });
      expect([made.gaps, made.counts]).toEqual([["fake_part.this strange"], [1, 1, 0]]);
    },
  };

  it("have a test each", () => {
    expect(Object.keys(tests).toSorted()).toEqual(Object.keys(mappingWords.part).toSorted());
  });

  it.each(Object.entries(tests))("`%s` is known", async (_, test) => {
    await expect(test()).resolves.toBeUndefined();
  });
});

describe("a part", () => {
  it("is a gap where its object is missing or unknown", async () => {
    const counted = `resource "fake_box" "this" {\n count = var.many\n }\n variable "many" {}\n`;
    const far =
      part(`box = fake_box.this[0].id`) +
      part(`box = "a-name"`, "named") +
      part(`mode = "m"`, "none");
    const made = await drafted({}, counted + far);
    expect(made.gaps.toSorted()).toEqual([
      "fake_box.this",
      "fake_part.named",
      "fake_part.none",
      "fake_part.this",
    ]);
    expect(made.resources).toEqual({});
  });

  it("finds its object through locals, variables and outputs of modules", async () => {
    const source = `
      ${box}
      module "lid" {
        source = "./lid"
        box    = local.box
      }
      locals { box = fake_box.this.name }`;
    const lid = `variable "box" {}\n${part(`box = var.box\n mode = "m"`)}`;
    const made = await drafted({}, source, { "lid/main.tf": lid });
    expect(made).toMatchObject({ box: { Name: "b", Mode: "m" }, gaps: [], counts: [2, 0, 0] });
  });

  it("stands for its object in references, unless it is an item of a list", async () => {
    const source = `
      ${box}${part(`box = fake_box.this.id\n mode = "m"`)}
      resource "fake_other" "this" {
        name       = fake_part.this.box
        depends_on = [fake_part.this]
      }
      output "id" { value = fake_part.this.id }`;
    const made = await drafted({}, source);
    expect(made.resources["other"]).toMatchObject({
      properties: { Name: "${box.id}" },
      options: { dependsOn: ["${box}"] },
    });
    expect(made.outputs).toEqual({ id: "${box.id}" });
    const ofItem = await drafted({ item: "Items" }, source);
    expect([ofItem.outputs, ofItem.gaps]).toEqual([{}, ["output.id"]]);
  });

  it("is a gap where its object would wait for an object that needs it", async () => {
    const source = `
      ${box}
      resource "fake_other" "this" { name = fake_box.this.arn }
      ${part(`box = fake_box.this.id\n mode = fake_other.this.arn`)}
      ${part(`box = fake_box.this.id\n name = "n"`, "right")}`;
    const made = await drafted({}, source);
    expect(made.box).toEqual({ Name: "n" });
    expect(made.resources["other"]?.properties).toEqual({ Name: "${box.Arn}" });
    expect([made.gaps, made.counts]).toEqual([["fake_part.this"], [3, 0, 1]]);
  });

  it("is partly mapped where the check refuses a property", async () => {
    const source = part(`box = fake_box.this.id\n id = "1"\n size = "no number"`);
    const made = await drafted({ item: "Items" }, box + source);
    expect(made.box).toEqual({ Name: "b", Items: [{ Id: "1" }] });
    expect(made.gaps).toEqual(["fake_part.this Items.0.Size"]);
    expect(made.counts).toEqual([1, 1, 0]);
  });

  it("repeats a value of its object, which cannot refer to itself", async () => {
    const source = box + part(`box = fake_box.this.id\n mode = fake_box.this.name`);
    const made = await drafted({}, source);
    expect(made).toMatchObject({ box: { Name: "b", Mode: "b" }, gaps: [], counts: [2, 0, 0] });
    const own = await drafted({}, box + part(`box = fake_box.this.id\n mode = fake_box.this.arn`));
    expect([own.box, own.gaps]).toEqual([{ Name: "b" }, ["fake_part.this mode"]]);
  });
});
