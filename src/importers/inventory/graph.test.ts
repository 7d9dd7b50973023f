import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { parseFiles } from "#importers/parse-files.ts";
import type { SourceModule, SourceResource } from "#importers/source-module.ts";
import { withoutSecrets } from "#importers/without-secrets.ts";
import { listInventory } from "./inventory.ts";

async function edges(files: { [path: string]: string }): Promise<string[]> {
  const log = new ImportLog();
  const all = Object.entries(files).map(([path, text]) => ({ path, text }));
  const { modules } = await parseFiles(all, log);
  return listInventory(withoutSecrets(modules), log).edges.map(
    ({ from, to, file, line }) => `${from} → ${to} (${file}:${line})`,
  );
}

const called = `variable "network" {}
locals {
  net = var.network
}
resource "aws_subnet" "a" {
  vpc_id = local.net
}
output "ids" {
  value = { a = aws_subnet.a.id }
}
`;

it("leads through the output of a called module to the resource behind it", async () => {
  const found = await edges({
    "main.tf": `module "net" {
  source = "./net"
}
resource "aws_instance" "web" {
  subnet_id = module.net.ids["a"]
}
`,
    "net/main.tf": called,
  });
  expect(found).toContain("aws_instance.web → module.net (main.tf:5)");
  expect(found).toContain("aws_instance.web → net/aws_subnet.a (main.tf:5)");
});

it("leads from a variable of a called module to the arguments of each call, through modules between", async () => {
  const found = await edges({
    "main.tf": `resource "aws_vpc" "main" {}
module "one" {
  source  = "./between"
  network = aws_vpc.main.id
}
module "two" {
  source  = "./net"
  for_each = toset(["x"])
  network = aws_vpc.other.id
}
resource "aws_vpc" "other" {}
resource "aws_instance" "web" {
  subnet_id = module.two["x"].ids["a"]
}
`,
    "between/main.tf": `variable "network" {}
module "net" {
  source  = "../net"
  network = var.network
}
output "ids" {
  value = module.net.ids
}
`,
    "net/main.tf": called,
  });
  expect(found.filter((edge) => edge.startsWith("net/aws_subnet.a →"))).toEqual([
    "net/aws_subnet.a → aws_vpc.other (net/main.tf:6)",
    "net/aws_subnet.a → aws_vpc.main (net/main.tf:6)",
  ]);
  expect(found).toContain("between/module.net → aws_vpc.main (between/main.tf:4)");
  expect(found).toContain("between/output.ids → net/aws_subnet.a (between/main.tf:7)");
  expect(found).toContain("aws_instance.web → net/aws_subnet.a (main.tf:13)");
});

it("leads from a dependency on a module to all of its parts, and from a call to its dependencies", async () => {
  const found = await edges({
    "main.tf": `module "outer" {
  source = "./outer"
}
module "after" {
  source     = "registry.example/after"
  depends_on = [module.outer]
}
resource "aws_vpc" "main" {
  depends_on = [
    module.outer,
    module.after,
  ]
}
data "aws_vpc" "read" {
  depends_on = [module.outer.ids]
}
`,
    "outer/main.tf": `module "net" {
  source     = "../net"
  depends_on = [aws_vpc.own]
}
resource "aws_vpc" "own" {}
`,
    "net/main.tf": called,
  });
  const all = ["module.outer", "outer/aws_vpc.own", "outer/module.net", "net/aws_subnet.a"];
  const from = (node: string) => found.filter((edge) => edge.startsWith(`${node} →`));
  expect(from("module.after")).toEqual(all.map((to) => `module.after → ${to} (main.tf:6)`));
  expect(from("aws_vpc.main")).toEqual([
    ...all.map((to) => `aws_vpc.main → ${to} (main.tf:10)`),
    "aws_vpc.main → module.after (main.tf:11)",
  ]);
  expect(from("data.aws_vpc.read")).toEqual(
    all.map((to) => `data.aws_vpc.read → ${to} (main.tf:15)`),
  );
  expect(from("outer/module.net")).toEqual([
    "outer/module.net → outer/aws_vpc.own (outer/main.tf:3)",
  ]);
});

it("leads from a dependency on an output to its sources, and to their dependencies", async () => {
  const found = await edges({
    "main.tf": `module "m" {
  source = "./m"
  given  = aws_vpc.given.id
}
resource "aws_vpc" "given" {}
resource "aws_vpc" "a" {
  depends_on = [module.m.given]
}
resource "aws_vpc" "b" {
  depends_on = [module.m["x"].after]
}
`,
    "m/main.tf": `variable "given" {}
resource "aws_vpc" "own" {}
resource "aws_vpc" "other" {}
output "given" {
  value = var.given
}
output "after" {
  value      = 1
  depends_on = [aws_vpc.own]
}
`,
  });
  const from = (node: string) => found.filter((edge) => edge.startsWith(`${node} →`));
  expect(from("aws_vpc.a")).toEqual([
    "aws_vpc.a → module.m (main.tf:7)",
    "aws_vpc.a → aws_vpc.given (main.tf:7)",
  ]);
  expect(from("aws_vpc.b")).toEqual([
    "aws_vpc.b → module.m (main.tf:10)",
    "aws_vpc.b → m/aws_vpc.own (main.tf:10)",
  ]);
  expect(from("m/output.after")).toEqual(["m/output.after → m/aws_vpc.own (m/main.tf:9)"]);
});

it("ends where modules that call each other depend on themselves", async () => {
  const ring = (next: string) => `module "next" {
  source     = "../${next}"
  depends_on = [aws_sqs_queue.q]
}
resource "aws_sqs_queue" "q" {
  depends_on = [module.next, module.next, module.missing]
}
`;
  const found = await edges({ "a/main.tf": ring("b"), "b/main.tf": ring("a") });
  expect(found.filter((edge) => edge.startsWith("a/aws_sqs_queue.q →"))).toEqual([
    "a/aws_sqs_queue.q → a/module.next (a/main.tf:6)",
    "a/aws_sqs_queue.q → b/aws_sqs_queue.q (a/main.tf:6)",
    "a/aws_sqs_queue.q → b/module.next (a/main.tf:6)",
  ]);
});

it("ends where modules pass values in a circle, and where nothing is passed", async () => {
  const ring = (next: string) => `variable "v" {}
module "next" {
  source = "../${next}"
  v      = var.v
}
resource "aws_sqs_queue" "q" {
  name = var.v
}
output "v" {
  value = module.next.v
}
resource "aws_sqs_queue" "r" {
  name = module.next.missing
}
`;
  const found = await edges({ "a/main.tf": ring("b"), "b/main.tf": ring("a") });
  expect(found).toEqual([
    "a/aws_sqs_queue.r → a/module.next (a/main.tf:13)",
    "a/output.v → a/module.next (a/main.tf:10)",
    "a/output.v → b/module.next (a/main.tf:10)",
    "b/aws_sqs_queue.r → b/module.next (b/main.tf:13)",
    "b/output.v → b/module.next (b/main.tf:10)",
    "b/output.v → a/module.next (b/main.tf:10)",
  ]);
});

it("has all edges of a small module after a large one, and says how many it has", () => {
  const resource = (path: string, at: number, dependencies: number): SourceResource => ({
    file: `${path}/main.tf`,
    line: 1,
    endLine: 1,
    address: `aws_vpc.r${at}`,
    mode: "managed",
    type: "aws_vpc",
    name: `r${at}`,
    provider: "aws",
    repeated: false,
    settings: { kind: "object", members: [] },
    dependsOn: Array.from({ length: dependencies }, (_, on) => ({
      address: `aws_vpc.r${on}`,
      line: 1,
    })),
  });
  const module = (path: string, resources: number): SourceModule => ({
    format: "terraform",
    path,
    isRoot: true,
    requiredVersion: null,
    backend: null,
    resources: Array.from({ length: resources }, (_, at) => resource(path, at, resources)),
    variables: [],
    outputs: [],
    locals: [],
    moduleCalls: [],
    providers: [],
  });
  const log = new ImportLog();
  const { edges: listed } = listInventory(
    withoutSecrets([module("a", 200), module("b", 200), module("small", 2), module("c", 200)]),
    log,
  );
  const count = (path: string) => listed.filter(({ file }) => file === `${path}/main.tf`).length;
  expect(["a", "b", "small", "c"].map(count)).toEqual([16_666, 16_666, 2, 16_666]);
  expect(log.warnings().map(({ code, message }) => [code, message])).toEqual([
    ["too_many_edges", "The graph has only 50000 of 119402 dependencies."],
  ]);
});
