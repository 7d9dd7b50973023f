import { describe, expect, it } from "vitest";
import { mappingWords } from "#importers/mappings/mapping-words.ts";
import type {
  MappingTable,
  PropertyMapping,
  PropertyRule,
} from "#importers/mappings/type-mapping.ts";
import type { Json } from "#platform/json.ts";
import type { ObjectShape, TypeFacts, ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";

const text: ValueShape = { type: "string" };
const texts: ValueShape = { type: "array", items: text };
const flag: ValueShape = { type: "boolean" };
const number: ValueShape = { type: "integer" };
const pairs: ValueShape = {
  type: "array",
  items: { type: "object", object: { properties: { Key: text, Value: text, Name: text } } },
};
const block: ObjectShape = { properties: { Name: text, Size: number, Mode: text, Ids: texts } };
const map: ValueShape = { type: "object", items: text };

const shape: ObjectShape = {
  properties: {
    Name: text,
    Label: text,
    Flag: flag,
    Size: number,
    Texts: texts,
    Pairs: pairs,
    Map: map,
    Block: { type: "object", object: block },
    Blocks: { type: "array", items: { type: "object", object: block } },
    Document: { type: "object", object: { properties: { KnownKey: text } } },
    Deep: {
      type: "object",
      object: { properties: { Name: text, Block: { type: "object", object: block } } },
    },
  },
};

function tableOf(
  properties: Readonly<Record<string, PropertyMapping>>,
  more: Partial<MappingTable> = {},
): MappingTable {
  const type = "aws:AWS::Fake::Thing";
  const types = { fake_thing: { type, properties }, fake_other: { type: "aws:AWS::Fake::Other" } };
  return { provider: "fake", naming: "pascal", types, ...more };
}

const other = knownType(
  { properties: { Name: text } },
  { outputs: ["Arn", "CustomerId", "Keys"], identifier: ["Name"] },
);

async function made(
  rules: Readonly<Record<string, PropertyMapping>>,
  settings: string,
  { facts = knownType(shape), outside = "" }: { facts?: TypeFacts; outside?: string } = {},
) {
  const source = `
    resource "fake_other" "main" {
      name = "o"
    }
    resource "fake_thing" "this" {
      ${settings}
    }
    ${outside}
  `;
  const types = { "aws:AWS::Fake::Thing": facts, "aws:AWS::Fake::Other": other };
  const { resources, config, gaps } = await draftOfTable(tableOf(rules), types, source);
  return { properties: resources["thing"]?.properties ?? {}, config, gaps };
}

interface Case {
  does: string;
  rules: Readonly<Record<string, PropertyMapping>>;
  settings: string;
  outside?: string;
  properties: Json;
  gaps?: readonly string[];
}

const listed = (path: string) => `fake_thing.this ${path}`;

/** Every word of the form has cases. A word without cases does not compile. */
const cases: Readonly<Record<keyof PropertyRule, readonly Case[]>> = {
  to: [
    {
      does: "is the path of our property",
      rules: { title: { to: "Deep.Name" } },
      settings: `title = "a"`,
      properties: { Deep: { Name: "a" } },
    },
    {
      does: "puts the members of a block in place of the block",
      rules: { wrapper: { to: "", members: { title: "Label" } } },
      settings: `wrapper {\n title = "a"\n name = "b"\n }`,
      properties: { Label: "a", Name: "b" },
    },
    {
      does: "is a gap where our type lacks the path",
      rules: { title: { to: "Deep.Missing" } },
      settings: `title = "a"`,
      properties: {},
      gaps: [listed("title")],
    },
  ],
  members: [
    {
      does: "has rules for members of a block, and the naming for the rest",
      rules: { block: { to: "Block", members: { title: "Name" } } },
      settings: `block {\n title = "a"\n size = 2\n }`,
      properties: { Block: { Name: "a", Size: 2 } },
    },
    {
      does: "applies to the value of a local",
      rules: { block: { to: "Block", members: { title: "Name" } } },
      settings: `block = local.block`,
      outside: `locals { block = { title = "a" } }`,
      properties: { Block: { Name: "a" } },
    },
    {
      does: "applies to the default of a variable, which is listed",
      rules: { block: { to: "Block", members: { title: "Name" } } },
      settings: `block = var.block`,
      outside: `variable "block" {\n type = object({ title = string })\n default = { title = "a" }\n }`,
      properties: { Block: { Name: "a" } },
      gaps: [listed("block")],
    },
    {
      does: "is a gap for a variable without a default",
      rules: { block: { to: "Block", members: { title: "Name" } } },
      settings: `block = var.block`,
      outside: `variable "block" { type = object({ title = string }) }`,
      properties: {},
      gaps: [listed("block")],
    },
  ],
  values: [
    {
      does: "converts a text to our value, and leaves others",
      rules: {
        name: { to: "Name", values: { a: "A" } },
        label: { to: "Label", values: { a: "A" } },
      },
      settings: `name = "a"\n label = "b"`,
      properties: { Name: "A", Label: "b" },
    },
    {
      does: "converts flags, numbers and the items of lists",
      rules: {
        flag: { to: "Name", values: { true: "on", false: "off" } },
        size: { to: "Label", values: { "1": "small" } },
        texts: { to: "Texts", values: { a: "A" } },
      },
      settings: `flag = false\n size = 1\n texts = ["a", "b"]`,
      properties: { Name: "off", Label: "small", Texts: ["A", "b"] },
    },
    {
      does: "leaves out a value that maps to null, without listing it",
      rules: { flag: { to: "Flag", onlyValues: true, values: { true: true, false: null } } },
      settings: `flag = false`,
      properties: {},
    },
    {
      does: "asks for a variable's value in our words, with the default converted",
      rules: { enabled: { to: "Name", values: { true: "on", false: "off" } } },
      settings: `enabled = var.enabled`,
      outside: `variable "enabled" { default = true }`,
      properties: { Name: "${thisEnabled}" },
    },
  ],
  as: [
    {
      does: "converts a map to pairs",
      rules: { tags: { to: "Pairs", as: "pairs" } },
      settings: `tags = { a = "x", "b c" = "y" }`,
      properties: {
        Pairs: [
          { Key: "a", Value: "x" },
          { Key: "b c", Value: "y" },
        ],
      },
    },
    {
      does: "converts the map of a variable to pairs",
      rules: { tags: { to: "Pairs", as: "pairs" } },
      settings: `tags = var.tags`,
      outside: `variable "tags" { default = { a = "x" } }`,
      properties: { Pairs: '${tags.transformList(key, one, {"Key": key, "Value": string(one)})}' },
    },
    {
      does: "converts pairs to a map",
      rules: { tags: { to: "Map", as: "entries" } },
      settings: `tags = [{ key = "a", value = "x" }]`,
      properties: { Map: { a: "x" } },
    },
    {
      does: "parses a JSON text, and keeps unknown keys",
      rules: { doc: { to: "Document", as: "parsed" } },
      settings: `doc = jsonencode({ known_key = "a" })`,
      properties: { Document: { KnownKey: "a" } },
    },
    {
      does: "converts numbers to texts, also in lists",
      rules: { size: { to: "Name", as: "text" }, sizes: { to: "Texts", as: "text" } },
      settings: `size = 3\n sizes = [1, true]`,
      properties: { Name: "3", Texts: ["1", "true"] },
    },
    {
      does: "leaves the keys of a map as they are",
      rules: { labels: { to: "Map", as: "keys" } },
      settings: `labels = { snake_case = "a" }`,
      properties: { Map: { snake_case: "a" } },
    },
    {
      does: "encodes a text in base64, also a computed one",
      rules: { data: { to: "Name", as: "base64" }, more: { to: "Label", as: "base64" } },
      settings: `data = "a"\n more = join(",", ["a", fake_other.main.arn])`,
      properties: {
        Name: { "fn::toBase64": "a" },
        Label: { "fn::toBase64": { "fn::join": [",", ["a", "${other.Arn}"]] } },
      },
    },
  ],
  many: [
    {
      does: "wraps a single value in a list",
      rules: { name: { to: "Texts", many: true }, block: { to: "Blocks", many: true } },
      settings: `name = "a"\n block {\n size = 1\n }`,
      properties: { Texts: ["a"], Blocks: [{ Size: 1 }] },
    },
  ],
  one: [
    {
      does: "takes the only item of a list",
      rules: { names: { to: "Name", one: true } },
      settings: `names = ["a"]`,
      properties: { Name: "a" },
    },
    {
      does: "leaves out a longer list, and one of unknown length",
      rules: { names: { to: "Name", one: true }, labels: { to: "Label", one: true } },
      settings: `names = ["a", "b"]\n labels = var.labels`,
      outside: `variable "labels" { type = list(string) }`,
      properties: {},
      gaps: [listed("names"), listed("labels")],
    },
  ],
  each: [
    {
      does: "makes an object of each value, with the shared members",
      rules: { rule: { to: "Blocks", each: { names: "Name", modes: "Mode" } } },
      settings: `rule {\n names = ["a", "b"]\n modes = ["m"]\n size = 1\n }`,
      properties: {
        Blocks: [
          { Name: "a", Size: 1 },
          { Name: "b", Size: 1 },
          { Mode: "m", Size: 1 },
        ],
      },
    },
    {
      does: "lists values that only a variable contains",
      rules: { rule: { to: "Blocks", each: { names: "Name" } } },
      settings: `rule {\n names = var.names\n size = 1\n }`,
      outside: `variable "names" { type = list(string) }`,
      properties: { Blocks: [] },
      gaps: [listed("rule.names")],
    },
  ],
  defaults: [
    {
      does: "fills properties that a block omits",
      rules: { block: { to: "Block", defaults: { Mode: "m", Name: "n" } } },
      settings: `block {\n name = "a"\n }`,
      properties: { Block: { Name: "a", Mode: "m" } },
    },
    {
      does: "fills a wrapped object",
      rules: { ids: { to: "Blocks", wrap: "Name", defaults: { Mode: "m" } } },
      settings: `ids = ["a"]`,
      properties: { Blocks: [{ Name: "a", Mode: "m" }] },
    },
    {
      does: "fills the members in place of a block",
      rules: { wrapper: { to: "", defaults: { Label: "l" } } },
      settings: `wrapper {\n name = "a"\n }`,
      properties: { Name: "a", Label: "l" },
    },
  ],
  pair: [
    {
      does: "names the two members of a pair",
      rules: { tags: { to: "Pairs", as: "pairs", pair: ["Name", "Value"] } },
      settings: `tags = { a = "x" }`,
      properties: { Pairs: [{ Name: "a", Value: "x" }] },
    },
  ],
  rewrites: [
    {
      does: "rewrites a text by the first pattern that matches the whole",
      rules: {
        name: {
          to: "Name",
          rewrites: [
            ["([a-z]+)/([a-z]+)", "$2 of $1"],
            ["[a-z]+", "all/$0/{label}"],
          ],
        },
      },
      settings: `name = "abc"\n label = "l"`,
      properties: { Name: "all/abc/l", Label: "l" },
    },
    {
      does: "uses the groups, and leaves a text without a match",
      rules: { texts: { to: "Texts", rewrites: [["([a-z]+)/([a-z]+)", "$2 of $1"]] } },
      settings: `texts = ["a/b", "A"]`,
      properties: { Texts: ["b of a", "A"] },
    },
    {
      does: "rewrites an id by a pattern for ids, and not by one for names",
      rules: {
        name: { to: "Name", reads: "id", rewrites: [["/.+", "$0/part"]] },
        label: { to: "Label", rewrites: [["[^/]+", "all/$0"]] },
      },
      settings: `name = fake_other.main.name\n label = fake_other.main.id`,
      properties: { Name: "${other.id}/part", Label: "${other.id}" },
    },
    {
      does: "inserts a variable into the first pattern's text",
      rules: { name: { to: "Name", rewrites: [["[a-z]+", "all/$0"]] } },
      settings: `name = var.kind`,
      outside: `variable "kind" { default = "abc" }`,
      properties: { Name: "all/${kind}" },
    },
  ],
  also: [
    {
      does: "adds values where the property is present",
      rules: {
        name: { to: "Name", also: { Label: "l" } },
        flag: { to: "Flag", also: { Size: 1 } },
      },
      settings: `name = "a"`,
      properties: { Name: "a", Label: "l" },
    },
  ],
  wrap: [
    {
      does: "makes an object of each item, or of a single value",
      rules: { ids: { to: "Blocks", wrap: "Name" }, id: { to: "Deep", wrap: "Block.Name" } },
      settings: `ids = ["a", fake_other.main.id]\n id = "b"`,
      properties: {
        Blocks: [{ Name: "a" }, { Name: "${other.id}" }],
        Deep: { Block: { Name: "b" } },
      },
    },
    {
      does: "is a gap for a list of unknown length",
      rules: { ids: { to: "Blocks", wrap: "Name" } },
      settings: `ids = var.ids`,
      outside: `variable "ids" { type = list(string) }`,
      properties: {},
      gaps: [listed("ids")],
    },
  ],
  reads: [
    {
      does: "reads another output in place of an object's id or name",
      rules: { a: { to: "Name", reads: "CustomerId" }, b: { to: "Label", reads: "Arn" } },
      settings: `a = fake_other.main.name\n b = fake_other.main.id`,
      properties: { Name: "${other.CustomerId}", Label: "${other.Arn}" },
    },
    {
      does: "reads a part of an output by its path",
      rules: { a: { to: "Name", reads: "Keys.0.Value" } },
      settings: `a = fake_other.main.name`,
      properties: { Name: "${other.Keys[0].Value}" },
    },
    {
      does: "asks for the output of an object outside the draft",
      rules: { a: { to: "Name", reads: "CustomerId" } },
      settings: `a = data.fake_other.far.name`,
      outside: `data "fake_other" "far" {}`,
      properties: { Name: "${fakeOtherFarCustomerId}" },
    },
  ],
  onlyReferences: [
    {
      does: "accepts references to objects and changed values, and nothing else",
      rules: {
        name: { to: "Name", onlyReferences: true },
        label: { to: "Label", onlyReferences: true },
        texts: { to: "Texts", onlyReferences: true, values: { all: "ALL" } },
        mode: { to: "Block.Mode", onlyReferences: true },
      },
      settings: `name = fake_other.main.arn\n label = "written"\n texts = ["all"]\n mode = var.mode`,
      outside: `variable "mode" { type = string }`,
      properties: { Name: "${other.Arn}", Texts: ["ALL"] },
      gaps: [listed("label"), listed("mode")],
    },
    {
      does: "accepts a text that a rewrite leaves unchanged",
      rules: { name: { to: "Name", onlyReferences: true, rewrites: [["/.+", "$0"]] } },
      settings: `name = "/subscriptions/x"`,
      properties: { Name: "/subscriptions/x" },
    },
  ],
  onlyValues: [
    {
      does: "accepts only the results of `values`, also unchanged ones",
      rules: {
        flag: { to: "Flag", onlyValues: true, values: { true: true } },
        size: { to: "Size", onlyValues: true, values: { "1": 1024 } },
        name: { to: "Name", onlyValues: true, values: { a: "A" } },
      },
      settings: `flag = true\n size = 3\n name = fake_other.main.arn`,
      properties: { Flag: true },
      gaps: [listed("size"), listed("name")],
    },
  ],
  weak: [
    {
      does: "loses to another argument, whatever their order",
      rules: { a: { to: "Name", weak: true }, b: "Name", c: { to: "Label", weak: true } },
      settings: `a = "weak"\n b = "strong"\n c = "alone"`,
      properties: { Name: "strong", Label: "alone" },
    },
    {
      does: "loses in the rules of `more` too",
      rules: { name: { to: "Name", more: [{ to: "Label", weak: true }] } },
      settings: `name = "a"\n label = "l"`,
      properties: { Name: "a", Label: "l" },
    },
  ],
  more: [
    {
      does: "converts the same argument several times",
      rules: {
        kind: {
          to: "Name",
          more: [{ to: "Label", values: { a: "A" }, more: [{ to: "Block.Name" }] }],
        },
      },
      settings: `kind = "a"`,
      properties: { Name: "a", Label: "A", Block: { Name: "a" } },
    },
  ],
};

it("has cases for every word of rules", () => {
  expect(Object.keys(cases).toSorted()).toEqual(Object.keys(mappingWords.rule).toSorted());
});

describe.each(Object.entries(cases))("the word `%s`", (_, ofWord) => {
  it.each(ofWord.map((one) => [one.does, one] as const))("%s", async (_does, one) => {
    const { rules, settings, outside = "" } = one;
    const { properties, gaps } = await made(rules, settings, { outside });
    expect({ properties, gaps }).toEqual({ properties: one.properties, gaps: one.gaps ?? [] });
  });
});

it("asks for a required property in our words, where the source's value cannot be converted", async () => {
  const facts = knownType({ ...shape, required: ["Size"] });
  const rules = { size: { to: "Size", onlyValues: true, values: { "1": 1024 } } } as const;
  const { properties, config, gaps } = await made(rules, "size = 3", { facts });
  expect(properties).toEqual({ Size: "${thisSize}" });
  expect(config).toEqual({ thisSize: { type: "integer" } });
  expect(gaps).toEqual([]);
});

it("asks with a variable's default in our words", async () => {
  const rules = { enabled: { to: "Name", values: { true: "on", false: "off" } } } as const;
  const { config } = await made(rules, "enabled = var.enabled", {
    outside: `variable "enabled" { default = true }`,
  });
  expect(config).toEqual({ thisEnabled: { type: "string", default: "on" } });
});

describe("members of an unknown shape", () => {
  const open = knownType({ properties: { Name: text, Any: { type: "object" } } });
  const settings = `any {\n first_part = "a"\n second = "b"\n }`;

  it("are left out and listed, unless their rule is true", async () => {
    const rules = { any: { to: "Any", members: { first_part: true } } } as const;
    const { properties, gaps } = await made(rules, settings, { facts: open });
    expect(properties).toEqual({ Any: { FirstPart: "a" } });
    expect(gaps).toEqual([listed("any.second")]);
  });

  it("are kept where the source derives its names from the vendor's", async () => {
    const table = tableOf({}, { madeFromVendor: true });
    const { resources, gaps } = await draftOfTable(
      table,
      { "aws:AWS::Fake::Thing": open },
      `resource "fake_thing" "this" {\n ${settings}\n }`,
    );
    expect(resources["thing"]?.properties).toEqual({ Any: { FirstPart: "a", Second: "b" } });
    expect(gaps).toEqual([]);
  });
});

it("calls no function by the name of a member, whatever letters it has", async () => {
  const { properties, gaps } = await made(
    { labels: { to: "Map", as: "keys" }, document: "Document.KnownKey" },
    `labels = { a = "x", "fn::toBase64" = "y", "FN::secret" = "z" }
     document = { "fn::join" = ["", ["a", "b"]] }`,
  );
  expect(properties).toEqual({ Map: { a: "x" }, Document: { KnownKey: { "fn::toJSON": {} } } });
  expect(gaps).toEqual([
    listed("labels.fn::toBase64"),
    listed("labels.FN::secret"),
    listed("document.fn::join"),
  ]);
});

it("makes no reference of two texts, and escapes no reference by a dollar sign before it", async () => {
  const arn = "${fake_other.main.arn}";
  const { properties } = await made(
    { name: "Name", label: "Label" },
    `name = "\${"$"}{control.tenant.id} ${arn}"\n label = "\${"$"}${arn}"`,
  );
  expect(properties).toEqual({
    Name: "$${control.tenant.id} ${other.Arn}",
    Label: { "fn::join": ["", ["$", "${other.Arn}"]] },
  });
});

it("leaves out an argument with the rule false or null, and lists only the first", async () => {
  const { properties, gaps } = await made({ name: false, label: null }, `name = "a"\n label = "b"`);
  expect(properties).toEqual({});
  expect(gaps).toEqual([listed("name")]);
});
