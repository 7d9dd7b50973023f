import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";

async function read(main: string) {
  const files = [
    { path: "main.tf", text: main },
    { path: "mods/a/main.tf", text: 'resource "aws_sqs_queue" "inner" { name = "inner" }' },
  ];
  const { drafts, inventory } = await readImport(files, undefined, new ImportLog(), {
    adopt: false,
    assets: builtAssets,
  });
  const [draft] = drafts;
  return {
    calls: inventory.moduleCalls.map(({ source, target }) => [source, target]),
    gaps: draft?.unsupported.map(({ address, code, path, line }) => [address, code, path, line]),
  };
}

it.for<[string, string]>([
  ["locals", 'locals { base = "./mods" }\nmodule "m" { source = "${local.base}/a" }'],
  ["a member", 'locals { of = { a = ["./mods/a"] } }\nmodule "m" { source = local.of.a[0] }'],
])("computes the source of a call from %s", async ([, main]) => {
  expect(await read(main)).toEqual({ calls: [["./mods/a", "mods/a"]], gaps: [] });
});

it("takes the default of a variable, and says so", async () => {
  const made = await read(
    'variable "name" { default = "a" }\nmodule "m" {\n source = "./mods/${var.name}"\n}',
  );
  expect(made).toEqual({
    calls: [["./mods/a", "mods/a"]],
    gaps: [["module.m", "not_expressible", "source", 2]],
  });
});

it.for<[string, string]>([
  ["a function", 'module "m" { source = upper("./mods/a") }'],
  ["a variable without a default", 'variable "v" {}\nmodule "m" { source = var.v }'],
  [
    "a secret",
    'variable "v" {\n default = "./mods/a"\n sensitive = true\n}\nmodule "m" { source = var.v }',
  ],
  [
    "a variable that names no module here",
    'variable "v" { default = "./mods/b" }\nmodule "m" { source = var.v }',
  ],
  ["itself", 'locals { a = local.a }\nmodule "m" { source = local.a }'],
])("leaves out a call whose source is made of %s", async ([, main]) => {
  const { calls, gaps } = await read(main);
  expect(calls.map(([, target]) => target)).toEqual([null]);
  expect(gaps?.map(([address, code]) => [address, code])).toEqual([["module.m", "no_module"]]);
});

it("lists sources without their secrets", async () => {
  const { calls } =
    await read(`module "a" { source = "git::https://u:canary@example.org/x.git//a?ref=v1&depth=1" }
module "b" { source = "git::ssh://git@example.org/x.git?sshkey=canary&ref=v1" }
module "c" { source = "https://example.org/m.zip?token=canary" }`);
  expect(calls.map(([source]) => source)).toEqual([
    "git::https://example.org/x.git//a?ref=v1&depth=1",
    "git::ssh://example.org/x.git?sshkey=[hidden]&ref=v1",
    "https://example.org/m.zip?token=[hidden]",
  ]);
});
