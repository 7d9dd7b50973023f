import { env } from "cloudflare:workers";
import { afterAll, expect, it, vi } from "vitest";
import { type Answer, makeUnlimitedTenant } from "#test/support/api.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { unpackedRows } from "#test/support/unpacked-rows.ts";

// Every row is searched for every secret.
await emptyDatabase();
const tenant = await makeUnlimitedTenant();
const console_ = (["log", "info", "warn", "error", "debug"] as const).map((method) =>
  vi.spyOn(console, method),
);
afterAll(() => vi.restoreAllMocks());

let made = 0;

/** A secret that stands nowhere else. */
function canary(): string {
  made += 1;
  const word = `cnry${String(made).padStart(3, "0")}${crypto.randomUUID().slice(0, 8)}`;
  canaries.push(word);
  return word;
}
const canaries: string[] = [];

/** As it is, in hexadecimal, and in base64 wherever it starts in what is encoded. */
function formsOf(word: string): string[] {
  const inBase64 = [0, 1, 2].map((before) =>
    btoa(" ".repeat(before) + word).slice(before === 0 ? 0 : before + 1, -4),
  );
  const hex = [...new TextEncoder().encode(word)].map((byte) => byte.toString(16)).join("");
  return [word, hex, ...inBase64];
}

const key = (): string =>
  `-----BEGIN RSA PRIVATE KEY-----\nMII${canary()}\n-----END RSA PRIVATE KEY-----\n`;
const url = (): string => `postgres://app:${canary()}@db.example.com:5432/shop`;
const encoded = (): string => btoa(`password=${canary()}`);

const terraform = () => `
terraform {
  backend "s3" {
    secret_key = "${canary()}"
  }
}
provider "aws" {
  region     = "eu-west-1"
  access_key = "${canary()}"
  secret_key = "${canary()}"
  token      = "${canary()}"
}
provider "digitalocean" {
  token = "${canary()}"
}
variable "db_password" {
  default = "${canary()}"
}
variable "plain" {
  sensitive = true
  default   = "${canary()}"
}
variable "nested" {
  default = { password = "${canary()}", url = "${url()}", list = [{ api_key = "${canary()}" }] }
}
variable "url" {
  default = "${url()}"
}
variable "checked_password" {
  validation {
    condition     = contains(["${canary()}"], var.checked_password)
    error_message = "No."
  }
}
locals {
  api_token = "${canary()}"
  secrets   = { db = { password = "${canary()}" } }
  marked    = sensitive("${canary()}")
  header    = "Authorization: Bearer token=${canary()}"
  joined    = join("", ["password=", "${canary()}"])
  key       = <<-EOT
    ${key().replaceAll("\n", "\n    ")}
  EOT
}
resource "aws_db_instance" "main" {
  identifier           = "main"
  engine               = "postgres"
  instance_class       = "db.t3.micro"
  allocated_storage    = 20
  username             = "app"
  password             = "${canary()}"
  master_user_password = "${canary()}-\${var.plain}"
}
resource "aws_instance" "web" {
  ami           = "ami-1"
  instance_type = "t3.micro"
  user_data     = <<-EOT
    #!/bin/sh
    export DB_PASSWORD=${canary()}
    curl ${url()}
  EOT
  connection {
    password    = "${canary()}"
    private_key = "${canary()}"
  }
  provisioner "remote-exec" {
    inline = ["login --password=${canary()}"]
  }
}
resource "aws_lambda_function" "job" {
  function_name = "job"
  role          = "arn:aws:iam::1:role/x"
  environment {
    variables = { DB_PASSWORD = "${canary()}", DATABASE_URL = "${url()}", KEY = local.key, T = local.api_token, M = local.marked, H = local.header, J = local.joined }
  }
}
resource "aws_ecs_task_definition" "app" {
  family                = "app"
  container_definitions = jsonencode([{ name = "app", image = "app", environment = [{ name = "DB_PASSWORD", value = "${canary()}" }] }])
}
resource "aws_ssm_parameter" "secret" {
  name  = "/db/password"
  type  = "SecureString"
  value = "${canary()}"
}
resource "aws_secretsmanager_secret_version" "v" {
  secret_id     = "x"
  secret_string = jsonencode({ password = "${canary()}" })
}
resource "digitalocean_droplet" "web" {
  name      = "web"
  image     = "ubuntu"
  size      = "s-1vcpu-1gb"
  region    = "fra1"
  user_data = "DB_PASSWORD='${canary()}'"
}
resource "digitalocean_app" "app" {
  spec {
    name = "app"
    env {
      key   = "DB_PASSWORD"
      value = "${canary()}"
    }
  }
}
module "inner" {
  source   = "git::https://user:${canary()}@git.example.com/inner.git"
  password = "${canary()}"
}
module "local" {
  source = "./inner"
  word   = "${canary()}"
}
output "db_password" {
  value = "${canary()}"
}
output "hidden" {
  sensitive = true
  value     = "${canary()}"
}
output "url" {
  value = "postgres://app:${canary()}@\${aws_db_instance.main.address}/shop"
}
`;
const inner = `
variable "word" {}
resource "aws_db_instance" "in" {
  identifier = "in"
  password   = var.word
}
`;
const terraformJson = () => ({
  provider: { aws: { secret_key: canary() } },
  variable: { api_key: { default: canary() }, map: { default: { password: canary() } } },
  locals: { token: canary() },
  resource: {
    aws_db_instance: { db: { identifier: "db", password: canary(), "//": `password=${canary()}` } },
    digitalocean_droplet: { d: { name: "d", user_data: `PASSWORD=${canary()}` } },
  },
  output: { secret: { value: canary() } },
});
const tfvars = () => `
db_password = "${canary()}"
anything    = "${canary()}"
map = {
  a = ["${canary()}"]
}
text = <<EOT
${canary()}
EOT
broken "${canary()}" = ${canary()}
`;

const attributes = () => ({
  id: "db-1",
  arn: "arn:aws:rds:eu-west-1:1:db:main",
  name: canary(),
  identifier: "main",
  password: canary(),
  url: url(),
  user_data: encoded(),
  endpoint: canary(),
  tags: { anything: canary() },
});
const stateResources = () => [
  {
    mode: "managed",
    type: "aws_db_instance",
    name: "main",
    provider: 'provider["registry.terraform.io/hashicorp/aws"]',
    instances: [
      {
        attributes: attributes(),
        private: canary(),
        sensitive_attributes: [
          [{ type: "get_attr", value: "password" }],
          [{ type: "get_attr", value: "name" }],
        ],
      },
    ],
  },
  {
    mode: "managed",
    type: "random_password",
    name: "db",
    provider: 'provider["registry.terraform.io/hashicorp/random"]',
    instances: [{ attributes: { id: canary(), result: canary(), bcrypt_hash: canary() } }],
  },
  {
    mode: "managed",
    type: "aws_ssm_parameter",
    name: "secret",
    provider: 'provider["registry.terraform.io/hashicorp/aws"]',
    instances: [{ attributes: { id: url(), value: canary() } }],
  },
  {
    mode: "data",
    type: "aws_secretsmanager_secret_version",
    name: "v",
    provider: 'provider["registry.terraform.io/hashicorp/aws"]',
    instances: [{ attributes: { id: canary(), secret_string: canary() } }],
  },
];
const state = () => ({
  version: 4,
  terraform_version: "1.9.0",
  lineage: canary(),
  outputs: {
    plain: { value: canary(), type: "string" },
    db_password: { value: canary(), type: "string", sensitive: true },
  },
  resources: stateResources(),
});
const values = () => ({
  outputs: { url: { value: url() }, hidden: { value: canary(), sensitive: true } },
  root_module: {
    resources: [
      {
        address: "aws_db_instance.main",
        mode: "managed",
        type: "aws_db_instance",
        name: "main",
        provider_name: "registry.terraform.io/hashicorp/aws",
        values: attributes(),
        sensitive_values: { password: true, name: true },
      },
    ],
  },
});
const plan = () => ({
  format_version: "1.2",
  terraform_version: "1.9.0",
  variables: { db_password: { value: canary() }, any: { value: canary() } },
  planned_values: values(),
  prior_state: { format_version: "1.0", values: values() },
  output_changes: { url: { actions: ["create"], before: canary(), after: canary() } },
  configuration: {
    provider_config: { aws: { expressions: { secret_key: { constant_value: canary() } } } },
    root_module: { variables: { db_password: { default: canary() } } },
  },
  resource_changes: [
    {
      address: "aws_db_instance.main",
      mode: "managed",
      type: "aws_db_instance",
      name: "main",
      change: {
        actions: ["update"],
        before: attributes(),
        after: attributes(),
        before_sensitive: { password: true, name: true },
        after_sensitive: { password: true },
      },
    },
  ],
});

const stack = () => ({
  AWSTemplateFormatVersion: "2010-09-09",
  Description: "A stack",
  Metadata: { anything: canary() },
  Parameters: {
    Plain: { Type: "String", NoEcho: true, Default: canary(), AllowedValues: [canary()] },
    DbPassword: { Type: "String", Default: canary() },
    Url: { Type: "String", Default: url() },
  },
  Mappings: { Words: { prod: { password: canary(), url: url() } } },
  Resources: {
    Db: {
      Type: "AWS::RDS::DBInstance",
      Properties: {
        DBInstanceIdentifier: "main",
        MasterUserPassword: canary(),
        MasterUsername: "app",
      },
    },
    Secret: {
      Type: "AWS::SecretsManager::Secret",
      Properties: { Name: "s", SecretString: canary() },
    },
    Web: {
      Type: "AWS::EC2::Instance",
      Properties: {
        ImageId: "ami-1",
        UserData: {
          "Fn::Base64": { "Fn::Sub": `export DB_PASSWORD=${canary()}\n# \${AWS::Region}` },
        },
      },
    },
    Encoded: { Type: "AWS::EC2::Instance", Properties: { ImageId: "a", UserData: encoded() } },
    Job: {
      Type: "AWS::Lambda::Function",
      Properties: {
        Code: { ZipFile: `password = "${canary()}"` },
        Role: "arn:aws:iam::1:role/x",
        Environment: {
          Variables: {
            DB_PASSWORD: canary(),
            URL: { "Fn::Join": ["", ["postgres://app:", canary(), "@host/db"]] },
            MAPPED: { "Fn::FindInMap": ["Words", "prod", "password"] },
          },
        },
      },
    },
    Task: {
      Type: "AWS::ECS::TaskDefinition",
      Properties: {
        ContainerDefinitions: [
          { Name: "a", Image: "a", Environment: [{ Name: "API_KEY", Value: canary() }] },
        ],
      },
    },
  },
  Outputs: { DbPassword: { Value: canary() }, Url: { Value: url() } },
});
const stackYaml = () => `
AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Secret: { Type: String, NoEcho: "true", Default: ${canary()} }
Resources:
  Db:
    Type: AWS::RDS::DBInstance
    Properties:
      DBInstanceIdentifier: main
      MasterUserPassword: !Sub "${canary()}-\${AWS::Region}"
  Web:
    Type: AWS::EC2::Instance
    Properties:
      ImageId: ami-1
      UserData: !Base64
        Fn::Sub: |
          #!/bin/sh
          export API_TOKEN="${canary()}"
`;
const arm = () => ({
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  contentVersion: "1.0.0.0",
  parameters: {
    plain: { type: "securestring", defaultValue: canary() },
    object: { type: "secureObject", defaultValue: { a: canary() } },
    adminPassword: { type: "string", defaultValue: canary() },
    url: { type: "string", defaultValue: url() },
  },
  variables: {
    apiKey: canary(),
    cfg: { password: canary() },
    text: `[concat('Server=x;Password=', '${canary()}')]`,
  },
  resources: [
    {
      type: "Microsoft.Sql/servers",
      apiVersion: "2023-08-01",
      name: "db",
      location: "westeurope",
      properties: { administratorLogin: "app", administratorLoginPassword: canary() },
    },
    {
      type: "Microsoft.Web/sites",
      apiVersion: "2023-12-01",
      name: "web",
      location: "westeurope",
      properties: {
        siteConfig: {
          appSettings: [
            { name: "DB_PASSWORD", value: canary() },
            { name: "K", value: "[variables('apiKey')]" },
          ],
          connectionStrings: [
            { name: "Main", connectionString: `Server=x;User=a;Password=${canary()};` },
          ],
        },
      },
    },
    {
      type: "Microsoft.Compute/virtualMachines",
      apiVersion: "2024-07-01",
      name: "vm",
      location: "westeurope",
      properties: { osProfile: { adminPassword: canary(), customData: encoded() } },
    },
  ],
  outputs: {
    key: { type: "securestring", value: canary() },
    password: { type: "string", value: canary() },
  },
});
const armParameters = () => ({
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#",
  contentVersion: "1.0.0.0",
  parameters: { adminPassword: { value: canary() }, anything: { value: canary() } },
});
const pulumi = () => `
name: shop
runtime: yaml
config:
  aws:secretKey: ${canary()}
  plain: { type: string, secret: true, default: ${canary()} }
  dbPassword: { type: string, default: ${canary()} }
variables:
  apiKey: ${canary()}
  hidden: { fn::secret: ${canary()} }
resources:
  cloud:
    type: pulumi:providers:aws
    properties: { secretKey: ${canary()} }
  db:
    type: aws-native:rds:DbInstance
    properties:
      dbInstanceIdentifier: main
      masterUserPassword: ${canary()}
      masterUsername: { fn::secret: ${canary()} }
      dbName: { fn::join: ["", ["password=${canary()}"]] }
outputs:
  url: ${url()}
  apiKey: ${canary()}
  hidden: { fn::secret: ${canary()} }
`;
const pulumiStack = () => `
encryptionsalt: ${canary()}
config:
  shop:dbPassword: { secure: ${canary()} }
  shop:anything: ${canary()}
  aws:secretKey: ${canary()}
`;
const kubernetes = () => `
apiVersion: v1
kind: Secret
metadata: { name: s, annotations: { last: "${canary()}" } }
data: { anything: ${btoa(canary())} }
stringData: { other: ${canary()} }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: c }
data: { any: "${canary()}", url: ${url()} }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: d }
spec:
  template:
    spec:
      containers:
        - name: a
          image: a
          args: ["--password=${canary()}"]
          env: [{ name: DB_PASSWORD, value: ${canary()} }, { name: URL, value: "${url()}" }]
`;
const compose = () => `
services:
  db:
    image: "postgres:\${TAG:-16}"
    environment:
      POSTGRES_PASSWORD: ${canary()}
      URL: ${url()}
      D: "\${DB_PASSWORD:-${canary()}}"
      E: "\${DSN:-postgres://a:${canary()}@b/c}"
    command: redis-server --requirepass ${canary()} --password=${canary()}
    labels: ["token=${canary()}"]
  web:
    image: web
    environment: ["API_KEY=${canary()}", "X=\${API_KEY:-${canary()}}"]
secrets:
  s: { content: "${canary()}" }
`;
/** What cannot be read is not quoted. */
const broken = () => ({
  "broken/main.tf": `resource "a" "b" {\n  password = "${canary()}\n}\n${canary()} {{{ ${canary()}`,
  "broken/a.tf.json": `{"variable": {"x": {"default": "${canary()}"}} ${canary()}`,
  "broken/a.tfstate": `{"version": 4, "outputs": {"a": {"value": "${canary()}" ${canary()}`,
  "broken/stack.yaml": `AWSTemplateFormatVersion: "2010-09-09"\nResources: {A: "${canary()}\n  - ${canary()}: [`,
  "broken/compose.yaml": `services:\n  a: &${canary()} {*${canary()} : "\\q${canary()}"\n`,
  "broken/notes.txt": canary(),
  "broken/.env": `DB_PASSWORD=${canary()}`,
});

const files = (): Record<string, string> => ({
  "main.tf": terraform(),
  "inner/main.tf": inner,
  "json/main.tf.json": JSON.stringify(terraformJson()),
  "prod.tfvars": tfvars(),
  "prod.auto.tfvars.json": JSON.stringify({ any: canary(), db_password: canary() }),
  "terraform.tfstate": JSON.stringify(state()),
  "shown.json": JSON.stringify({
    format_version: "1.0",
    terraform_version: "1.9.0",
    values: values(),
  }),
  "plan.json": JSON.stringify(plan()),
  "stack.json": JSON.stringify(stack()),
  "stack.yaml": stackYaml(),
  "azuredeploy.json": JSON.stringify(arm()),
  "azuredeploy.parameters.json": JSON.stringify(armParameters()),
  "pulumi/Pulumi.yaml": pulumi(),
  "pulumi/Pulumi.prod.yaml": pulumiStack(),
  "k8s/all.yaml": kubernetes(),
  "compose.yaml": compose(),
  ...broken(),
});

/** Of other tools: snippets and changes of values are not kept. */
const reports: Record<string, () => object> = {
  "a plan": plan,
  "a state": state,
  "a shown state": () => ({ format_version: "1.0", values: values() }),
  Checkov: () => ({
    results: {
      failed_checks: [
        {
          check_id: "CKV_1",
          check_name: "No secrets",
          resource: "aws_db_instance.main",
          file_path: "/main.tf",
          file_line_range: [1, 2],
          code_block: [[1, `password = "${canary()}"`]],
          entity_tags: { a: canary() },
          check_result: { evaluated_keys: [canary()] },
          fixed_definition: canary(),
        },
      ],
    },
  }),
  driftctl: () => ({
    summary: { total_managed: 1 },
    differences: [
      {
        res: { id: "db", type: "aws_db_instance" },
        changelog: [{ path: ["password"], from: canary(), to: canary() }],
      },
    ],
  }),
  SARIF: () => ({
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "t", rules: [] } },
        results: [
          {
            ruleId: "r",
            message: { text: "A secret is here." },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: "main.tf" },
                  region: { startLine: 1, snippet: { text: canary() } },
                },
              },
            ],
          },
        ],
      },
    ],
  }),
  "something unknown": () => ({ secret: canary() }),
};

/** All that the service says and keeps after an import, with all its drafts made templates. */
async function afterImport(body: object): Promise<string[]> {
  const answers: Answer[] = [await tenant.post("/imports?adopt=true&dryRun=true", body)];
  const imported = await tenant.post("/imports?adopt=true", body);
  expect(imported.status, imported.text.slice(0, 300)).toBe(201);
  answers.push(imported);
  const { id, counts } = imported.body;
  for (const part of Object.keys(counts))
    answers.push(await tenant.get(`/imports/${id}?part=${part}`));
  for (const { module } of imported.body.drafts) {
    const query = `module=${encodeURIComponent(module)}`;
    answers.push(await tenant.get(`/imports/${id}?${query}`));
    const name = `Of ${id.slice(-6)} ${answers.length}`;
    const template = await tenant.post(`/imports/${id}/template`, { name, module });
    answers.push(template);
    if (template.status === 201)
      answers.push(await tenant.get(`/templates/${template.body.id}/versions/1`));
  }
  return answers.map(({ text }) => text);
}

async function storedRows(): Promise<[table: string, rows: string][]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
  ).all<{ name: string }>();
  return Promise.all(
    results.map(async ({ name }): Promise<[string, string]> => {
      const rows = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
      return [name, JSON.stringify(rows.results)];
    }),
  );
}

/** Those that one of the texts has, in whatever form, with what stands before each. */
function found(texts: readonly string[]): string[] {
  return canaries.flatMap((word) =>
    formsOf(word).flatMap((form) => {
      const text = texts.find((one) => one.includes(form));
      if (text === undefined) return [];
      const at = text.indexOf(form);
      return `${text.slice(Math.max(0, at - 60), at)}${word}`;
    }),
  );
}

async function expectNothingOf(body: object, templates: number): Promise<void> {
  const answers = await afterImport(body);
  expect(answers.filter((text) => text.includes('"latestVersion":1'))).toHaveLength(templates);
  expect(found(answers), "in answers").toEqual([]);
  for (const [table, rows] of await storedRows()) expect(found([rows]), table).toEqual([]);
  expect(found([await unpackedRows()]), "in packed rows").toEqual([]);
  const logged = console_.flatMap(({ mock }) => mock.calls.map((call) => JSON.stringify(call)));
  expect(found(logged), "in logs").toEqual([]);
}

it("finds a secret in every form it could have", () => {
  const word = canary();
  const forms = [word, btoa(`x${word}y`), btoa(`xy${word}`), btoa(word), `"\\u0041${word}%20`];
  for (const form of forms) expect(found([form]).join(), form).toContain(word);
  canaries.length = 0;
});

it("nothing of a secret in a file of any format is answered, kept or logged", async () => {
  const all = Object.entries(files()).map(([path, content]) => ({ path, content }));
  expect(canaries.length).toBeGreaterThan(150);
  const { body } = await tenant.post("/imports?dryRun=true", { files: all });
  const unread = body.files.filter(({ state }: { state: string }) => state !== "PARSED");
  for (const { path } of unread) expect(path).toMatch(/^broken\//);
  expect(body.counts.drafts).toBeGreaterThanOrEqual(5);
  await expectNothingOf({ files: all }, 7);
});

it.each(Object.entries(reports))(
  "nothing of a secret in a report is kept: %s",
  async (_, report) => {
    const files_ = [
      { path: "main.tf", content: terraform() },
      { path: "inner/main.tf", content: inner },
    ];
    await expectNothingOf({ files: files_, report: report() }, 1);
  },
);
