import { describe, expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import { parseFiles } from "#importers/parse-files.ts";
import type { SafeModule } from "#importers/source-module.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";
import { drafted as draftedFiles } from "#test/support/drafted.ts";
import { draftModules } from "./draft-modules.ts";

const text = { type: "string" } as const;
const types = {
  "aws:AWS::Fake::Box": knownType({
    properties: {
      Name: text,
      Password: text,
      SecretId: text,
      Url: text,
      Command: { type: "array", items: text },
      Environment: { type: "object", items: text },
      Settings: {
        type: "array",
        items: { type: "object", object: { properties: { Name: text, Value: text } } },
      },
      TokenDays: { type: "integer" },
    },
  }),
};
const table: MappingTable = {
  provider: "fake",
  naming: "pascal",
  types: { fake_box: { type: "aws:AWS::Fake::Box" } },
};

const CANARY = "canary-of-the-source";

async function drafted(settings: string, more = "", files: Readonly<Record<string, string>> = {}) {
  const main = `resource "fake_box" "a" {\n${settings}\n}\n${more}`;
  const read = await draftOfTable(table, types, { "main.tf": main, ...files });
  expect(JSON.stringify(read.draft)).not.toContain("canary");
  return {
    properties: read.resources["boxA"]?.properties ?? {},
    secrets: Object.entries(read.config)
      .filter(([, { secret }]) => secret === true)
      .map(([name]) => name),
    config: read.config,
    outputs: read.outputs,
  };
}

it("a default with a pair of a secret's name and its value asks for the value", async () => {
  const { secrets } = await drafted(
    "settings = var.settings",
    `variable "settings" { default = { env = [{ name = "DB_PASSWORD", value = "${CANARY}" }] } }
output "all" { value = var.settings }`,
  );
  expect(secrets).toEqual(["settings"]);
});

it("a description that tells a secret is not shown", async () => {
  const { config } = await drafted(
    "name = var.label\nsecret_id = var.other",
    `variable "label" { description = "As of password=${CANARY}" }
variable "other" { description = "The name of the box" }`,
  );
  expect(config).toEqual({
    label: { type: "string" },
    other: { type: "string", description: "The name of the box" },
  });
});

describe("a secret that the source writes out is asked for", () => {
  it.each([
    ["by its name", `password = "${CANARY}"`, "Password"],
    ["as a part of a text", `password = "${CANARY}-\${fake_box.b.name}"`, "Password"],
    ["in what a function is given", `password = upper("${CANARY}")`, "Password"],
    ["in a URL", `url = "https://someone:${CANARY}@host.example"`, "Url"],
    ["as a local of another name", "password = local.plain", "Password"],
    ["as a local of its name", "url = local.api_key", "Url"],
    ["as the default of a variable", "password = var.plain", "Password"],
  ])("%s", async (_, settings, property) => {
    const { properties, secrets } = await drafted(
      settings,
      `locals {\n  plain = "${CANARY}"\n  api_key = "${CANARY}"\n}\nvariable "plain" {\n  default = "${CANARY}"\n}\nresource "fake_box" "b" {\n  name = "b"\n}\n`,
    );
    expect(secrets).toHaveLength(1);
    expect(properties[property]).toBe(`\${${secrets[0] ?? ""}}`);
  });

  it("inside lists and maps, beside plain values", async () => {
    const { properties, secrets } = await drafted(`
      command = ["run", "--password=${CANARY}"]
      environment = { DB_PASSWORD = "${CANARY}", DB_HOST = "localhost" }
      settings = [{ name = "API_KEY", value = "${CANARY}" }, { name = "PORT", value = "80" }]`);
    expect(secrets).toHaveLength(3);
    expect(properties).toMatchObject({
      Command: ["run", expect.stringMatching(/^\$\{\w+\}$/)],
      Environment: { DB_HOST: "localhost", DB_PASSWORD: expect.stringMatching(/^\$\{\w+\}$/) },
      Settings: [
        { Name: "API_KEY", Value: expect.stringMatching(/^\$\{\w+\}$/) },
        { Name: "PORT", Value: "80" },
      ],
    });
  });

  it("once for all its readers", async () => {
    const { secrets, outputs } = await drafted(
      "password = local.db_password\nurl = local.db_password",
      `locals {\n  db_password = "${CANARY}"\n}\noutput "password" {\n  value = local.db_password\n}\n`,
    );
    expect(secrets).toHaveLength(1);
    expect(outputs).toEqual({});
  });

  it("where a module is called with it", async () => {
    const inner = 'variable "word" {}\nresource "fake_box" "in" {\n  password = var.word\n}\n';
    const { secrets } = await drafted(
      'name = "a"',
      `module "m" {\n  source = "./inner"\n  word = "${CANARY}"\n}\n`,
      { "inner/main.tf": inner },
    );
    expect(secrets).toHaveLength(1);
  });
});

describe("a variable under the name of a secret stays a secret where the name is dropped", () => {
  it.each([
    ["by a for", "[for v in { password = var.plain } : { name = v }]"],
    ["by values()", "values({ password = var.plain })"],
    ["in a text", '[for v in { password = "x-${var.plain}" } : v]'],
    ["through a local", "[for v in { password = local.through } : v]"],
  ])("%s", async (_, output) => {
    const { config } = await drafted(
      'name = "a"',
      `variable "plain" {\n  default = "${CANARY}"\n}\nlocals {\n  through = var.plain\n}\noutput "all" {\n  value = { all = ${output}, more = "kept" }\n}\n`,
    );
    expect(Object.values(config)).toEqual([
      {
        type: "string",
        secret: true,
        description: expect.stringMatching(/^A value of .*: line \d+ of main\.tf\.$/),
      },
    ]);
  });

  it("or is left out with the map that a `for` makes of it", async () => {
    const { config, outputs } = await drafted(
      'name = "a"',
      `variable "plain" {\n  default = "${CANARY}"\n}\noutput "all" {\n  value = { for k, v in { password = var.plain } : k => { name = v } }\n}\n`,
    );
    expect([config, outputs]).toEqual([{}, {}]);
  });

  it("but an object's attribute is referred to", async () => {
    const { properties } = await drafted(
      "command = [for v in { password = fake_box.b.name } : v]",
      'resource "fake_box" "b" {\n  name = "b"\n}\n',
    );
    expect(properties["Command"]).toEqual(["${boxB.Name}"]);
  });
});

describe("a secret in a map that is named after secrets is asked for", () => {
  const each = "for_each = local.secrets\nname = each.value";
  it.each([
    ["the value of each", `secrets = { a = "${CANARY}" }`, each],
    ["the values together", `secrets = { a = "${CANARY}" }`, "command = values(local.secrets)"],
    ["one by its name", `secrets = { a = "${CANARY}" }`, "name = local.secrets.a"],
    ["merged", `secrets = merge({ a = "${CANARY}" }, {})`, each],
    ["chosen", `secrets = true ? { a = "${CANARY}" } : {}`, each],
    ["made by a for", `secrets = { for k in ["a"] : k => "${CANARY}" }`, each],
    ["made of a map", `secrets = { for k, v in { a = "${CANARY}" } : k => v }`, each],
    ["under a plain word", `secrets = { database = "${CANARY}" }`, each],
    ["as a number", `secrets = { pin = 1234 }`, each],
    [
      "in a list",
      `secrets = [{ value = "${CANARY}" }]`,
      "for_each = { a = local.secrets[0] }\nname = each.value.value",
    ],
    [
      "in a map below",
      `secrets = { a = { word = "${CANARY}" } }`,
      "for_each = local.secrets\nname = each.value.word",
    ],
    [
      "an address that holds it",
      `secrets = { a = { url = "https://host.example/${CANARY}" } }`,
      "for_each = local.secrets\nname = each.value.url",
    ],
    [
      "of an instance",
      'plain = "a"',
      `for_each = { db_password = { word = "${CANARY}" } }\nname = each.value.word`,
    ],
    [
      "that a block takes one by one",
      'plain = "a"',
      `dynamic "settings" {\nfor_each = { token = { word = "${CANARY}" } }\ncontent {\nname = "a"\nvalue = settings.value.word\n}\n}`,
    ],
  ])("%s", async (_, locals, settings) => {
    const { draft, config } = await draftOfTable(
      table,
      types,
      `locals {\n${locals}\n}\nresource "fake_box" "a" {\n${settings}\n}`,
    );
    expect(draft.source).not.toMatch(/canary|1234/);
    expect(draft.unsupported).toEqual([]);
    expect(Object.values(config)).toEqual([
      {
        type: "string",
        secret: true,
        description: expect.stringMatching(/^A value of .*: line \d+ of main\.tf\.$/),
      },
    ]);
  });

  it.each(["passwords", "apiKeys", "passphrases"])(
    "or its objects are not written out: %s",
    async (name) => {
      const { config } = await drafted(
        `for_each = local.${name}\nname = each.value`,
        `locals {\n${name} = { a = "${CANARY}" }\n}\noutput "all" {\n value = local.${name}\n}`,
      );
      expect(config).toEqual({});
    },
  );

  it("but not its description or its storage place", async () => {
    const of = async (locals: string, settings: string) => {
      const { config, properties } = await drafted(settings, `locals {\n${locals}\n}`);
      expect(config).toEqual({});
      return properties;
    };
    const arn = "arn:aws:ssm:eu-west-1:1:parameter/a";
    expect(await of(`secrets = { a = "${arn}" }`, "name = local.secrets.a")).toEqual({ Name: arn });
    expect(
      await of(
        'secrets = [{ name = "API_KEY", valueFrom = "/a/b" }]',
        "name = local.secrets[0].name\nurl = local.secrets[0].valueFrom",
      ),
    ).toEqual({ Name: "API_KEY", Url: "/a/b" });
    const { resources } = await draftOfTable(
      table,
      types,
      'resource "fake_box" "a" {\nfor_each = { token-service = { image = "nginx" } }\nname = each.value.image\n}',
    );
    expect(Object.values(resources)).toMatchObject([{ properties: { Name: "nginx" } }]);
  });
});

it("asks for nothing that only describes a secret", async () => {
  const { properties, secrets } = await drafted('secret_id = "database"\ntoken_days = 7');
  expect(secrets).toEqual([]);
  expect(properties).toEqual({ SecretId: "database", TokenDays: 7 });
});

it("keeps the references of a secret", async () => {
  const { properties, config } = await drafted(
    "password = var.db_password",
    'variable "db_password" {\n  sensitive = true\n}\n',
  );
  expect(properties).toEqual({ Password: "${dbPassword}" });
  expect(config).toEqual({ dbPassword: { type: "string", secret: true } });
});

describe("a value in a secret's place", () => {
  const template = (settings: string, name: string) => ({
    "a.json": JSON.stringify({
      $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
      parameters: { site: { type: "string" }, secretName: { type: "string", defaultValue: "n" } },
      resources: [
        {
          type: "Microsoft.Compute/virtualMachines/extensions",
          apiVersion: "2024-07-01",
          name: "vm/agent",
          properties: { type: "Agent", protectedSettings: { account: settings } },
        },
        { type: "Microsoft.Storage/storageAccounts", apiVersion: "2021-04-01", name },
      ],
    }),
  });
  const nameOf = (resources: JsonMap) =>
    Object.values(resources)
      .filter(isJsonMap)
      .find(({ type }) => type === "azure:Microsoft.Storage/storageAccounts@2021-04-01")?.[
      "properties"
    ];

  it("is no secret where the source computes a name of it", async () => {
    const lower = "[toLower(parameters('site'))]";
    const { config, resources, lost } = await draftedFiles(template(lower, lower));
    expect(lost).toEqual([]);
    expect(config["site"]).toEqual({ type: "string" });
    expect(nameOf(resources)).toMatchObject({ name: "${site.lowerAscii()}" });
  });

  it("is one where nothing else reads it", async () => {
    const { config } = await draftedFiles(template("[parameters('site')]", "n"));
    expect(config["site"]).toMatchObject({ secret: true });
  });

  it("is one where others can take a secret", async () => {
    const read = template("[parameters('site')]", "n");
    const more = read["a.json"].replace('"type":"Agent"', `"type":"[parameters('site')]"`);
    expect((await draftedFiles({ "a.json": more })).config["site"]).toMatchObject({ secret: true });
  });

  it("of an object that the account decides, likewise", async () => {
    const unique = "[toLower(uniqueString(resourceGroup().id))]";
    const { config, lost } = await draftedFiles(template(unique, unique));
    expect(lost).toEqual([]);
    expect(Object.values(config)).not.toContainEqual(expect.objectContaining({ secret: true }));
  });

  it.each(["password = var.rds_auth", 'password = try(var.rds_auth, "none")'])(
    "is one where it is all of the secret, whatever else reads it: %s",
    async (password) => {
      const { config, lost } = await draftedFiles({
        "main.tf": `variable "rds_auth" { type = string }
resource "aws_db_instance" "d" {
  engine         = "postgres"
  instance_class = "db.t3.micro"
  ${password}
}
resource "aws_sqs_queue" "q" {
  name = "\${lower(var.rds_auth)}-q"
}
`,
      });
      expect(config["rdsAuth"]).toMatchObject({ secret: true });
      expect(lost).toContainEqual(["aws_sqs_queue.q", "QueueName", 8]);
    },
  );

  it("is no secret for a name that only tells of one", async () => {
    const { config, lost } = await draftedFiles(template("x", "[parameters('secretName')]"));
    expect(lost).toEqual([]);
    expect(config["secretName"]).toEqual({ type: "string", default: "n" });
  });

  it.each([
    "vault_secret_id",
    "passwordUser",
    "token_reader",
    "dbpassword",
    "DBPassword",
    "PGPASSWORD",
    "JWTSecret",
    "secret_by_name",
  ])("is one where the name says so: %s", async (name) => {
    const { config } = await draftedFiles({
      "main.tf": `variable "${name}" { default = "${CANARY}" }
resource "aws_ssm_parameter" "p" {
  name  = "p"
  type  = "String"
  value = var.${name}
}
`,
    });
    expect(JSON.stringify(config)).not.toContain("canary");
    expect(Object.values(config)).toEqual([expect.objectContaining({ secret: true })]);
  });

  it.each(['{ alice = "canary" }', '["canary"]'])(
    "is one in a list or map of a name: %s",
    async (value) => {
      const { text } = await draftedFiles({
        "main.tf": `variable "password_file" { default = ${value} }
resource "aws_ec2_tag" "t" {
  resource_id = "i"
  key         = "k"
  value       = jsonencode(var.password_file)
}
output "passwords_by_user" { value = { alice = "canary" } }
`,
      });
      expect(text).not.toContain("canary");
    },
  );
});

/** Reading hides these literals. The words below keep them from it, and become those of secrets afterwards. */
it.each([
  '{ for k, v in upper({ a = "canary-of-the-source" }) : k => var.plain }',
  'merge(upper({ a = "canary-of-the-source" }), { b = var.plain })',
  'var.plain == "p" ? [{ renamed = "canary-of-the-source" }] : []',
  'var.plain == "p" ? [{ key = "DB_renamed", value = "canary-of-the-source" }] : []',
])("no formula has a secret that reading has left: %s", async (value) => {
  const log = new ImportLog();
  const text = `variable "plain" {
  default = "p"
}
resource "aws_sqs_queue" "q" {
  name = "q"
}
output "o" {
  value = ${value}
}
`;
  const { modules } = await parseFiles([{ path: "main.tf", text }], log);
  const read = JSON.stringify(modules);
  expect(read).toContain("canary");
  const left = read.replaceAll("renamed", "password").replaceAll('"upper"', '"sensitive"');
  const drafts = await draftModules(JSON.parse(left) as SafeModule[], log, {
    adopt: false,
    ids: new Map(),
    assets: builtAssets,
  });
  expect(drafts[0]?.source).toContain("QueueName: q");
  expect(JSON.stringify(drafts)).not.toContain("canary");
});

it("asks for what CloudFormation reads from a store by its name, also in an environment", async () => {
  const { config, resources, text } = await draftedFiles({
    "stack.yaml": `
AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Fn:
    Type: AWS::Lambda::Function
    Properties:
      Role: arn:aws:iam::1:role/x
      Code: { ZipFile: x }
      Environment:
        Variables:
          DB: "{{resolve:secretsmanager:legacy:SecretString:password}}"
          NAME: "{{resolve:ssm:/shop/name}}"
          NET: !ImportValue shared-network
          KEPT: a-plain-secret-text-9f3
`,
  });
  expect(config).toMatchObject({
    legacyPassword: { type: "string", secret: true },
    shopName: { type: "string" },
  });
  expect(JSON.stringify(resources)).toContain('"DB":"${legacyPassword}","NAME":"${shopName}"');
  expect(text).not.toContain("a-plain-secret-text-9f3");
});
