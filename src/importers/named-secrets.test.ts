import { describe, expect, it } from "vitest";
import { builtAssets } from "#test/support/built-assets.ts";
import { ImportLog } from "./import-log.ts";
import { readImport } from "./read-import.ts";

const CANARY = "canary-of-the-source";

async function read(files: Readonly<Record<string, string>>) {
  const log = new ImportLog();
  const given = Object.entries(files).map(([path, text]) => ({ path, text, format: undefined }));
  return readImport(given, undefined, log, { adopt: false, assets: builtAssets });
}

const password = (value: string) =>
  `resource "aws_db_instance" "a" {\n  password = ${value}\n  username = "u"\n}\n`;
const shows = (value: string) => `output "shown" {\n  value = ${value}\n}\n`;

describe("a value that a secret setting refers to is kept nowhere", () => {
  it.each([
    ["a local", password("local.x"), `locals {\n x = "${CANARY}"\n}`, "local.x"],
    ["a variable", password("var.x"), `variable "x" {\n default = "${CANARY}"\n}`, "var.x"],
    [
      "a part of a local",
      password("local.x.w[1]"),
      `locals {\n x = { w = ["plain", "${CANARY}"] }\n}`,
      "local.x.w",
    ],
    [
      "a part of a variable",
      password("var.x.w"),
      `variable "x" {\n default = { w = "${CANARY}", o = "plain" }\n}`,
      "var.x",
    ],
    [
      "through names, a condition and functions",
      password('var.on ? coalesce(local.y.w, "") : null'),
      `variable "on" {\n default = true\n}\nlocals {\n y = { w = trimspace(local.x) }\n x = "${CANARY}"\n}`,
      "local.x",
    ],
    [
      "in a text of its own",
      password("local.x"),
      `locals {\n x = "\${var.host}-${CANARY}"\n}\nvariable "host" {\n default = "h"\n}`,
      "local.x",
    ],
    [
      "in a map beside what tells of it",
      'resource "aws_secretsmanager_secret_version" "a" {\n secret_string = jsonencode({ username = local.u, word = local.x })\n}',
      `locals {\n u = "plain"\n x = "${CANARY}"\n}`,
      "[local.x, local.u]",
    ],
    [
      "in a member that another names",
      'resource "aws_x" "a" {\n environment = [{ name = "DB_PASSWORD", value = local.x }]\n}',
      `locals {\n x = "${CANARY}"\n}`,
      "local.x",
    ],
    [
      "a list named after secrets",
      'module "m" {\n source = "./m"\n passwords = local.x\n}',
      `locals {\n x = ["${CANARY}"]\n}`,
      "local.x",
    ],
    [
      "an entry of a store",
      'resource "azurerm_key_vault_secret" "a" {\n value = local.x\n}',
      `locals {\n x = "${CANARY}"\n}`,
      "local.x",
    ],
    [
      "what each member has",
      'resource "aws_db_instance" "a" {\n for_each = local.x\n password = each.value.w\n}',
      `locals {\n x = { a = { w = "${CANARY}" } }\n}`,
      "local.x",
    ],
    [
      "what each member has at its place",
      `resource "aws_db_instance" "a" {\n for_each = { a = { w = "${CANARY}" } }\n password = each.value.w\n username = each.value.w\n}`,
      "locals {}",
      '"plain"',
    ],
    [
      "by which the tool gets into a machine",
      'resource "aws_x" "a" {\n connection {\n password = var.x\n }\n provisioner "local-exec" {\n environment = { DB_PASSWORD = var.y }\n }\n}',
      `variable "x" {\n default = "${CANARY}"\n}\nvariable "y" {\n default = "${CANARY}"\n}`,
      "[var.x, var.y]",
    ],
    [
      "at a computed index",
      password("local.x[count.index].w"),
      `locals {\n x = [{ w = "${CANARY}" }]\n}`,
      "local.x",
    ],
    [
      "of all at once",
      password("local.x[*].w"),
      `locals {\n x = [{ w = "${CANARY}" }]\n}`,
      "local.x",
    ],
    [
      "looked up",
      password('lookup(local.x["a"], "w")'),
      `locals {\n x = { a = { w = "${CANARY}" } }\n}`,
      "local.x",
    ],
    [
      "a setting of a provider",
      'provider "postgresql" {\n password = var.x\n}',
      `variable "x" {\n default = "${CANARY}"\n}`,
      "var.x",
    ],
    [
      "a setting of a provider with an alias",
      'provider "postgresql" {\n alias = "b"\n password = var.x\n}',
      `variable "x" {\n default = "${CANARY}"\n}`,
      "var.x",
    ],
    [
      "what is marked where it is read",
      'resource "aws_x" "a" {\n words = sensitive(local.x)\n}',
      `locals {\n x = "${CANARY}"\n}`,
      "local.x",
    ],
    [
      "before the host of a URL",
      'resource "aws_x" "a" {\n dsn = "postgres://${local.u}:${local.x}@host/db"\n}',
      `locals {\n u = "u"\n x = "${CANARY}"\n}`,
      "local.x",
    ],
    [
      "after its name in a text",
      'resource "aws_instance" "a" {\n user_data = <<-EOT\n export DB_PASSWORD=${local.x}\n more\n EOT\n}',
      `locals {\n x = "${CANARY}"\n}`,
      "local.x",
    ],
    [
      "after its name in the text of a secret",
      'resource "aws_x" "a" {\n connection_string = "Server=h;Password=${local.x};"\n}',
      `locals {\n x = "${CANARY}"\n}`,
      "local.x",
    ],
    [
      "what a for takes one by one",
      'resource "aws_db_instance" "a" {\n for_each = { for one in local.flat : one.n => one }\n password = each.value.w\n}',
      `locals {\n x = [{ n = "a", all = [{ w = "${CANARY}" }] }]\n flat = flatten([for a in local.x : [for b in a.all : { n = a.n, w = b.w }]])\n}`,
      "local.x",
    ],
    [
      "what a dynamic block takes one by one",
      'resource "aws_mq_broker" "a" {\n dynamic "user" {\n for_each = local.x\n content {\n password = user.value.w\n }\n }\n}',
      `locals {\n x = [{ w = "${CANARY}" }]\n}`,
      "local.x",
    ],
    [
      "of what a function puts together",
      password("local.x"),
      `variable "e" {}\nlocals {\n x = format("${CANARY}-%s", var.e)\n}`,
      "local.x",
    ],
    ["of a digest", password("bcrypt(local.x)"), `locals {\n x = "${CANARY}"\n}`, "local.x"],
    [
      "the default of a look-up",
      password('lookup(var.m, "a", local.x)'),
      `variable "m" {}\nlocals {\n x = "${CANARY}"\n}`,
      "local.x",
    ],
    [
      "in the list that a function takes one of",
      password("local.y"),
      `locals {\n y = element(local.x, 0).w\n x = [{ w = "${CANARY}" }]\n}`,
      "local.x[0].w",
    ],
    [
      "in the map that a function makes a list of",
      password("local.y"),
      `locals {\n y = values(local.x)[0].w\n x = { a = { w = "${CANARY}" } }\n}`,
      "local.x.a.w",
    ],
    [
      "the default in a type",
      password("var.x.w"),
      `variable "x" {\n type = object({ w = optional(string, "${CANARY}") })\n default = {}\n}`,
      "var.x.w",
    ],
    [
      "the default of a member in a type that says so",
      password("var.x.password"),
      `variable "x" {\n type = object({ password = optional(string, "${CANARY}") })\n}`,
      '"plain"',
    ],
  ])("%s", async (_, uses, names, shown) => {
    const { inventory, drafts } = await read({
      "main.tf": `${uses}\n${names}\n${shows(shown)}resource "aws_sqs_queue" "q" {\n queue_name = ${shown}\n}`,
    });
    expect(drafts[0]?.source).toContain("resources:");
    expect(JSON.stringify([inventory, drafts])).not.toContain("canary");
  });

  it("across modules, by arguments and outputs", async () => {
    const { inventory, drafts } = await read({
      "main.tf": `
        variable "word" {
          default = "${CANARY}-1"
        }
        module "db" {
          source = "./db"
          admin  = var.word
          more   = "${CANARY}-2"
        }
        module "words" {
          source = "./words"
        }
        ${password("module.words.one")}
        ${shows("[var.word, module.words.one, module.db.more]")}`,
      "db/main.tf": `
        variable "admin" {}
        variable "more" {}
        resource "aws_db_instance" "b" {
          password        = var.admin
          master_password = var.more
        }
        output "more" {
          value = var.more
        }`,
      "words/main.tf": `
        locals {
          one = "${CANARY}-3"
        }
        output "one" {
          value = local.one
        }`,
    });
    expect(JSON.stringify([inventory, drafts])).not.toContain("canary");
    expect(inventory.variables.map(({ name, sensitive }) => [name, sensitive])).toContainEqual([
      "word",
      true,
    ]);
  });

  it("a value that a module marks as sensitive, and its output beside an instance of the same name", async () => {
    const { inventory, drafts } = await read({
      "main.tf": `
        locals {
          x = "${CANARY}-1"
        }
        module "m" {
          for_each = toset(["db"])
          source   = "./m"
          words    = local.x
        }
        ${password('module.m["db"].word')}
        ${shows('[local.x, module.m["db"].word]')}`,
      "m/main.tf": `
        variable "words" {
          sensitive = true
        }
        output "db" {
          value = "plain"
        }
        output "word" {
          value = "${CANARY}-2"
        }`,
    });
    expect(JSON.stringify([inventory, drafts])).not.toContain("canary");
  });

  it("a parameter in the text of a secret of CloudFormation", async () => {
    const { inventory, drafts } = await read({
      "stack.yaml": `
Parameters:
  Word: { Type: String, Default: ${CANARY} }
  User: { Type: String, Default: kept }
Resources:
  Db:
    Type: AWS::SecretsManager::Secret
    Properties: { SecretString: !Sub '{"username":"\${User}","password":"\${Word}"}' }
`,
    });
    expect(inventory.variables.map((one) => one.default)).toEqual([null, "kept"]);
    expect(JSON.stringify([inventory, drafts])).not.toContain("canary");
  });

  it("a parameter of CloudFormation", async () => {
    const { inventory, drafts } = await read({
      "stack.yaml": `
Parameters:
  Word: { Type: String, Default: ${CANARY} }
  Two: { Type: String, Default: ${CANARY} }
Resources:
  Db: { Type: "AWS::RDS::DBInstance", Properties: { MasterUserPassword: !Sub "\${Word}" } }
  Other: { Type: "AWS::RDS::DBInstance", Properties: { MasterUserPassword: !If [No, !Ref Two, !Ref Two] } }
Outputs:
  Shown: { Value: !Ref Word }
`,
    });
    expect(inventory.variables).toHaveLength(2);
    expect(JSON.stringify([inventory, drafts])).not.toContain("canary");
  });
});

it("keeps values that no secret setting refers to, and harmless values beside a secret", async () => {
  const { inventory, drafts } = await read({
    "main.tf": `
      locals {
        all  = { word = "hidden", kind = "kept-1" }
        host = "kept-2"
        arn  = "arn:aws:kms:eu-west-1:123456789012:alias/kept-3"
      }
      variable "empty" {
        default = ""
      }
      variable "other" {
        default = "kept-4"
      }
      ${password("local.all.word")}
      resource "aws_db_instance" "b" {
        password          = var.empty
        connection_string = "server=\${local.host}"
        token             = local.arn
        value_from        = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:\${local.host}"
        address           = "https://host:\${local.host}/x"
      }
      ${shows("[local.all.kind, local.host, local.arn, var.other]")}`,
  });
  const text = JSON.stringify(drafts);
  for (const kept of ["kept-1", "kept-2", "kept-3", "kept-4"]) expect(text).toContain(kept);
  expect(
    inventory.variables.map(({ name, sensitive, default: initial }) => [name, sensitive, initial]),
  ).toEqual([
    ["empty", false, ""],
    ["other", false, "kept-4"],
  ]);
});

it("ends where names refer to each other, and bounds the parts of a name", async () => {
  const parts = Array.from({ length: 500 }, (_, at) =>
    password(`local.big.p${at}`).replace('"a"', `"a${at}"`),
  );
  const big = Array.from({ length: 500 }, (_, at) => ` p${at} = "${CANARY}"`).join("\n");
  const { inventory, drafts } = await read({
    "main.tf": `locals {\n a = local.b\n b = { c = local.a.c }\n big = {\n${big}\n }\n}\n${password("local.a.c")}\n${parts.join("")}\n${shows("local.big.p499")}`,
  });
  expect(inventory.resources).toHaveLength(501);
  expect(JSON.stringify([inventory, drafts])).not.toContain("canary");
});
