/** Files of an attacker or a careless sender: one of each kind for each import format. */

/** An item of the request's `files`. */
export interface SentFile {
  path: string;
  content: string;
  encoding?: "base64";
}

type Syntax = "hcl" | "json" | "yaml";

/** A format, with an ordinary file of it. */
interface Format {
  format: string;
  name: string;
  syntax: Syntax;
  good: string;
  /** Only its content tells the format, so text that is no JSON has none. */
  isByContent?: boolean;
}

const state = {
  version: 4,
  terraform_version: "1.9.0",
  outputs: {},
  resources: [
    {
      mode: "managed",
      type: "aws_sqs_queue",
      name: "jobs",
      provider: 'provider["registry.terraform.io/hashicorp/aws"]',
      instances: [{ attributes: { id: "jobs" } }],
    },
  ],
};
const planned = { address: "aws_sqs_queue.jobs", type: "aws_sqs_queue", name: "jobs" };
const plan = {
  format_version: "1.2",
  terraform_version: "1.9.0",
  planned_values: { root_module: { resources: [{ ...planned, mode: "managed", values: {} }] } },
  resource_changes: [{ ...planned, change: { actions: ["create"], before: null } }],
};
const stack = {
  AWSTemplateFormatVersion: "2010-09-09",
  Resources: { Jobs: { Type: "AWS::SQS::Queue", Properties: { QueueName: "jobs" } } },
};
const arm = {
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  contentVersion: "1.0.0.0",
  resources: [
    {
      type: "Microsoft.Network/virtualNetworks",
      apiVersion: "2024-05-01",
      name: "net",
      location: "westeurope",
      properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } },
    },
  ],
};
const queue = 'resource "aws_sqs_queue" "jobs" {\n  name = "jobs"\n}\n';

export const formats: readonly Format[] = [
  { format: "terraform", name: "main.tf", syntax: "hcl", good: queue },
  { format: "terraform", name: "a.tfvars", syntax: "hcl", good: 'size = "small"\n' },
  {
    format: "terraform",
    name: "main.tf.json",
    syntax: "json",
    good: JSON.stringify({ resource: { aws_sqs_queue: { jobs: { name: "jobs" } } } }),
  },
  { format: "terraform-state", name: "a.tfstate", syntax: "json", good: JSON.stringify(state) },
  {
    format: "terraform-plan",
    name: "plan.json",
    syntax: "json",
    good: JSON.stringify(plan),
    isByContent: true,
  },
  { format: "cloudformation", name: "stack.json", syntax: "json", good: JSON.stringify(stack) },
  { format: "arm", name: "azuredeploy.json", syntax: "json", good: JSON.stringify(arm) },
  {
    format: "cloudformation",
    name: "stack.yaml",
    syntax: "yaml",
    good: "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Jobs:\n    Type: AWS::SQS::Queue\n",
  },
  {
    format: "pulumi",
    name: "Pulumi.yaml",
    syntax: "yaml",
    good: "name: shop\nruntime: yaml\nresources:\n  jobs:\n    type: aws:sqs:Queue\n",
  },
  {
    format: "kubernetes",
    name: "map.yaml",
    syntax: "yaml",
    good: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: jobs\n",
  },
  {
    format: "compose",
    name: "compose.yaml",
    syntax: "yaml",
    good: "services:\n  jobs:\n    image: jobs\n",
  },
];

/** An ordinary file of each format, each in a folder of its own. */
export const goodFiles: readonly SentFile[] = formats.map(({ name, good }) => ({
  path: `good/${name}/${name}`,
  content: good,
}));

type Verdict = readonly [state: "PARSED" | "FAILED" | "SKIPPED", reason: string | null];

/** The change of an ordinary file, by the syntax of its format, and the verdict on the changed file. */
export interface Attack {
  what: string;
  by: Partial<Record<Syntax, readonly [change: (good: string) => string, verdict: Verdict]>>;
  encoding?: "base64";
  /** It takes a second, so an ordinary run takes one of them. */
  isLarge?: boolean;
}

const parsed: Verdict = ["PARSED", null];
const failed = (reason: string): Verdict => ["FAILED", reason];

/** With a further member, or further blocks. */
const member =
  (value: string) =>
  (good: string): string =>
    `${good.slice(0, -1)},"hostile":${value}}`;
const entry =
  (value: string) =>
  (good: string): string =>
    `${good}hostile: ${value}\n`;
const block =
  (text: string) =>
  (good: string): string =>
    `${good}${text}\n`;

const numbered = (length: number, text: (at: number) => string): string =>
  Array.from({ length }, (_, at) => text(at)).join("");

const aliasBomb = numbered(
  20,
  (at) => `\n  b${at}: &b${at} [${`*b${at - 1},`.repeat(at === 0 ? 0 : 9)}x]`,
);
const inherited = ["__proto__", "constructor", "toString", "hasOwnProperty"];

export const attacks: readonly Attack[] = [
  {
    what: "100,000 levels",
    by: {
      hcl: [block(`a = ${"[".repeat(100_000)}`), failed("nesting_too_deep")],
      json: [member("[".repeat(100_000)), failed("nesting_too_deep")],
      yaml: [entry("[".repeat(100_000)), failed("nesting_too_deep")],
    },
  },
  {
    what: "what is never closed",
    by: {
      hcl: [block(`a = <<EOT\n${'/* "${ \n'.repeat(1000)}`), parsed],
      json: [member(`"${"x".repeat(1000)}`), failed("invalid_json")],
      yaml: [entry(`"${"x\n".repeat(1000)}`), failed("invalid_yaml")],
    },
  },
  {
    what: "comments that are never closed",
    by: {
      hcl: [block("/*\n".repeat(100_000)), parsed],
      json: [member("/*".repeat(100_000)), failed("invalid_json")],
      yaml: [entry("1\n#".repeat(1000)), parsed],
    },
  },
  {
    what: "50,000 keys",
    isLarge: true,
    by: {
      hcl: [block(`locals {\n${numbered(50_000, (at) => `k${at} = 1\n`)}}`), parsed],
      json: [member(`{${numbered(50_000, (at) => `"k${at}":1,`)}"k":1}`), parsed],
      yaml: [entry(numbered(50_000, (at) => `\n  k${at}: 1`)), failed("too_many_values")],
    },
  },
  {
    what: "a key 1,000 times",
    by: {
      hcl: [block("a = 1\n".repeat(1000)), parsed],
      json: [member(`{${'"a":1,'.repeat(1000)}"a":1}`), parsed],
      yaml: [entry("\n  a: 1".repeat(1000)), parsed],
    },
  },
  {
    what: "a NUL",
    by: {
      hcl: [block("\0"), parsed],
      json: [member("\0"), failed("invalid_json")],
      yaml: [entry("\0"), failed("invalid_yaml")],
    },
  },
  {
    what: "a byte order mark and carriage returns",
    by: {
      hcl: [(good) => `\uFEFF${good.replaceAll("\n", "\r\n")}`, parsed],
      json: [(good) => `\uFEFF${good}\r\n`, parsed],
      yaml: [(good) => `\uFEFF${good.replaceAll("\n", "\r\n")}`, parsed],
    },
  },
  {
    what: "names that objects inherit",
    by: {
      hcl: [
        block(
          inherited
            .map((name) => `variable "${name}" {}\nlocals {\n  ${name} = var.${name}\n}\n`)
            .join(""),
        ),
        parsed,
      ],
      json: [member(`{${inherited.map((name) => `"${name}":{"${name}":1}`).join()}}`), parsed],
      yaml: [entry(inherited.map((name) => `\n  ${name}: {${name}: 1}`).join("")), parsed],
    },
  },
  { what: "an alias bomb", by: { yaml: [entry(aliasBomb), parsed] } },
  {
    what: "half a million empty values",
    isLarge: true,
    by: {
      hcl: [block(`a = [${"1,".repeat(400_000)}]`), failed("too_many_values")],
      json: [member(`[${"1,".repeat(250_000)}1]`), failed("too_many_values")],
      yaml: [entry(`[${"1,".repeat(100_000)}]`), failed("too_many_values")],
    },
  },
  {
    what: "UTF-16",
    encoding: "base64",
    by: {
      hcl: [inUtf16, failed("invalid_encoding")],
      json: [inUtf16, failed("invalid_encoding")],
      yaml: [inUtf16, failed("invalid_encoding")],
    },
  },
  {
    what: "wrong base64",
    encoding: "base64",
    by: {
      hcl: [(good) => `%${good}`, failed("invalid_encoding")],
      json: [(good) => `%${good}`, failed("invalid_encoding")],
      yaml: [(good) => `%${good}`, failed("invalid_encoding")],
    },
  },
];

function inUtf16(good: string): string {
  return btoa(`\xff\xfe${good.split("").join("\0")}\0`);
}

const unreadable = new Set(["invalid_json", "nesting_too_deep"]);

/** The hostile file of each format, with its verdict. */
export function hostileFiles({ by, encoding }: Attack): { file: SentFile; verdict: Verdict }[] {
  return formats.flatMap(({ name, syntax, good, isByContent = false }) => {
    const found = by[syntax];
    if (found === undefined) return [];
    const [change, ofSyntax] = found;
    const isUnknown = isByContent && unreadable.has(ofSyntax[1] ?? "");
    const verdict: Verdict = isUnknown ? ["SKIPPED", "unsupported_format"] : ofSyntax;
    const file = { path: `bad/${name}/${name}`, content: change(good) };
    return [{ file: encoding === undefined ? file : { ...file, encoding }, verdict }];
  });
}

const each = <T>(length: number, make: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at));
const tf = (folder: string, content: string): SentFile => ({ path: `${folder}/main.tf`, content });
const filled = (text: string, around: string): string =>
  around.replace("…", () => text.repeat(Math.floor((1024 * 1024 - 1000) / text.length)));
/** One MiB of it in each of nine folders. An import has at most ten. */
const nine = (name: string, content: string): SentFile[] =>
  each(9, (at) => ({ path: `m${at}/${name}`, content }));
const yamlStack = "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n";

/** Imports that are large as a whole, by the kind of size. */
export const largeImports: readonly {
  what: string;
  files: () => SentFile[];
  /** More roots than an import gets drafts for, so ordinary ones may get none. */
  isBeyondDrafts?: true;
}[] = [
  {
    what: "texts of three million references to nothing",
    files: () =>
      nine(
        "stack.json",
        filled("${A}", JSON.stringify({ ...stack, Outputs: { A: { Value: { "Fn::Sub": "…" } } } })),
      ),
  },
  {
    what: "20,001 resources",
    files: () => [
      tf(
        "many",
        numbered(20_001, (at) => `resource "aws_sqs_queue" "q${at}" {}\n`),
      ),
    ],
  },
  {
    what: "a chain and a circle of 20,000 locals",
    files: () => [
      tf(
        "chain",
        `locals {\n${numbered(20_000, (at) => `l${at} = local.l${at + 1}\n`)}}\nresource "aws_sqs_queue" "a" {\n  name = local.l0\n}`,
      ),
      tf(
        "circle",
        `locals {\n${numbered(20_000, (at) => `l${at} = local.l${(at + 1) % 20_000}\n`)}}\nresource "aws_sqs_queue" "a" {\n  name = local.l0\n}`,
      ),
    ],
  },
  {
    what: "locals that double a hundred times",
    files: () => [
      tf(
        "double",
        `locals {\n  l0 = "xxxxxxxxxx"\n${numbered(100, (at) => `l${at + 1} = "\${local.l${at}}\${local.l${at}}"\n`)}}\n${numbered(300, (at) => `resource "aws_sqs_queue" "q${at}" {\n  name = local.l${at % 100}\n}\n`)}`,
      ),
    ],
  },
  {
    what: "1,900 roots",
    isBeyondDrafts: true,
    files: () => each(1900, (at) => tf(`root${at}`, queue)),
  },
  {
    what: "1,900 modules in a circle",
    files: () =>
      each(1900, (at) =>
        tf(`ring${at}`, `module "next" {\n  source = "../ring${(at + 1) % 1900}"\n}\n${queue}`),
      ),
  },
  {
    what: "modules that call two, thirty levels down",
    files: () =>
      each(30, (at) =>
        tf(
          `tree${at}`,
          `module "a" {\n  source = "../tree${at + 1}"\n}\nmodule "b" {\n  source = "../tree${at + 1}"\n}\n${queue}`,
        ),
      ),
  },
  {
    what: "ninety roots that call a module of two hundred faulty resources",
    files: () => [
      ...each(90, (at) => tf(`caller${at}`, 'module "all" {\n  source = "../faulty"\n}\n')),
      tf("faulty", faultyResources(200)),
    ],
  },
  {
    what: "54,000 resources of ARM that are refused one after the other",
    files: () =>
      nine(
        "azuredeploy.json",
        JSON.stringify({
          ...arm,
          resources: each(6000, (at) => ({
            type: "Microsoft.Storage/storageAccounts",
            apiVersion: "2023-01-01",
            name: `s${at}`,
            properties: {},
          })),
        }),
      ),
  },
  {
    what: "45,000 resources of ARM, each fifty times",
    files: () =>
      nine(
        "azuredeploy.json",
        JSON.stringify({
          ...arm,
          resources: each(5000, (at) => ({
            type: "Microsoft.Storage/storageAccounts",
            apiVersion: "2023-01-01",
            name: `s${at}`,
            copy: { name: `c${at}`, count: 50 },
          })),
        }),
      ),
  },
  {
    what: "variables of ARM that double sixty times",
    files: () =>
      nine(
        "azuredeploy.json",
        JSON.stringify({
          ...arm,
          variables: Object.fromEntries(
            each(60, (at) => {
              const before = at === 0 ? "'a'" : `variables('v${at - 1}')`;
              return [`v${at}`, `[concat(${before}, ${before})]`];
            }),
          ),
          resources: each(2_000, (at) => ({
            type: "Microsoft.Storage/storageAccounts",
            apiVersion: "2023-01-01",
            name: `s${at}`,
            tags: { a: `[variables('v${at % 60}')]` },
          })),
        }),
      ),
  },
  {
    what: "lists of ARM of lists of 800 items each",
    files: () =>
      nine(
        "azuredeploy.json",
        JSON.stringify({
          ...arm,
          variables: {
            copy: [
              { name: "v", count: 800, input: { copy: [{ name: "x", count: 800, input: 1 }] } },
            ],
          },
          resources: each(2_000, (at) => ({
            type: "Microsoft.Storage/storageAccounts",
            apiVersion: "2023-01-01",
            name: `s${at}`,
            properties: { accessTier: `[variables('v')[${at % 800}].x]` },
          })),
        }),
      ),
  },
  {
    what: "maps of ARM from lambdas over a thousand items",
    files: () =>
      nine(
        "azuredeploy.json",
        JSON.stringify({
          ...arm,
          resources: each(2_000, (at) => ({
            type: "Microsoft.Storage/storageAccounts",
            apiVersion: "2023-01-01",
            name: `s${at}`,
            tags: "[toObject(range(0, 1000), lambda('k', string(lambdaVariables('k'))), lambda('v', concat('a', string(lambdaVariables('v')))))]",
          })),
        }),
      ),
  },
  {
    what: "variables of Compose with empty defaults",
    files: () => nine("compose.yaml", filled("${A:-}", 'services:\n  a: {image: "…"}\n')),
  },
  {
    what: "calls in texts of ARM",
    files: () =>
      nine(
        "azuredeploy.json",
        filled(
          "a(),",
          JSON.stringify({ ...arm, outputs: { a: { type: "string", value: "[concat(…'a')]" } } }),
        ),
      ),
  },
  {
    what: "lists of YAML of a character each",
    files: () =>
      nine(
        "stack.yaml",
        `${yamlStack}  A: {Type: 'AWS::SQS::Queue', Metadata: [${"1,".repeat(90_000)}]}\n`,
      ),
  },
  {
    what: "99,000 resources of YAML",
    files: () =>
      nine(
        "stack.yaml",
        `${yamlStack}${numbered(11_000, (at) => `  Q${at}: {Type: 'AWS::SQS::Queue'}\n`)}`,
      ),
  },
  {
    what: "lines of YAML of two characters",
    files: () => nine("stack.yaml", filled('- ""\n', `${yamlStack}  A:\n    Metadata:\n…`)),
  },
  {
    what: "comments of HCL that are never closed",
    files: () => nine("main.tf", filled("/*\n", "…")),
  },
  {
    what: "attributes of HCL",
    files: () => nine("main.tf", `locals {\n${numbered(80_000, (at) => `a${at}=1\n`)}}\n`),
  },
  {
    what: "states of 90,000 instances",
    files: () =>
      nine(
        "a.tfstate",
        JSON.stringify({
          ...state,
          resources: each(2500, (at) => ({
            ...state.resources[0],
            name: `q${at}`,
            instances: each(4, (key) => ({ index_key: key, attributes: { id: `id${key}` } })),
          })),
        }),
      ),
  },
  {
    what: "paths of a thousand characters before 9,000 names",
    files: () =>
      each(10, (at) =>
        tf(
          `${"d/".repeat(500)}${at}`,
          numbered(9000, (q) => `resource "aws_sqs_queue" "q${q}" {}\n`),
        ),
      ),
  },
  {
    what: "each service of Compose waiting for all",
    files: () => [
      ...each(9, (at) => ({
        path: `wait${at}/compose.yaml`,
        content: `services:\n${numbered(300, (s) => `  s${s}: {image: a, depends_on: [${each(200, (on) => `s${on}`).join()}]}\n`)}`,
      })),
    ],
  },
];

/** Resources with several settings that the check refuses one after the other. */
function faultyResources(length: number): string {
  return numbered(
    length,
    (at) =>
      `resource "aws_sqs_queue" "q${at}" {\n  delay_seconds = "soon"\n  max_message_size = [1]\n  redrive_policy = [${'{ a = "b" }, '.repeat(20)}]\n  fifo_queue = "perhaps"\n}\n`,
  );
}
