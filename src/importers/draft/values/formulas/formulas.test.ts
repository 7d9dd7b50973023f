import { expect, it } from "vitest";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";

const text: ValueShape = { type: "string" };
const types = {
  "aws:AWS::Fake::Box": knownType({
    properties: {
      Name: text,
      Size: { type: "integer" },
      On: { type: "boolean" },
      Items: { type: "array", items: text },
    },
  }),
};
const table: MappingTable = {
  provider: "fake",
  naming: "pascal",
  types: { fake_box: { type: "aws:AWS::Fake::Box" } },
};

const variables = `
variable "env" { default = "dev" }
variable "count_of" {
  type    = number
  default = 1
}
variable "names" {
  type    = list(string)
  default = ["a"]
}
variable "secret_key" { sensitive = true }
variable "net" { default = "10.0.0.0/16" }
locals { is_prod = var.env == "prod" }
`;

async function drafted(settings: string) {
  const { resources, gaps } = await draftOfTable(table, types, {
    "main.tf": `${variables}\nresource "fake_box" "a" {\n${settings}\n}`,
  });
  return { properties: resources["boxA"]?.properties ?? {}, gaps };
}

it.for<[string, unknown]>([
  [
    'name = var.env == "prod" ? "large" : "small"',
    { Name: '${((env == "prod") ? "large" : "small")}' },
  ],
  ["size = local.is_prod ? 3 : var.count_of", { Size: '${((env == "prod") ? 3 : countOf)}' }],
  ["size = var.count_of * 2 + 1", { Size: "${((countOf * 2) + 1)}" }],
  ["on = !local.is_prod && var.count_of >= 2", { On: '${(!(env == "prod") && (countOf >= 2))}' }],
  ["size = length(var.names)", { Size: { "fn::length": "${names}" } }],
  ['on = contains(var.names, "b")', { On: '${("b" in names)}' }],
  ['name = "x-${upper(var.env)}"', { Name: "x-${env.upperAscii()}" }],
  [
    'name = upper("x-${var.env}-${var.count_of}")',
    { Name: '${("x-" + string(env) + "-" + string(countOf)).upperAscii()}' },
  ],
  ['name = replace(var.env, "-", "_")', { Name: '${env.replace("-", "_")}' }],
  ['items = concat(var.names, ["z"])', { Items: '${(names + ["z"])}' }],
  ["name = cidrsubnet(var.net, 8, 2)", { Name: "${cidrSubnet(net, 8, 2)}" }],
  [
    'name = join(",", formatlist("- %s", var.names))',
    { Name: { "fn::join": [",", '${names.map(one, "- %s".format([one]))}'] } },
  ],
  ['name = format("%s-%d", var.env, var.count_of)', { Name: "${env}-${countOf}" }],
])("writes %s as an expression", async ([settings, expected]) => {
  expect(await drafted(settings)).toEqual({ properties: expected, gaps: [] });
});

it.for(['name = replace(var.env, "/[a-z]/", "_")', "name = title(var.env)", "name = uuid()"])(
  "lists %s, which the template language cannot say",
  async (settings) => {
    const { properties, gaps } = await drafted(settings);
    expect(properties).toEqual({});
    expect(gaps).toHaveLength(1);
  },
);

it("decides nothing by a secret", async () => {
  const { properties, gaps } = await drafted('name = var.secret_key == "" ? "none" : "some"');
  expect(properties).toEqual({});
  expect(gaps).toHaveLength(1);
});
