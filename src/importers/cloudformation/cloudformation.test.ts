import { expect, it } from "vitest";
import type { Expression } from "#importers/expression.ts";
import { ImportLog } from "#importers/import-log.ts";
import type { SourceModule } from "#importers/source-module.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { cloudFormationParser } from "./cloudformation.ts";
import { detectCloudFormation } from "./detect-cloudformation.ts";

async function parse(text: string, path = "stack.yaml") {
  const log = new ImportLog();
  const { modules, verdicts } = parsedBy(cloudFormationParser, [{ path, text }], log);
  return { module: modules[0], verdict: verdicts[0], warnings: log.warnings() };
}

function settingOf(module: SourceModule | undefined, address: string, name: string) {
  return module?.resources
    .find((resource) => resource.address === address)
    ?.settings.members.find((member) => member.name === name)?.value;
}

/** The value of a property in a template with a parameter `P` and a resource `R`. */
async function valueOf(written: string, sections = ""): Promise<Expression | undefined> {
  const text = `Parameters: { P: { Type: String, Default: x }, Secret: { Type: String, NoEcho: true } }
${sections}
Resources:
  R: { Type: AWS::SNS::Topic }
  Subject:
    Type: AWS::SQS::Queue
    Properties:
      It: ${written}
`;
  return settingOf((await parse(text)).module, "Subject", "It");
}

const literal = (value: string | number | boolean | null) => ({ kind: "literal", value });
const toP = { kind: "reference", target: { kind: "variable", name: "P" }, path: [] };
const toR = (...path: string[]) => ({
  kind: "reference",
  target: { kind: "resource", address: "R" },
  path,
});
const region = { kind: "call", name: "pseudo", args: [literal("AWS::Region")] };

const template = `AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Size:
    Type: Number
    Default: 3
    AllowedValues: [1, 3]
    Description: How many
  Password:
    Type: String
    NoEcho: true
    Default: canary-1
  Image:
    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>
    Default: /aws/service/ami
Resources:
  # The network.
  Net:
    # Of all.
    Type: AWS::EC2::VPC
    DeletionPolicy: Retain
    Properties:
      CidrBlock: 10.0.0.0/16
  Db:
    Type: AWS::RDS::DBInstance
    Condition: Sometimes
    DependsOn: [Net, Missing]
    Properties:
      MasterUserPassword: canary-2
      Url: postgres://admin:canary-3@host/db
  Never:
    Type: AWS::SNS::Topic
    Condition: Off
  Broken: {}
Conditions:
  Sometimes: !Equals [!Ref Size, 3]
  Off: !Not [!Equals [a, a]]
Outputs:
  Id:
    Description: The network
    Value: !Ref Net
  Pass:
    Value: !Ref Password
  OfNever:
    Condition: Off
    Value: x
  OfDb:
    Condition: Sometimes
    Value: !GetAtt Db.Endpoint.Address
`;

it("reads a template's sections with their places", async () => {
  const { module, verdict, warnings } = await parse(template);
  expect(verdict).toEqual({
    path: "stack.yaml",
    state: "PARSED",
    counts: { resource: 2, variable: 3, output: 3, condition: 2, mapping: 0, module: 0 },
  });
  expect(module?.variables).toMatchObject([
    {
      name: "Size",
      type: "Number",
      default: literal(3),
      allowed: [1, 3],
      sensitive: false,
      description: "How many",
      line: 3,
    },
    { name: "Password", sensitive: true, default: { kind: "opaque", text: "" } },
    { name: "Image", default: undefined },
  ]);
  expect(module?.resources).toMatchObject([
    {
      address: "Net",
      type: "AWS::EC2::VPC",
      provider: "aws",
      line: 17,
      endLine: 22,
      options: [{ kind: "retainOnDelete" }],
      repeated: false,
      dependsOn: [],
    },
    { address: "Db", repeated: true, dependsOn: [{ address: "Net", line: 26 }] },
  ]);
  expect(module?.outputs).toMatchObject([
    { name: "Id", value: { target: { address: "Net" }, path: [] }, sensitive: false },
    { name: "Pass", sensitive: true },
    {
      name: "OfDb",
      value: {
        kind: "call",
        name: "?:",
        args: [{}, { path: ["Endpoint", "Address"] }, { name: "pseudo" }],
      },
    },
  ]);
  expect(warnings.map(({ code, line }) => [code, line])).toEqual([
    ["stored_parameter", 14],
    ["condition_false", 30],
    ["invalid_resource", 33],
  ]);
  expect(JSON.stringify({ module, warnings })).not.toContain("canary");
});

it.for<[string, object]>([
  ["!Ref P", toP],
  ["{ Ref: R }", toR()],
  ["!Ref AWS::Region", region],
  ["!Ref Nothing", { kind: "opaque", references: [] }],
  ["!GetAtt R.TopicArn", toR("TopicArn")],
  ["{ 'Fn::GetAtt': [R, Outputs.Url] }", toR("Outputs", "Url")],
  [
    "!Sub 'a-${P}-${R.Arn}-${!Keep}'",
    { parts: [{ value: "a-" }, toP, { value: "-" }, toR("Arn"), literal("-${Keep}")] },
  ],
  ["!Sub plain", literal("plain")],
  ["!Sub ['${a}-${b}', { a: x, b: !Ref P }]", { parts: [literal("x-"), toP] }],
  ["!Sub 'open ${P'", literal("open ${P")],
  [
    "!Join ['-', [a, !Ref P, !Ref AWS::NoValue, b]]",
    { parts: [literal("a-"), toP, literal("-b")] },
  ],
  [
    "!Join [',', !Split [';', !Ref P]]",
    { kind: "call", name: "join", args: [literal(","), { name: "split" }] },
  ],
  ["!Select [1, [a, b]]", literal("b")],
  [
    "!Select ['0', !GetAZs '']",
    { kind: "call", name: "[]", args: [{ name: "getAzs" }, literal(0)] },
  ],
  ["{ 'Fn::Base64': !Sub 'x${P}' }", { kind: "call", name: "base64", args: [{ kind: "text" }] }],
  [
    "!Cidr [10.0.0.0/16, 2, 8]",
    { name: "cidr", args: [literal("10.0.0.0/16"), literal(2), literal(8)] },
  ],
  ["!ImportValue other", { name: "importValue", args: [literal("other")] }],
  ["{ 'Fn::Length': [1, 2] }", { name: "length", args: [{ kind: "list" }] }],
  ["[!Ref AWS::NoValue, 1]", { kind: "list", items: [literal(1)] }],
  ["{ a: !Ref AWS::NoValue, b: 1 }", { kind: "object", members: [{ name: "b" }] }],
  [
    "{ 'Fn::Transform': { Name: x, Parameters: { y: !Ref P } } }",
    { kind: "opaque", text: "Fn::Transform", references: [toP] },
  ],
  [
    "!Join [',', [a, !If [C, b, !Ref AWS::NoValue]]]",
    { kind: "call", name: "join", args: [literal(","), { kind: "list" }] },
  ],
  [
    "'{{resolve:secretsmanager:a:b}}'",
    { kind: "call", name: "resolve", args: [literal("secretsmanager"), literal("a:b")] },
  ],
  [
    "!Sub 'pg://{{resolve:ssm:/${P}/host:1}}/${R}'",
    {
      parts: [
        literal("pg://"),
        {
          name: "resolve",
          args: [literal("ssm"), { parts: [literal("/"), toP, literal("/host:1")] }],
        },
        literal("/"),
        toR(),
      ],
    },
  ],
  ["'{{resolve:ssm:open'", literal("{{resolve:ssm:open")],
  ["{ Password: '{{resolve:secretsmanager:a}}' }", { members: [{ value: { name: "resolve" } }] }],
  [
    "{ Name: DB_PASSWORD, Value: hush }",
    { members: [literal("DB_PASSWORD"), { kind: "opaque", text: "" }].map((value) => ({ value })) },
  ],
  [
    "!Join ['', ['postgres://u:', hush, '@h/', !Ref P]]",
    { parts: [{ kind: "opaque", text: "" }, toP] },
  ],
])("reads %s", async ([written, expected]) => {
  expect(await valueOf(written)).toMatchObject(expected);
});

const decided = `
Mappings:
  Sizes: { prod: { Size: m5.large, Zones: [a, b] } }
Conditions:
  Yes: !Equals [a, a]
  No: !Or [!Condition Never, !And [!Condition Yes, !Not [!Condition Yes]]]
  Never: !Equals [!FindInMap [Sizes, prod, Size], other]
  Maybe: !Equals [!Ref P, x]
  Decided: !And [!Condition Maybe, !Condition No]
  Both: !And [!Condition Maybe, !Not [!Condition Maybe]]
  Round: !Not [!Condition Round]
`;
const toCondition = (name: string) => ({
  kind: "reference",
  target: { kind: "local", name: `Conditions.${name}` },
});
const toMaybe = toCondition("Maybe");
const sizes = { kind: "reference", target: { kind: "local", name: "Mappings.Sizes" } };

it.for<[string, object | undefined]>([
  ["!If [Yes, 1, 2]", literal(1)],
  ["!If [No, 1, 2]", literal(2)],
  ["!If [Decided, 1, 2]", literal(2)],
  ["!If [Maybe, !Ref P, !Ref R]", { kind: "call", name: "?:", args: [toMaybe, toP, toR()] }],
  [
    "!If [Both, 1, 2]",
    {
      args: [
        { name: "&&", args: [toMaybe, { name: "!", args: [toMaybe] }] },
        literal(1),
        literal(2),
      ],
    },
  ],
  ["!If [Round, 1, 2]", { args: [toCondition("Round"), literal(1), literal(2)] }],
  ["!If [Nowhere, 1, 2]", { kind: "opaque" }],
  ["!If [Yes, !Ref AWS::NoValue, 2]", undefined],
  ["!FindInMap [Sizes, prod, Size]", literal("m5.large")],
  ["!FindInMap [Sizes, prod, None, { DefaultValue: !Ref P }]", toP],
  ["!FindInMap [Sizes, prod, None, { DefaultValue: !Ref AWS::NoValue }]", undefined],
  ["!GetAtt [R, !FindInMap [Sizes, prod, Size]]", toR("m5", "large")],
  ["!FindInMap [Sizes, prod, Zones]", { kind: "list", items: [literal("a"), literal("b")] }],
  ["!FindInMap [Sizes, !Ref P, Size]", { name: "[]", args: [sizes, toP, literal("Size")] }],
  [
    "!FindInMap [Sizes, !Ref P, Size, { DefaultValue: s }]",
    { name: "lookup", args: [{ name: "[]", args: [sizes, toP] }, literal("Size"), literal("s")] },
  ],
  ["!FindInMap [None, !Ref P, Size]", { kind: "opaque", references: [toP] }],
])("decides %s", async ([written, expected]) => {
  const value = await valueOf(written, decided);
  if (expected === undefined) expect(value).toBeUndefined();
  else expect(value).toMatchObject(expected);
});

it("reads JSON as well, and warns of unknown parts", async () => {
  const { module, warnings } = await parse(
    JSON.stringify({
      Transform: ["AWS::Serverless-2016-10-31", "MyMacro"],
      Globals: {},
      Resources: { F: { Type: "AWS::Serverless::Function" }, "Fn::ForEach::X": [] },
    }),
    "a/template.json",
  );
  expect(module?.resources.map(({ address }) => address)).toEqual(["F"]);
  expect(warnings.map(({ code }) => code)).toEqual([
    "ignored_section",
    "serverless_transform",
    "unsupported_transform",
    "unsupported_loop",
  ]);
});

it.for([
  ["- a", "not_a_template"],
  ["", "not_a_template"],
  ["a: [", "invalid_yaml"],
])("fails for %s", async ([text, reason]) => {
  expect((await parse(text ?? "")).verdict).toMatchObject({ state: "FAILED", reason });
});

it("stays near the size of the source where values repeat", async () => {
  const levels = Array.from({ length: 40 }, () => "!Sub ['${x}${x}${x}', { x: ").join("");
  const value = await valueOf(`${levels}!Ref P${" }]".repeat(40)}`);
  expect(JSON.stringify(value).length).toBeLessThan(1_000_000);
  const circle = "Conditions: { C: !Equals [!If [C, a, b], !Ref P], D: !Not [!Condition D] }";
  expect(await valueOf("!If [C, 1, 2]", circle)).toMatchObject({ kind: "call", name: "?:" });
  expect(await valueOf("!If [D, 1, 2]", circle)).toMatchObject({ kind: "call", name: "?:" });
  const wide = Array.from({ length: 12 }, () => "!Equals [!Ref P, x]").join(", ");
  const many = await valueOf(
    `[${Array.from({ length: 20_000 }, () => "!If [W, 1, 2]").join(", ")}]`,
    `Conditions: { W: !Or [${wide}] }`,
  );
  expect(JSON.stringify(many).length).toBeLessThan(10_000_000);
  const chain = Array.from({ length: 5_000 }, (_, i) => `  C${i}: !Not [!Condition C${i + 1}]\n`);
  expect(await valueOf("!If [C0, 1, 2]", `Conditions:\n${chain.join("")}`)).toMatchObject({
    args: [toCondition("C0"), literal(1), literal(2)],
  });
});

it.for([
  ["a.yaml", "AWSTemplateFormatVersion: 2010-09-09\n", true],
  ["a.template", '{ "AWSTemplateFormatVersion" : "2010-09-09" }', true],
  ["a.yml", "Resources:\n  A:\n    Type: 'AWS::SNS::Topic'\n", true],
  ["a.json", '{"Resources":{"A":{"Type":"Custom::X"}}}', true],
  ["a.yaml", "resources:\n  a: { type: aws:sns:Topic }\n", false],
  ["a.yaml", "data:\n  t: |\n    AWSTemplateFormatVersion: 2010-09-09\n", false],
  ["a.json", '{"body": "{\\"AWSTemplateFormatVersion\\": 1}"}', false],
  ["a.tf", "AWSTemplateFormatVersion: 2010-09-09\n", false],
] as const)("detects %s with %s", ([path, text, expected]) => {
  expect(detectCloudFormation({ path, text })).toBe(expected);
});

it("looks up nothing in a mapping that refers to itself", async () => {
  const mappings = "Mappings: { M: { a: { b: !FindInMap [M, a, b] } } }\n";
  expect(await valueOf("!FindInMap [M, a, b]", mappings)).toMatchObject({ kind: "opaque" });
});

it("keeps no secret that stands where a name should, or among the allowed values", async () => {
  const url = "postgres://shop:CANARYpw@db/shop";
  const { module, warnings } = await parse(`Parameters:
  Store: { Type: String, Default: "${url}", AllowedValues: ["${url}", none] }
Conditions: { Is: !Equals [!Ref Store, x] }
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      A: !Ref "${url}"
      B: !Sub "x\${${url}}"
      C: !If ["${url}", a, b]
      D: !FindInMap ["${url}", !Ref Store, b]
      E: !GetAtt ["${url}", !Ref Store]
Outputs:
  Out: { Value: x, Condition: "${url}" }
`);
  expect(module?.resources[0]?.settings.members).toHaveLength(5);
  expect(JSON.stringify({ module, warnings })).not.toContain("CANARY");
});

it("tells of names that no resource has, of macros in sections, and of a computed condition", async () => {
  const { module } = await parse(`Transform: AWS::Serverless-2016-10-31
Parameters: { Names: { Type: CommaDelimitedList } }
Mappings:
  Fn::Transform: { Name: AWS::Include }
Conditions:
  Fn::ForEach::All: [Name, !Ref Names, { "Is\${Name}": !Equals [!Ref Name, a] }]
  Off: !Equals [a, b]
Resources:
  Never: { Type: AWS::SQS::Queue, Condition: Off }
  Topic:
    Type: AWS::SNS::Topic
    DependsOn: [Never, ApiStage]
  Open: { Type: AWS::SNS::Topic, Condition: { Fn::Sub: "Is\${Names}" } }
`);
  expect(module?.leftOut?.map(({ address, path, line }) => [address, path, line])).toEqual([
    ["Mappings", "Fn::Transform", 4],
    ["Conditions", "Fn::ForEach::All", 6],
    ["Topic", "DependsOn", 12],
  ]);
  expect(module?.resources[1]).toMatchObject({ address: "Open", repeated: true });
});

it("takes no reference to a store as the default of a parameter", async () => {
  const { module, warnings } = await parse(`Parameters:
  Word: { Type: String, Default: "{{resolve:secretsmanager:db:SecretString:pw}}" }
  Host: { Type: String, Default: "{{resolve:ssm:/db/host:1}}" }
Resources: { Topic: { Type: AWS::SNS::Topic } }
`);
  expect(module?.variables).toMatchObject([
    { name: "Word", sensitive: true, default: undefined },
    { name: "Host", sensitive: false, default: undefined },
  ]);
  expect(warnings.map(({ code, line }) => [code, line])).toEqual([
    ["stored_parameter", 2],
    ["stored_parameter", 3],
  ]);
});

it("chooses a mapping by a parameter in either form", async () => {
  const mappings = "Mappings: { x: { a: { b: one } } }";
  for (const written of ["!Ref P", "{ Ref: P }"])
    expect(await valueOf(`!FindInMap [${written}, a, b]`, mappings)).toMatchObject({
      name: "[]",
      args: [{ kind: "call" }, literal("a"), literal("b")],
    });
});
