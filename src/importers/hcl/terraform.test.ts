import { describe, expect, it } from "vitest";
import type { ParsedFormat } from "#importers/import-format.ts";
import { ImportLog, type ImportWarning } from "#importers/import-log.ts";
import type { SourceModule, SourceResource } from "#importers/source-module.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { detectTerraform } from "./detect-terraform.ts";
import { terraformParser } from "./terraform.ts";

interface Parsed extends ParsedFormat {
  warnings: ImportWarning[];
}

async function parse(files: Record<string, string>): Promise<Parsed> {
  const log = new ImportLog();
  const given = Object.entries(files).map(([path, text]) => ({ path, text }));
  const parsed = parsedBy(terraformParser, given, log);
  return { ...parsed, warnings: log.warnings() };
}

async function moduleOf(text: string, path = "main.tf"): Promise<SourceModule> {
  const { modules, warnings } = await parse({ [path]: text });
  expect(warnings).toEqual([]);
  const [module] = modules;
  if (module === undefined) throw new Error("no module");
  return module;
}

async function resourceOf(text: string): Promise<SourceResource> {
  const [resource] = (await moduleOf(text)).resources;
  if (resource === undefined) throw new Error("no resource");
  return resource;
}

async function codes(files: Record<string, string>): Promise<(string | number | null)[][]> {
  return (await parse(files)).warnings.map(({ code, line }) => [code, line]);
}

describe("a file of Terraform", () => {
  it.each([
    ["main.tf", true],
    ["a/main.tofu", true],
    ["x.auto.tfvars", true],
    ["x.tf.json", true],
    ["x.tofu.json", true],
    ["x.tfvars.json", true],
    ["terraform.tfstate", false],
    [".terraform.lock.hcl", false],
    ["x.json", false],
  ])("is recognised by its name: %s %s", (path, expected) => {
    expect(detectTerraform({ path, text: "" })).toBe(expected);
  });

  it("counts its blocks, also in overrides and skipped files", async () => {
    const { verdicts } = await parse({
      "a.tf":
        'resource "a" "b" {}\nresource "a" {}\ncheck "c" {}\nlocals {}\nmoved {}\nimport {}\n',
      "override.tf": 'resource "a" "b" {}\n',
      "x.tfvars": "a = 1\n",
      "empty.tf": "",
    });
    expect(verdicts).toEqual([
      {
        path: "a.tf",
        state: "PARSED",
        counts: { resource: 2, check: 1, locals: 1, moved: 1, import: 1 },
      },
      { path: "override.tf", state: "PARSED", counts: { resource: 1 } },
      { path: "x.tfvars", state: "PARSED", counts: {} },
      { path: "empty.tf", state: "PARSED", counts: {} },
    ]);
  });

  it("is not read where OpenTofu reads another of the same name", async () => {
    const { verdicts, modules } = await parse({
      "a.tf": 'variable "x" {}',
      "a.tofu": 'variable "y" {}',
      "b/a.tf": 'variable "z" {}',
      "a.tf.json": "{}",
      "a.tofu.json": "{}",
    });
    expect(verdicts.map(({ path, state, reason }) => [path, state, reason])).toEqual([
      ["a.tf", "SKIPPED", "hidden_by_tofu"],
      ["a.tofu", "PARSED", undefined],
      ["b/a.tf", "PARSED", undefined],
      ["a.tf.json", "SKIPPED", "hidden_by_tofu"],
      ["a.tofu.json", "PARSED", undefined],
    ]);
    expect(modules.map(({ variables }) => variables.map(({ name }) => name))).toEqual([
      ["y"],
      ["z"],
    ]);
  });

  it("that cannot be read does not affect the others", async () => {
    const { verdicts, modules, warnings } = await parse({
      "a.tf": "a = ".concat("[".repeat(300)),
      "b.tf.json": "{",
      "c.tf": 'variable "x" {}',
    });
    expect(verdicts.map(({ state, reason }) => [state, reason])).toEqual([
      ["FAILED", "nesting_too_deep"],
      ["FAILED", "invalid_json"],
      ["PARSED", undefined],
    ]);
    expect(modules[0]?.variables).toHaveLength(1);
    expect(warnings.map(({ severity }) => severity)).toEqual(["error", "error"]);
  });

  it("has warnings with line and column for invalid HCL and for unknown blocks", async () => {
    const { warnings } = await parse({
      "a.tf": '\uFEFFx = 1\nvariable "x" {\n  type = \n}\nfoo "x" {}\nvariable {}\n',
    });
    expect(warnings.map(({ code, line, column }) => [code, line, column])).toEqual([
      ["syntax_error", 3, 10],
      ["unknown_argument", 1, null],
      ["unknown_block", 5, null],
      ["wrong_labels", 6, null],
    ]);
  });

  it("has at most 50 warnings", async () => {
    expect((await parse({ "a.tf": "@\n".repeat(300) })).warnings).toHaveLength(51);
  });
});

describe("a resource of Terraform", () => {
  it("has its settings, nested blocks as objects and repeated ones as lists", async () => {
    const resource = await resourceOf(`
resource "aws_instance" "web" {
  ami = "x"
  disk { size = 1 }
  nic {}
  nic { id = 2 }
  labelled "y" { z = 3 }
}
`);
    expect(resource).toMatchObject({
      address: "aws_instance.web",
      mode: "managed",
      type: "aws_instance",
      name: "web",
      file: "main.tf",
      line: 2,
      endLine: 8,
      provider: "aws",
      repeated: false,
      dependsOn: [],
    });
    const literal = (value: unknown) => ({ kind: "literal", value });
    expect(resource.settings.members).toMatchObject([
      { name: "ami", line: 3, value: literal("x") },
      { name: "disk", line: 4, value: { members: [{ name: "size", value: literal(1) }] } },
      { name: "nic", line: 5, value: { items: [{ members: [] }, { members: [{ name: "id" }] }] } },
      { name: "labelled", value: { members: [{ name: "y", value: { kind: "object" } }] } },
    ]);
  });

  it("has a block for each item of a dynamic block", async () => {
    const { settings } = await resourceOf(`
resource "a_b" "c" {
  rule {}
  dynamic "rule" {
    for_each = var.rules
    content { id = rule.value.id }
  }
  dynamic "other" {
    for_each = local.x
    iterator = it
    content {
      id = [it.value.a, other.value]
      dynamic "it" {
        for_each = it.value
        content { id = [it.key, each.key] }
      }
    }
  }
  dynamic "labelled" {
    for_each = local.y
    labels   = [labelled.key]
    content {}
  }
}
`);
    const reference = (kind: string, of: string, ...path: string[]) => ({
      kind: "reference",
      target: { kind, ...(kind === "resource" ? { address: of } : { name: of }) },
      path,
    });
    const block = (...members: readonly (readonly [string, unknown])[]) => ({
      kind: "object",
      members: members.map(([name, value]) => ({ name, value })),
    });
    expect(settings.members).toMatchObject([
      {
        name: "rule",
        value: {
          kind: "call",
          name: "{}",
          args: [
            block(),
            {
              kind: "for",
              names: ["rule.key", "rule.value"],
              of: reference("variable", "rules"),
              value: block(["id", reference("item", "rule.value", "id")]),
            },
          ],
        },
      },
      {
        name: "other",
        value: {
          args: [
            {
              of: reference("local", "x"),
              value: block(
                [
                  "id",
                  {
                    items: [
                      reference("item", "it.value", "a"),
                      reference("resource", "other.value"),
                    ],
                  },
                ],
                [
                  "it",
                  {
                    args: [
                      {
                        of: reference("item", "it.value"),
                        value: block([
                          "id",
                          { items: [reference("item", "it.key"), reference("each", "key")] },
                        ]),
                      },
                    ],
                  },
                ],
              ),
            },
          ],
        },
      },
      { name: "labelled", value: { kind: "opaque", references: [reference("local", "y")] } },
    ]);
  });

  it("leaves Terraform's own arguments out of its settings", async () => {
    const resource = await resourceOf(`
resource "google_x" "y" {
  count      = 2
  provider   = google.east
  depends_on = [aws_a.b, data.aws_c.d, module.e, var.f]
  lifecycle { prevent_destroy = true }
  provisioner "local-exec" {}
  connection {}
  location = var.l
  region   = "r"
}
`);
    expect(resource).toMatchObject({
      provider: "google.east",
      repeated: true,
      options: [
        { kind: "protect" },
        { name: "provisioner", line: 7 },
        { name: "connection", line: 8 },
      ],
      region: { kind: "literal", value: "r" },
      dependsOn: [
        { address: "aws_a.b", line: 5 },
        { address: "data.aws_c.d", line: 5 },
        { address: "module.e", line: 5 },
      ],
    });
    expect(resource.settings.members.map(({ name }) => name)).toEqual(["location", "region"]);
  });

  it.each([
    ["count = 1", false],
    ["count = 0", true],
    ["count = var.on ? 1 : 0", true],
    ["for_each = {}", true],
    ["", false],
  ])("is repeated by `%s`: %s", async (line, expected) => {
    expect((await resourceOf(`resource "a" "b" {\n${line}\n}`)).repeated).toBe(expected);
  });

  it.each([
    ["provider = aws", "aws"],
    ['provider = "aws.old"', "aws.old"],
    ["", "google"],
  ])("has the provider of `%s`", async (line, expected) => {
    expect((await resourceOf(`resource "google_a" "b" {\n${line}\n}`)).provider).toBe(expected);
  });

  it("is data where it is only read", async () => {
    expect(await resourceOf('data "aws_ami" "x" {}')).toMatchObject({
      address: "data.aws_ami.x",
      mode: "data",
      type: "aws_ami",
    });
  });

  it("is the first of its address, and has the first of its arguments", async () => {
    const { modules, warnings } = await parse({
      "a.tf": 'resource "a" "b" {\n x = 1\n x = 2\n}\n',
      "b.tf": '\nresource "a" "b" { y = 1 }\ndata "a" "b" {}\n',
    });
    expect(modules[0]?.resources.map(({ address, file }) => [address, file])).toEqual([
      ["a.b", "a.tf"],
      ["data.a.b", "b.tf"],
    ]);
    expect(modules[0]?.resources[0]?.settings.members).toMatchObject([
      { name: "x", value: { value: 1 } },
    ]);
    expect(warnings.map(({ code, file, line }) => [code, file, line])).toEqual([
      ["duplicate_argument", "a.tf", 3],
      ["duplicate_resource", "b.tf", 2],
    ]);
  });
});

describe("a module of Terraform", () => {
  it("has variables with their types, defaults and allowed values", async () => {
    const { variables } = await moduleOf(`
variable "size" {
  type        = list(object({ a = optional(string, "x") }))
  description = "How large"
  default     = 3
  validation {
    condition     = var.size > 1
    error_message = "x"
  }
  validation {
    condition     = contains(["a", 2], var.size)
    error_message = "y"
  }
}
variable "old" { type = "string" }
variable "other" {
  validation { condition = contains(["a"], var.size) }
}
`);
    expect(variables).toMatchObject([
      {
        name: "size",
        line: 2,
        type: 'list(object({ a = optional(string, "x") }))',
        description: "How large",
        default: { kind: "literal", value: 3 },
        sensitive: false,
        allowed: ["a", 2],
      },
      { name: "old", type: "string", default: undefined, allowed: undefined },
      { name: "other", type: null, allowed: undefined },
    ]);
  });

  it("has outputs, locals, its version, backend and providers", async () => {
    const module = await moduleOf(`
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.0" }
    old = "~> 1.0"
  }
  backend "s3" { bucket = "b" }
}
provider "aws" { region = "eu-west-1" }
provider "aws" {
  alias  = "east"
  region = var.east
}
provider "time" {}
output "o" {
  value       = local.a
  description = "d"
  sensitive   = true
}
locals {
  a = 1
  b = local.a
}
`);
    expect(module).toMatchObject({
      format: "terraform",
      path: ".",
      isRoot: true,
      requiredVersion: ">= 1.5",
      backend: "s3",
      outputs: [
        {
          name: "o",
          value: { kind: "reference", target: { kind: "local", name: "a" } },
          sensitive: true,
          description: "d",
        },
      ],
      locals: [
        { name: "a", file: "main.tf", line: 22 },
        { name: "b", line: 23 },
      ],
      providers: [
        {
          name: "aws",
          line: 5,
          source: "hashicorp/aws",
          constraints: ["~> 5.0"],
          aliases: [{ name: "east", line: 11, settings: { members: [{ name: "region" }] } }],
          settings: { members: [{ name: "region", value: { value: "eu-west-1" } }] },
        },
        { name: "old", source: null, constraints: ["~> 1.0"], settings: null },
        { name: "time", source: null, settings: { members: [] } },
      ],
    });
    expect((await moduleOf("terraform {\n cloud {}\n}")).backend).toBe("cloud");
  });

  it("calls modules of the import by their folder, and never leaves its root", async () => {
    const { modules, warnings } = await parse({
      "envs/prod/main.tf": `
module "net" {
  source   = "../../modules//net/"
  for_each = var.x
  cidr     = "c"
  providers = { aws = aws.east }
}
module "out" { source = "../../../modules/net" }
module "top" { source = "../.." }
module "gone" { source = "./gone" }
module "public" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.0"
}
`,
      "modules/net/main.tf": "",
      "lone/main.tf": "",
      "main.tf": "",
    });
    expect(warnings).toEqual([]);
    expect(modules.map(({ path, isRoot }) => [path, isRoot])).toEqual([
      ["envs/prod", true],
      ["modules/net", false],
      ["lone", true],
      [".", false],
    ]);
    expect(modules[0]?.moduleCalls).toMatchObject([
      {
        name: "net",
        line: 2,
        target: "modules/net",
        repeated: true,
        settings: { members: [{ name: "cidr" }] },
      },
      { name: "out", target: null },
      { name: "top", target: "." },
      { name: "gone", target: null },
      { name: "public", source: "terraform-aws-modules/vpc/aws", version: "5.0", target: null },
    ]);
  });

  it("is a root in a circle of calls without another root", async () => {
    const call = (source: string) => `module "m" { source = "${source}" }\n`;
    const { modules, warnings } = await parse({
      "b/main.tf": call("../a"),
      "a/main.tf": call("../b"),
      "self/main.tf": call("."),
      "c/main.tf": call("../d"),
      "d/main.tf": call("../d"),
    });
    expect(modules.filter(({ isRoot }) => isRoot).map(({ path }) => path)).toEqual([
      "a",
      "self",
      "c",
    ]);
    expect(warnings.map(({ code, file, line }) => [code, file, line])).toEqual([
      ["module_cycle", "a/main.tf", 1],
    ]);
  });

  it("has each declaration once", async () => {
    expect(
      await codes({
        "a.tf": 'variable "a" {}\noutput "a" {}\nmodule "a" {}\nlocals {\n a = 1\n}\n',
        "b.tf": 'variable "a" {}\noutput "a" {}\nmodule "a" {}\nlocals {\n a = 1\n}\n',
      }),
    ).toEqual([
      ["duplicate_variable", 1],
      ["duplicate_output", 2],
      ["duplicate_local", 5],
      ["duplicate_module", 3],
    ]);
  });

  it("may have names that every object has", async () => {
    const module = await moduleOf(
      'variable "__proto__" {}\nresource "constructor" "__proto__" { __proto__ = 1 }\n',
    );
    expect(module.variables[0]?.name).toBe("__proto__");
    expect(module.resources[0]?.settings.members[0]?.name).toBe("__proto__");
  });
});

describe("an override", () => {
  it("replaces arguments and all nested blocks of a type", async () => {
    const { modules, warnings } = await parse({
      "b_override.tf": 'resource "a" "b" { x = 3 }',
      "override.tf": `
resource "a" "b" {
  y = 2
  rule { id = 9 }
  lifecycle { prevent_destroy = true }
}
variable "v" {
  type    = number
  default = 1
}
locals { l = 2 }
output "o" { value = 2 }
provider "p" { z = 1 }
terraform {
  required_providers {
    p = { source = "q/p" }
  }
}
`,
      "main.tf": `
resource "a" "b" {
  x = 1
  y = 1
  rule { id = 1 }
  rule { id = 2 }
  lifecycle { ignore_changes = [x] }
}
variable "v" { type = string }
locals { l = 1 }
output "o" { value = 1 }
terraform {
  required_version = "1"
  required_providers {
    o = { source = "o/o" }
  }
}
`,
    });
    expect(warnings).toEqual([]);
    const value = (is: number) => ({ value: { kind: "literal", value: is } });
    expect(modules[0]).toMatchObject({
      requiredVersion: "1",
      resources: [
        {
          file: "main.tf",
          options: [{ kind: "ignoreChanges", paths: ["x"] }, { kind: "protect" }],
          settings: {
            members: [
              { name: "x", ...value(3) },
              { name: "y", ...value(2) },
              { name: "rule", value: { members: [{ name: "id", ...value(9) }] } },
            ],
          },
        },
      ],
      variables: [{ type: "number", default: { value: 1 } }],
      locals: [{ name: "l", ...value(2) }],
      outputs: [{ name: "o", ...value(2) }],
      providers: [
        { name: "o", source: "o/o" },
        { name: "p", source: "q/p", settings: { members: [{ name: "z" }] } },
      ],
    });
  });

  it("adds only what Terraform permits", async () => {
    const { modules, warnings } = await parse({
      "main.tf": 'resource "a" "b" {}\nlocals {}\n',
      "x_override.tf.json": '{"resource": {"a": {"c": {}}}}',
      "y_override.tofu": 'locals {\n  l = 1\n}\nprovider "p" { alias = "q" }\n',
    });
    expect(modules[0]).toMatchObject({ resources: [{ name: "b" }], locals: [], providers: [] });
    expect(warnings.map(({ code, line }) => [code, line])).toEqual([
      ["override_without_base", 1],
      ["override_without_base", 2],
      ["override_without_base", 4],
    ]);
  });
});

describe("the JSON syntax", () => {
  it("has the same result as HCL", async () => {
    const module = await moduleOf(
      JSON.stringify(
        {
          "//": "a comment",
          terraform: [{ required_version: "1", backend: { gcs: {} } }],
          provider: { aws: [{ region: "r" }, { alias: "east" }] },
          variable: { v: { type: "list(string)", default: ["a"], "//": "x" } },
          locals: { l: "${var.v}" },
          output: { o: { value: "a ${local.l[0]} $${b}" } },
          data: { aws_ami: { x: {} } },
          resource: {
            aws_x: {
              one: {
                count: 2,
                provider: "aws.east",
                depends_on: ["aws_x.two", "data.aws_ami.x"],
                lifecycle: { prevent_destroy: true },
                rule: [{ id: 1 }, { "//": "x" }],
                ami: "${data.aws_ami.x.id}",
                dynamic: { other: { for_each: "${local.l}", content: { a: "${other.value}" } } },
                bad: "${",
              },
              two: [{}],
            },
          },
          module: { m: { source: "./m" } },
          moved: [{ from: "a.b" }, { from: "a.c" }],
        },
        null,
        1,
      ),
      "main.tf.json",
    );
    expect(module).toMatchObject({
      requiredVersion: "1",
      backend: "gcs",
      providers: [{ name: "aws", aliases: [{ name: "east" }] }],
      variables: [{ type: "list(string)", default: { kind: "list" } }],
      locals: [{ value: { kind: "reference", target: { kind: "variable", name: "v" } } }],
      outputs: [
        {
          value: {
            parts: [
              { value: "a " },
              { kind: "reference", path: [0], target: { kind: "local" } },
              { value: " ${b}" },
            ],
          },
        },
      ],
      moduleCalls: [{ name: "m", source: "./m" }],
    });
    expect(module.resources).toMatchObject([
      { address: "data.aws_ami.x" },
      {
        address: "aws_x.one",
        provider: "aws.east",
        repeated: true,
        options: [{ kind: "protect" }],
        dependsOn: [{ address: "aws_x.two" }, { address: "data.aws_ami.x" }],
        settings: {
          members: [
            { name: "rule", value: { items: [{ members: [{ name: "id" }] }, { members: [] }] } },
            { name: "ami", value: { target: { address: "data.aws_ami.x" }, path: ["id"] } },
            { name: "other", value: { kind: "opaque" } },
            { name: "bad", value: { kind: "opaque", text: "${" } },
          ],
        },
      },
      { address: "aws_x.two" },
    ]);
    expect(module.resources[1]?.line).toBeGreaterThan(20);
  });

  it("counts its blocks, and warns of values that are not blocks", async () => {
    const { verdicts, warnings } = await parse({
      "a.tf.json": '{"resource": {"a": {"b": [{}, {}], "c": 1}}, "moved": [{}, {}], "x": {}}',
    });
    expect(verdicts[0]?.counts).toEqual({ resource: 2, moved: 2 });
    expect(warnings.map(({ code }) => code)).toEqual([
      "syntax_error",
      "unknown_block",
      "duplicate_resource",
    ]);
  });
});

describe("secrets in Terraform", () => {
  const secret = "hunter2";

  it("do not include a switch with the name of a secret", async () => {
    const { modules } = await parse({
      "main.tf":
        'variable "attach_secrets_policy" {\n type = bool\n default = false\n}\nvariable "secrets" {\n default = false\n}',
    });
    expect(modules[0]?.variables).toMatchObject([
      { sensitive: false, default: { kind: "literal", value: false } },
      { sensitive: true, default: { kind: "opaque", text: "" } },
    ]);
  });

  it("are not kept, neither from values of variables nor from sensitive values", async () => {
    const parsed = await parse({
      "a.tfvars": `password = "${secret}"\nx = ?${secret}\n`,
      "a.tfvars.json": `{"a": "${secret}", "a": "${secret}"}`,
      "main.tf": `
variable "a" {
  default   = "${secret}"
  sensitive = true
  validation { condition = contains(["${secret}"], var.a) }
}
variable "db_password" { default = "${secret}" }
variable "c" { default = { password = "${secret}" } }
locals { api_token = "${secret}" }
output "password" { value = "${secret}" }
provider "p" { token = "${secret}" }
resource "a" "b" {
  password = var.on ? "${secret}" : "x"
  url      = "postgres://me:${secret}@host"
  secret   = jsonencode(["${secret}"])
  env {
    name  = "DB_PASSWORD"
    value = "${secret}"
  }
  x = @${secret}
}
resource "a" "b" { password = "${secret}" }
`,
    });
    expect(JSON.stringify(parsed)).not.toContain(secret);
    expect(parsed.warnings.map(({ code }) => code)).toEqual([
      "syntax_error",
      "values_left_out",
      "duplicate_key",
      "values_left_out",
      "syntax_error",
      "duplicate_resource",
    ]);
    expect(parsed.modules[0]?.variables[0]?.default).toBeDefined();
  });

  it("keep their references", async () => {
    const { settings } = await resourceOf('resource "a" "b" { password = "x-${var.p}" }');
    expect(settings.members[0]?.value).toMatchObject({
      kind: "text",
      parts: [{ kind: "opaque", text: "" }, { kind: "reference" }],
    });
  });
});

describe("a large import of Terraform", () => {
  it("is parsed in linear time", async () => {
    const block = (index: number) =>
      `resource "aws_x" "r${index}" {\n  name = "n-\${var.a}"\n  tags = { a = 1 }\n}\n`;
    const text = Array.from({ length: 100 }, (_, index) => block(index)).join("");
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`m${index}/main.tf`, text]),
    );
    const spentMs = processorTime();
    const { modules } = await parse(files);
    expect(modules).toHaveLength(200);
    expect(spentMs()).toBeLessThan(3_000);
  });

  it("of calls in a circle is placed", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `m${index}/main.tf`,
        `module "next" { source = "../m${(index + 1) % 2_000}" }`,
      ]),
    );
    const { modules } = await parse(files);
    expect(modules.filter(({ isRoot }) => isRoot)).toHaveLength(1);
  });
});
