import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptFiles } from "#areas/imports/accept-files.ts";
import { analyse } from "#areas/imports/analyse.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { countFor, testSeed } from "#test/support/depth.ts";
import { environmentPlaces, type PlacedFiles } from "#test/support/environment-places.ts";

const CANARY = "cnry7Qd-x41";

/** All that an import answers and stores, as text, and its first draft. */
async function imported(files: PlacedFiles, report?: object) {
  const sent = Object.entries(files).map(([path, content]) => ({ path, content }));
  const analysis = await analyse(await acceptFiles(sent), report as never, {
    adopt: false,
    assets: builtAssets,
  });
  expect(analysis.state).toMatch(/^COMPLETED/);
  return { text: JSON.stringify(analysis), draft: analysis.drafts[0]?.source ?? "" };
}

/** No list of secret words contains these names, so none of them reveals a secret. */
const names = [
  "DB_PASS",
  "SMTP_PASS",
  "MASTER_KEY",
  "ENCRYPTION_KEY",
  "GITHUB_PAT",
  "CREDS",
  "WEBHOOK",
  "SALT",
  "X",
  "dsn",
  "APP_NAME",
  "PORT",
  "LOG_LEVEL",
  "AWS_REGION",
];

describe("a value of an environment, whatever its name", () => {
  it.each(environmentPlaces.map(({ what }, at) => [what, at] as const))(
    "is asked for in %s",
    async (_, at) => {
      const place = environmentPlaces[at];
      for (const name of names)
        expect((await imported(place?.files(name, CANARY) ?? {})).text, name).not.toContain(CANARY);
    },
    60_000,
  );

  it("is asked for at random places, names and values", async () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,20}$/);
    const value = fc.stringMatching(/^[A-Za-z0-9]{1,10}$/).map((word) => `${CANARY}${word}`);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...environmentPlaces),
        name,
        value,
        async (place, key, of) => {
          const { text } = await imported(place.files(key, of));
          expect(text).not.toContain(CANARY);
        },
      ),
      { numRuns: countFor({ ordinary: 60, deep: 2_000 }), seed: testSeed },
    );
  }, 300_000);

  it.each([
    ["a local", 'locals {\n  word = "…"\n}\n', "local.word"],
    ["a variable's default", 'variable "word" {\n  default = "…"\n}\n', "var.word"],
    ["a member of a local", 'locals {\n  all = { word = "…" }\n}\n', "local.all.word"],
    ["a merged map", 'locals {\n  more = { X = "…" }\n}\n', "merge(local.more, {}).X"],
  ])("is asked for where an environment reads it by a name: %s", async (_, before, value) => {
    const lambda = `resource "aws_lambda_function" "f" {\n  environment {\n    variables = { X = ${value} }\n  }\n}\n`;
    const { text } = await imported({ "main.tf": before.replace("…", CANARY) + lambda });
    expect(text).not.toContain(CANARY);
  });
  it("is asked for where an environment is a map with a name", async () => {
    const { text } = await imported({
      "main.tf": `locals {\n  more = { A = "${CANARY}1" }\n}\nvariable "given" {\n  default = { B = "${CANARY}2" }\n}\nresource "aws_lambda_function" "f" {\n  environment {\n    variables = merge(local.more, var.given)\n  }\n}\n`,
    });
    expect(text).not.toContain(CANARY);
  });
});

describe("an environment that a script sets from a collection", () => {
  const word = (nth: number) => `${CANARY}${nth}`;
  const locals = `locals {
  all   = { A = "${word(1)}", B = "${word(2)}" }
  pairs = [{ name = "A", value = "${word(1)}" }]
  each  = [{ title = "a", set = { A = "${word(1)}" } }]
}
variable "all" {
  default = { A = "${word(1)}" }
}
`;
  const machine = (data: string, more = "") =>
    `${locals}resource "aws_instance" "i" {\n  ami = "ami-1"\n  user_data = ${data}\n${more}}\n`;
  const loop = "%{ for k, v in all ~}\nexport ${k}=${v}\n%{ endfor ~}\n";
  const filled = (all: string, template = loop) => ({
    "main.tf": machine(`templatefile("t.sh", { all = ${all} })`),
    "t.sh": template,
  });
  const written = (data: string, more = "") => ({ "main.tf": machine(data, more) });
  const bare = loop.replace("export ", "");

  it.each<[string, PlacedFiles]>([
    ["a local", filled("local.all")],
    ["a variable", filled("var.all")],
    ["a literal", filled(`{ A = "${word(1)}" }`)],
    ["a merged map", filled(`merge(local.all, { C = "${word(3)}" })`)],
    ["lines without a word", filled("local.all", bare)],
    ["lines in marks", filled("local.all", bare.replace("${v}", '"${v}"'))],
    [
      "a condition",
      filled(
        "local.all",
        "%{ for k, v in all }%{ if v != 1 }\nexport ${k}=${v}%{ endif }%{ endfor }",
      ),
    ],
    [
      "pairs",
      filled("local.pairs", "%{ for e in all ~}\nexport ${e.name}=${e.value}\n%{ endfor ~}"),
    ],
    ["names", filled("local.all", "%{ for k in keys(all) ~}\nexport ${k}=${all[k]}\n%{ endfor ~}")],
    [
      "a loop in a loop",
      filled(
        "local.each",
        "%{ for s in all ~}\n%{ for k, v in s.set ~}\nexport ${k}=${v}\n%{ endfor ~}\n%{ endfor ~}",
      ),
    ],
    [
      "a loop in a loop over a literal",
      filled(
        `[{ set = { A = "${word(1)}" } }]`,
        "%{ for s in all ~}\n%{ for k, v in s.set ~}\nexport ${k}=${v}\n%{ endfor ~}\n%{ endfor ~}",
      ),
    ],
    [
      "a heredoc",
      written(
        `<<-EOT\n  %{ for k, v in local.all ~}\n  export \${k}=\${v}\n  %{ endfor ~}\n  EOT\n`,
      ),
    ],
    ["joined lines", written('join("\\n", [for k, v in local.all : "${k}=${v}"])')],
    [
      "joined lines in base64",
      written('base64encode(join("\\n", [for k, v in local.all : "${k}=${v}"]))'),
    ],
    [
      "formatted lines",
      written('join("\\n", [for k, v in local.all : format("export %s=%q", k, v)])'),
    ],
    [
      "an item of for_each",
      written(
        'join("\\n", [for k, v in each.value.set : "${k}=${v}"])',
        "  for_each = { for s in local.each : s.title => s }\n",
      ),
    ],
    [
      "a local with the script",
      {
        "main.tf": `${machine("local.lines")}locals {\n  lines = join("\\n", [for k, v in local.all : "export \${k}=\${v}"])\n}\n`,
      },
    ],
    ...[`local.all`, `{ A = "${word(1)}" }`].map((all): [string, PlacedFiles] => [
      `a local that a script reads by another one: ${all}`,
      {
        "main.tf": `${machine("base64encode(local.whole)")}locals {\n  whole = "#!/bin/sh\\n\${local.lines}"\n  lines = join("\\n", [for k, v in ${all} : "\${k}=\${v}"])\n}\n`,
      },
    ]),
    [
      "a module",
      {
        "main.tf": `module "m" {\n  source = "./m"\n  all = { A = "${word(1)}" }\n}\n`,
        "m/main.tf":
          'variable "all" {}\nresource "aws_instance" "i" {\n  ami = "ami-1"\n  user_data = join("\\n", [for k, v in var.all : "${k}=${v}"])\n}\n',
      },
    ],
  ])("is asked for: %s", async (_, files) => {
    const { text, draft } = await imported(files);
    expect(draft).toContain("AWS::EC2::Instance");
    expect(text).not.toContain(CANARY);
  });

  it("is not every pair that a loop joins", async () => {
    const { draft } = await imported({
      "main.tf":
        'locals {\n  labels = { team = "blue" }\n}\nresource "aws_sqs_queue" "q" {\n  name = join("-", [for k, v in local.labels : "${k}=${v}"])\n}\n',
    });
    expect(draft).toContain("blue");
  });
});

describe("an ordinary application", () => {
  const main = `variable "project" {
  default = "shop"
}
resource "aws_sqs_queue" "jobs" {
  name = "\${var.project}-jobs"
}
resource "aws_lambda_function" "api" {
  function_name = "\${var.project}-api"
  role          = "arn:aws:iam::123456789012:role/api"
  handler       = "index.handler"
  runtime       = "nodejs22.x"
  s3_bucket     = "code"
  s3_key        = "api.zip"
  environment {
    variables = {
      NODE_ENV   = "production"
      LOG_LEVEL  = "info"
      PORT       = "8080"
      AWS_REGION = "eu-west-1"
      DEBUG      = "false"
      QUEUE_URL  = aws_sqs_queue.jobs.url
      PROJECT    = var.project
      DB_PASS    = "${CANARY}"
      SLACK      = "https://hooks.slack.com/services/T0/B0/${CANARY}"
    }
  }
}
`;
  it("keeps plain values and asks for the rest under their own names", async () => {
    const { draft, text } = await imported({ "main.tf": main });
    expect(text).not.toContain(CANARY);
    for (const kept of ["production", "info", '"8080"', "eu-west-1", "${project}", "default: shop"])
      expect(draft).toContain(kept);
    expect(draft).toMatch(/DB_PASS: \$\{(\w*dbPass|DB_PASS)\}/i);
    expect(draft).toMatch(/secret: true\n\s+description: "A value of aws_lambda_function\.api/);
  });
});

describe("a text that holds a secret", () => {
  it.each([
    `https://u:${CANARY}@host/a`,
    `https://${CANARY}@host/a`,
    `https://host/a?code=${CANARY}`,
    `https://acc.blob.core.windows.net/c?sv=2024-01-01&sig=${CANARY}`,
    `https://hooks.slack.com/services/T0/B0/${CANARY}`,
    `https://discord.com/api/webhooks/1/${CANARY}`,
    `https://x.webhook.office.com/webhookb2/${CANARY}`,
    `Endpoint=sb://x/;SharedAccessKeyName=a;SharedAccessKey=${CANARY}`,
    `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${CANARY}`,
    `Server=db;User Id=a;Pass=${CANARY};`,
    `ghp_${CANARY.replaceAll("-", "")}0123456789abcdef`,
    `-----BEGIN PRIVATE KEY-----\\n${CANARY}`,
  ])("is not kept under any name: %s", async (value) => {
    const canary = value.includes(CANARY) ? CANARY : CANARY.replaceAll("-", "");
    const report = sarifOf(`Found "${value}" here.`);
    const files = {
      "main.tf": `resource "aws_sqs_queue" "q" {\n  name = "q"\n  policy = "${value}"\n}\nvariable "plain" {\n  default = "${value}"\n}\nlocals {\n  plain = "${value}"\n}\noutput "o" {\n  value = local.plain\n}\n`,
    };
    expect((await imported(files)).text).not.toContain(canary);
    expect((await imported({}, report)).text).not.toContain(canary);
  });

  it.each([
    `DB_PASS=${CANARY}`,
    `MASTER_KEY: "${CANARY}"`,
    `password is ${CANARY}`,
    `value '${CANARY}' of secret`,
    `AKIAABCDEFGHIJKLMNOP and ${CANARY}AAAAbbbb1111cccc2222`,
  ])("is not in the messages of a report: %s", async (message) => {
    for (const report of [sarifOf(message), checkovOf(message)])
      expect((await imported({}, report)).text, message).not.toContain(CANARY);
  });

  it("leaves the ordinary messages of reports as they are", async () => {
    for (const message of [
      "Ensure the S3 bucket has access logging enabled",
      "Ensure all data stored in the RDS is securely encrypted at rest",
      "Resource 'module.net.aws_security_group.web' allows ingress from 0.0.0.0/0 (CKV_AWS_24); see https://docs.example.com/policies/aws-24",
    ])
      for (const report of [sarifOf(message), checkovOf(message)])
        expect((await imported({}, report)).text).toContain(message);
  });
});

function sarifOf(text: string): object {
  return {
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "t", rules: [{ id: "r", shortDescription: { text } }] } },
        results: [
          {
            ruleId: "r",
            message: { text },
            locations: [{ logicalLocations: [{ fullyQualifiedName: "a.b" }] }],
          },
        ],
      },
    ],
  };
}

function checkovOf(text: string): object {
  const check = { check_id: "CKV_1", check_name: text, resource: "a.b", file_path: "/main.tf" };
  return { check_type: "terraform", results: { failed_checks: [check] }, summary: { failed: 1 } };
}
