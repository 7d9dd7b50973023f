import { describe, expect, it } from "vitest";
import { mappingWords } from "#importers/mappings/mapping-words.ts";
import type { MappingTable, TypeMapping } from "#importers/mappings/type-mapping.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";

const text: ValueShape = { type: "string" };
const body = { properties: { Name: text, Label: text } };
const types = {
  "aws:AWS::Fake::Thing": knownType(
    {
      properties: {
        Name: text,
        Label: text,
        Size: { type: "integer" },
        Body: { type: "object", object: body },
      },
    },
    { outputs: ["Arn", "Addresses", "Number", "Body"], identifier: ["Name"] },
  ),
  "aws:AWS::Fake::User": knownType({ properties: { Name: text, Label: text } }),
};

async function drafted(mapping: Partial<TypeMapping>, settings: string, more = "") {
  const table: MappingTable = {
    provider: "fake",
    naming: "pascal",
    common: { timeouts: null, title: "Label" },
    types: {
      fake_thing: { type: "aws:AWS::Fake::Thing", ...mapping },
      fake_user: { type: "aws:AWS::Fake::User" },
    },
  };
  const source = `resource "fake_thing" "this" {\n ${settings}\n }\n ${more}`;
  const { resources, gaps, config, draft } = await draftOfTable(table, types, source);
  const thing = resources["thing"];
  return {
    thing,
    properties: thing?.properties,
    user: resources["user"]?.properties,
    gaps,
    config,
    draft,
  };
}

const user = (settings: string) => `resource "fake_user" "this" {\n ${settings}\n }`;

describe("the words of types", () => {
  const tests: Readonly<Record<keyof TypeMapping, () => Promise<void>>> = {
    type: async () => {
      expect((await drafted({}, `name = "a"`)).thing?.type).toBe("aws:AWS::Fake::Thing");
    },
    under: async () => {
      const properties = { body_label: "Body.Label", exact: true } as const;
      const made = await drafted({ under: "Body", properties }, `name = "a"\n body_label = "b"`);
      expect(made.properties).toEqual({ Body: { Name: "a", Label: "b" } });
      expect((await drafted({ under: "Body" }, "")).properties).toEqual({});
      const secret = await drafted({ under: "Body", properties }, 'body_label_wo = "canary"');
      expect(secret.properties).toEqual({ Body: { Label: "${thisBodyLabel}" } });
    },
    unless: async () => {
      const { thing, gaps } = await drafted({ unless: ["self"] }, `name = "a"\n self = true`);
      expect([thing, gaps]).toEqual([undefined, ["fake_thing.this"]]);
      const made = await drafted({ unless: ["self"], properties: { self: null } }, `self = false`);
      expect(made.properties).toEqual({});
    },
    unset: async () => {
      const unset = { size: -1 };
      const settings = (size: string) => `name = "a"\n size = ${size}`;
      expect((await drafted({ unset }, settings("-1"))).properties).toEqual({ Name: "a" });
      expect((await drafted({ unset }, settings("2"))).properties).toMatchObject({ Size: 2 });
      const open = await drafted(
        { unset },
        settings("var.size"),
        'variable "size" { default = -1 }',
      );
      expect(open.properties).toMatchObject({ Size: "${(size == -1 ? omit() : size)}" });
      const without = { unset: { empties: "false" } };
      expect((await drafted(without, "empties = false")).gaps).toEqual([]);
      expect((await drafted(without, "empties = true")).gaps).toEqual(["fake_thing.this empties"]);
    },
    protectedBy: async () => {
      const optionsOf = async (settings: string) => {
        const { thing, gaps } = await drafted(
          { protectedBy: "guard" },
          `name = "a"\n ${settings}`,
          'variable "on" { default = true }',
        );
        return [thing?.options, gaps];
      };
      expect(await optionsOf("")).toEqual([{ protect: true }, []]);
      expect(await optionsOf("guard = true")).toEqual([{ protect: true }, []]);
      expect(await optionsOf("guard = false")).toEqual([undefined, []]);
      expect(await optionsOf("guard = var.on")).toEqual([
        { protect: true },
        ["fake_thing.this guard"],
      ]);
    },
    properties: async () => {
      const made = await drafted({ properties: { title: "Name" } }, `title = "a"`);
      expect(made.properties).toEqual({ Name: "a" });
    },
    set: async () => {
      const made = await drafted({ set: { "Body.Name": "fixed" } }, `name = "a"`);
      expect(made.properties).toEqual({ Name: "a", Body: { Name: "fixed" } });
    },
    defaults: async () => {
      const defaults = { Name: "initial", "Body.Label": "l" };
      const made = await drafted({ defaults }, `name = "a"\n label = null`);
      expect(made.properties).toEqual({ Name: "a", Body: { Label: "l" } });
    },
    outputs: async () => {
      const outputs = {
        id: "Number",
        "addresses.0.ip": "Addresses.0.Ip",
        secret: null,
        renamed: "Arn",
      };
      const read = async (attribute: string) =>
        (await drafted({ outputs }, "", user(`name = fake_thing.this.${attribute}`))).user;
      expect(await read("id")).toEqual({ Name: "${thing.Number}" });
      expect(await read("renamed")).toEqual({ Name: "${thing.Arn}" });
      expect(await read("addresses[0].ip")).toEqual({ Name: "${thing.Addresses[0].Ip}" });
      expect(await read("secret")).toEqual({ Name: "${fakeThingThisSecret}" });
      expect(await read("body[0].label")).toEqual({ Name: "${thing.Body.Label}" });
    },
    constants: async () => {
      const constants = { zone: "Z1" };
      const made = await drafted({ constants }, "", user("name = fake_thing.this.zone"));
      expect(made.user).toEqual({ Name: "Z1" });
    },
    beside: async () => {
      const beside = [{ each: "owner", type: "aws:AWS::Fake::User", of: "Name", to: "Label" }];
      const made = await drafted({ beside }, `owner = "a"`);
      expect(made.properties).toEqual({});
      expect(made.draft).toMatchObject({ mapped: 1, partlyMapped: 0, notMapped: 0 });
    },
    id: async () => {
      const adopted = async (id: TypeMapping["id"]) => {
        const mapping = { type: "aws:AWS::Fake::Thing", ...(id === undefined ? {} : { id }) };
        const table: MappingTable = {
          provider: "fake",
          naming: "pascal",
          types: { fake_thing: mapping },
        };
        const ids = new Map([
          ["fake_thing.this", { id: "a/b/c", names: new Map([["name", "n"]]) }],
        ]);
        const made = await draftOfTable(table, types, `resource "fake_thing" "this" {}`, ids);
        return made.resources["thing"]?.options;
      };
      expect(await adopted(undefined)).toEqual({ import: "a/b/c" });
      expect(await adopted("last")).toEqual({ import: "c" });
      expect(await adopted("{name}/x")).toEqual({ import: "n/x" });
      expect(await adopted("none")).toBeUndefined();
    },
  };

  it("have a test each", () => {
    expect(Object.keys(tests).toSorted()).toEqual(Object.keys(mappingWords.type).toSorted());
  });

  it.each(Object.entries(tests))("`%s` is known", async (_, test) => {
    await expect(test()).resolves.toBeUndefined();
  });
});

describe("a common rule", () => {
  it("loses to the type's own, and is a gap where the type lacks its path", async () => {
    const { properties } = await drafted({}, `title = "a"`);
    expect(properties).toEqual({ Label: "a" });
    const table: MappingTable = {
      provider: "fake",
      naming: "pascal",
      common: { title: "Missing" },
      types: { fake_user: { type: "aws:AWS::Fake::User" } },
    };
    const lacking = await draftOfTable(table, types, user(`name = "a"\n title = "t"`));
    expect(lacking.resources["user"]?.properties).toEqual({ Name: "a" });
    expect(lacking.gaps).toEqual(["fake_user.this title"]);
    expect(lacking.draft.unsupported).toMatchObject([{ code: "no_property" }]);
  });
});

describe("a type that depends on an argument", () => {
  const table: MappingTable = {
    provider: "fake",
    naming: "pascal",
    types: {},
    variants: {
      fake_rule: {
        by: "kind",
        of: {
          in: { type: "aws:AWS::Fake::Thing", properties: { kind: null } },
          out: { type: "aws:AWS::Fake::User", properties: { kind: null } },
        },
      },
    },
  };

  it("is the type of the literal value", async () => {
    const rule = (label: string, kind: string) =>
      `resource "fake_rule" "${label}" {\n kind = ${kind}\n name = "n"\n }\n`;
    const source =
      rule("a", `"in"`) + rule("b", `"out"`) + rule("c", `"other"`) + rule("d", "var.kind");
    const { resources, gaps } = await draftOfTable(table, types, `${source} variable "kind" {}`);
    expect(resources).toEqual({
      ruleA: { type: "aws:AWS::Fake::Thing", properties: { Name: "n" } },
      ruleB: { type: "aws:AWS::Fake::User", properties: { Name: "n" } },
    });
    expect(gaps).toEqual(["fake_rule.c", "fake_rule.d"]);
  });
});
