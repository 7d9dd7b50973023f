import { expect, it } from "vitest";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";

const types = {
  "aws:AWS::Fake::Box": knownType({
    properties: {
      Name: { type: "string" },
      Size: { type: "integer" },
      Tags: { type: "array", items: { type: "object" } },
    },
  }),
};
const table: MappingTable = {
  provider: "fake",
  naming: "pascal",
  types: {
    fake_box: { type: "aws:AWS::Fake::Box", properties: { tags: { to: "Tags", as: "pairs" } } },
  },
};

it.for<[string, string]>([
  ["count = module.m.asked ? 1 : 0", "boolean"],
  ["count = module.m.asked == 3 ? 1 : 0", "number"],
  ['count = module.m.asked == "a" ? 1 : 0', "string"],
  ["count = length(module.m.asked) > 0 ? 1 : 0", "array"],
  ["count = var.on && module.m.asked ? 1 : 0", "boolean"],
  ["count = module.m.asked", "number"],
  ["for_each = module.m.asked", "object"],
  ["for_each = toset(module.m.asked)", "array"],
  ["name = module.m.asked ? var.a : var.b", "boolean"],
  ['name = join("-", concat(module.m.asked, [var.a]))', "array"],
  ["size = module.m.asked + 1", "number"],
  ["tags = module.m.asked", "object"],
  ["tags = merge(module.m.asked, { a = var.a })", "object"],
  ["tags = { a = module.m.asked }", "string"],
])("asks for a value in the type of its place: %s", async ([settings, expected]) => {
  const { resources, config, draft } = await draftOfTable(
    table,
    types,
    `module "m" { source = "elsewhere/m/fake" }
variable "on" { type = bool }
variable "a" { type = string }
variable "b" { type = string }
resource "fake_box" "a" {\n ${settings}\n}`,
  );
  expect(draft.unsupported.map(({ reason }) => reason).slice(1)).toEqual([]);
  expect(Object.keys(resources)).toEqual(["boxA"]);
  expect(draft.unsupported.map(({ code }) => code)).toEqual(["no_module"]);
  expect(config["mAsked"]).toMatchObject({ type: expected });
});
