import { expect, it } from "vitest";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ExistingIds } from "#importers/reports/existing-ids.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";
import { plannedDraft } from "#test/support/planned-draft.ts";
import { resolvedComponents } from "./components.ts";

const text: ValueShape = { type: "string" };
const types = {
  "aws:AWS::Fake::Box": knownType(
    { properties: { Name: text, Mode: text, Password: text } },
    { outputs: ["Arn"] },
  ),
};
const table: MappingTable = {
  provider: "fake",
  naming: "pascal",
  types: { fake_box: { type: "aws:AWS::Fake::Box" } },
};

const net = `
variable "name" {}
variable "mode" { default = "m" }
variable "unused" { default = 1 }
variable "password" {
  sensitive = true
  default   = "canary"
}
resource "fake_box" "main" {
  name     = "net-\${var.name}"
  mode     = var.mode
  password = var.password
}
output "arn" { value = fake_box.main.arn }
`;

async function drafted(
  root: string,
  files: Readonly<Record<string, string>> = {},
  existing: ExistingIds = new Map(),
) {
  const given = {
    "main.tf": `variable "on" { default = true }
variable "nets" {
  type    = map(object({ name = string, mode = optional(string, "x") }))
  default = {}
}
${root}`,
    "mods/net/main.tf": net,
    ...files,
  };
  const made = await draftOfTable(table, types, given, existing);
  const planned = (given = {}) =>
    plannedDraft(
      made.draft.source ?? "",
      { netPassword: "p", ...given },
      (address) => ({ id: `id of ${address}`, Arn: `arn of ${address}` }),
      resolvedComponents(made.components),
    );
  return { ...made, planned };
}

it("uses a module as a component where a variable counts its calls", async () => {
  const { resources, components, draft, planned } = await drafted(`
module "net" {
  source   = "./mods/net"
  for_each = var.nets
  name     = each.value.name
  mode     = each.value.mode
  unused   = 3
}
resource "fake_box" "reader" {
  for_each = var.nets
  name     = module.net[each.key].arn
}
output "arns" { value = { for key, one in module.net : key => one.arn } }
`);
  expect(resources["net"]).toEqual({
    component: "mods-net",
    version: "^1.0.0",
    forEach: "${nets}",
    properties: {
      name: "${each.value.name}",
      mode: '${each.value.?mode.orValue("x")}',
      password: "${netPassword}",
    },
  });
  expect(components).toMatchObject([
    { name: "mods-net", draft: { module: "mods/net", release: "1.0.0", mapped: 1 } },
  ]);
  expect(draft.unsupported).toMatchObject([{ address: "module.net", code: "component" }]);
  expect(JSON.stringify([draft, components])).not.toContain("canary");
  const { resources: objects, outputs } = planned({ nets: { a: { name: "A" } } });
  expect(objects).toMatchObject({
    'net["a"]/box': { Name: "net-A", Mode: "x" },
    'boxReader["a"]': { Name: 'arn of net["a"]/box' },
  });
  expect(outputs["arns"]).toEqual({ a: 'arn of net["a"]/box' });
});

it("keeps the condition of a call", async () => {
  const { resources, planned } = await drafted(`
module "net" {
  source = "./mods/net"
  count  = var.on ? 1 : 0
  name   = "one"
}
output "arn" { value = one(module.net[*].arn) }
output "or" { value = try(module.net[0].arn, "none") }
`);
  expect(resources["net"]).toMatchObject({ when: "${on}", properties: { name: "one" } });
  expect(planned().outputs).toEqual({ arn: "arn of net/box", or: "arn of net/box" });
  expect(planned({ on: false }).outputs).toEqual({ or: "none" });
});

it("waits for a whole component", async () => {
  const { resources } = await drafted(`
module "net" {
  source     = "./mods/net"
  count      = var.on ? 1 : 0
  name       = "one"
  depends_on = [fake_box.first]
}
resource "fake_box" "first" {}
resource "fake_box" "last" { depends_on = [module.net] }
`);
  expect(resources["net"]?.options).toEqual({ dependsOn: ["${boxFirst}"] });
  expect(resources["boxLast"]?.options).toEqual({ dependsOn: ["${net}"] });
});

it("nests components, and asks the root for what they ask for", async () => {
  const { resources, components, draft, config } = await drafted(
    'module "outer" {\n source = "./mods/outer"\n count = var.on ? 1 : 0\n}',
    {
      "mods/outer/main.tf": `
variable "more" { default = true }
data "fake_account" "this" {}
module "net" {
  source = "../net"
  count  = var.more ? 1 : 0
  name   = data.fake_account.this.id
}`,
    },
  );
  expect(components.map(({ name }) => name)).toEqual(["mods-net", "mods-outer"]);
  expect(resources["outer"]).toMatchObject({ component: "mods-outer", when: "${on}" });
  expect(draft.unresolved).toMatchObject([
    { address: "module.outer" },
    { address: "module.outer" },
  ]);
  expect(Object.keys(config)).toHaveLength(3);
});

it("writes a module in place where the files count its calls, and ends at a module that calls itself", async () => {
  const { resources, components } = await drafted(
    'module "net" {\n source = "./mods/net"\n count = 2\n name = "n"\n}\nmodule "loop" {\n source = "./mods/loop"\n count = var.on ? 1 : 0\n}',
    {
      "mods/loop/main.tf":
        'variable "on" { default = true }\nmodule "again" {\n source = "../loop"\n count = var.on ? 1 : 0\n}\nresource "fake_box" "a" {}',
    },
  );
  expect(Object.keys(resources)).toEqual(["loop", "net1Box", "net2Box"]);
  expect(components).toHaveLength(1);
});

it.each(["count = var.on ? 1 : 0", "for_each = var.nets"])(
  "makes no existing object a second time: %s",
  async (repeats) => {
    const { resources, gaps } = await drafted(
      `module "net" {\n source = "./mods/net"\n ${repeats}\n name = "n"\n}`,
      {},
      new Map([
        [
          `module.net[${repeats.startsWith("count") ? "0" : '"a"'}].fake_box.main`,
          { id: "b", names: new Map() },
        ],
      ]),
    );
    expect(resources).toEqual({});
    expect(gaps).toEqual(["module.net"]);
  },
);

it("gives each module's draft a name of its own", async () => {
  const { components, resources } = await drafted(
    `module "a" {\n source = "./m/x"\n count = var.on ? 1 : 0\n}\nmodule "b" {\n source = "./m-x"\n count = var.on ? 1 : 0\n}`,
    { "m/x/main.tf": 'resource "fake_box" "a" {}', "m-x/main.tf": 'resource "fake_box" "b" {}' },
  );
  expect(components.map(({ name, draft }) => [name, draft.module])).toEqual([
    ["m-x", "m/x"],
    ["m-x-2", "m-x"],
  ]);
  expect(components.map(({ draft }) => /^name: .*/.exec(draft.source ?? "")?.[0])).toEqual([
    "name: m-x",
    "name: m-x-2",
  ]);
  expect([resources["a"], resources["b"]]).toMatchObject([
    { component: "m-x" },
    { component: "m-x-2" },
  ]);
});
