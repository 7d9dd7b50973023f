import { describe, expect, it } from "vitest";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { describeTemplate } from "#engine/template/describe.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";
import { processorTime } from "#test/support/processor-time.ts";

const check = (source: string) => describeTemplate(source, catalogue()).diagnostics;
const short = ({ severity, code, line, column, message, hint }: Diagnostic) =>
  `${severity} ${code} ${line}:${column} ${message}${hint === undefined ? "" : ` ${hint}`}`;

const deeper =
  "This line is indented deeper than the line above it, which already has a value. Start it at the column of the keys that it belongs to.";
const different =
  "This line is indented differently from the other keys of its map. Start it at the column of the keys that it belongs to.";

describe("one mistake in the indentation gives one message", () => {
  it.for<[string, string, string]>([
    [
      "a key deeper than its neighbour",
      `resources:
  net:
    type: mock:Network
     properties:
      name: web
  other: { type: mock:Bucket, properties: { name: b } }
`,
      `error yaml_syntax 4:6 ${deeper}`,
    ],
    [
      "a property deeper than its neighbour",
      `resources:
  net:
    type: mock:Network
    properties:
      name: web

        cidr: 10.0.0.0/16
`,
      `error yaml_syntax 7:9 ${deeper}`,
    ],
    [
      "a key less deep than its neighbours",
      `resources:
  net:
    type: mock:Network
   properties:
      name: web
outputs: { o: 1 }
`,
      `error yaml_syntax 4:4 ${different}`,
    ],
    [
      "a tab",
      "resources:\n  net:\n\t type: mock:Network\n\t properties: { name: web }\n",
      "error yaml_syntax 3:1 This line is indented with a tab. Indent with spaces.",
    ],
    [
      "a key without a colon",
      "resources\n  net:\n    type: mock:Network\n",
      'error yaml_syntax 1:1 "resources" has no colon. Write `resources:`.',
    ],
    [
      "properties beside `properties`",
      `resources:
  net:
    type: mock:Network
    properties:
    name: web
    cidr: 10.0.0.0/16
`,
      'error indentation 5:5 "name" stands beside "properties", which is empty. Indent it, and what follows it, below `properties:`.',
    ],
    [
      "resources beside `resources`",
      `resources:
net:
  type: mock:Network
  properties: { name: web }
other:
  type: mock:Bucket
  properties: { name: "\${net.id}" }
outputs:
  o: \${other.id}
`,
      'error indentation 2:1 "net" stands beside "resources", which is empty. Indent it, and what follows it, below `resources:`.',
    ],
    [
      "the keys of a resource beside its name",
      `resources:
  net:
  type: mock:Network
  properties:
    name: web
  other:
    type: mock:Bucket
    properties: { name: b }
`,
      'error indentation 3:3 "type" stands beside "net", which is empty. Indent it, and what follows it, below `net:`.',
    ],
    [
      "a section inside another",
      `config:
  a: { type: string }
  resources:
    net:
      type: mock:Network
      properties: { name: "\${a}" }
`,
      'error indentation 3:3 "resources" is indented below "config", but is a section of its own. Start `resources:` at the first column.',
    ],
  ])("%s", ([, source, words]) => {
    expect(check(source).map(short)).toEqual([words]);
  });

  it("and two mistakes on different lines give two", () => {
    expect(check('a: "x" "y"\nb: "x" "y"\n').map(({ line }) => line)).toEqual([1, 2]);
  });

  it("but a resource may be called type, and a section may be empty", () => {
    expect(
      check(`config:
outputs:
resources:
  type: { type: mock:Bucket, properties: { name: a } }
  properties: { type: mock:Bucket, properties: { name: b } }
`),
    ).toEqual([]);
    const named = check(
      "resources:\n  empty:\n  type: { type: mock:Bucket, properties: { name: a } }\n",
    );
    expect(named.map(({ code }) => code)).toEqual(["invalid_resource"]);
  });
});

describe("another language", () => {
  it.for([
    'resource "aws_vpc" "main" {\n  cidr_block = "10.0.0.0/16"\n}\n',
    '# A comment\n\n// another\nvariable "region" {\n  type = string\n}\n',
    "locals {\n  a = 1\n}\n",
    "terraform { required_version = 1 }\n",
  ])("HCL gets one message with advice: %j", (source) => {
    const [diagnostic, ...more] = check(source);
    expect(diagnostic).toMatchObject({ severity: "error", code: "other_language" });
    expect(diagnostic?.hint).toContain("`resources: {");
    expect(more).toEqual([]);
  });

  it("is not suspected in a template", () => {
    for (const source of ["data: {}\n", "output: { a: { b: 1 } }\n", "resources: {}\n"])
      expect(check(source).map(({ code }) => code)).not.toContain("other_language");
  });

  const source = (text: string) => `config: { size: { type: string, default: a } }
resources:
  b: { type: mock:Server, properties: { name: b, environment: { x: ${text} } } }
outputs: { o: "\${size}" }
`;

  it.for([
    ['"{{ size }}"', "${size}"],
    ['"a {{size}} b"', "${size}"],
    ['"{{ .Values.size }}"', "${size}"],
    ['"{{ var.size.x }}"', "${size.x}"],
    ['"{{ unknown }}"', "${unknown}"],
    ["$size", "${size}"],
    ['"a $(size) b"', "${size}"],
    ['"${size} and $size"', "${size}"],
    ["[{ a: $size }]", "${size}"],
    ["{ fn::toJSON: $size }", "${size}"],
  ])("%s is taken literally, with a warning", ([text, meant]) => {
    expect(check(source(String(text)))).toMatchObject([
      { severity: "warning", code: "other_language", line: 3, hint: `Write \`${meant}\`.` },
    ]);
  });

  it.for(["$HOME/x", "costs $5", '"see {{ unknown }} there"', "a$$x", '"$${size}"'])(
    "%s is an ordinary text",
    (text) => {
      expect(check(source(text))).toEqual([]);
    },
  );

  it.for([
    ["{{ size }}", 'Write `"${size}"`.'],
    ["{{ }}", 'Write `"${name}"`.'],
  ])("%s without quotes gets one message", ([text, hint]) => {
    expect(check(source(String(text)))).toMatchObject([
      { severity: "error", code: "other_language", line: 3, hint },
    ]);
  });

  it.for([
    ["${var.size}", "${size}"],
    ["${config.size}", "${size}"],
    ["${aws_s3_bucket.b.id}", "${b.id}"],
    ["${{ size }}", "${size}"],
  ])("a reference written as %s is answered with %s", ([text, meant]) => {
    const found = check(`config: { size: { type: string, default: a } }
resources: { b: { type: mock:Bucket, properties: { name: "\${size}" } } }
outputs: { o: "${text}" }
`);
    expect(found).toMatchObject([{ severity: "error", hint: `Did you mean "${meant}"?` }]);
  });

  it("is looked for in linear time", () => {
    const long = "{{ ".repeat(20_000) + "$(".repeat(20_000) + "{{a.a".repeat(10_000);
    const spentMs = processorTime();
    check(source(JSON.stringify(long)));
    expect(spentMs()).toBeLessThan(2_000);
  });
});

describe("features of other languages that templates lack", () => {
  const resource = (line: string) =>
    check(`resources:
  b: { type: mock:Bucket, properties: { name: b } }
  a:
    type: mock:Bucket
    properties: { name: a }
    ${line}
`);
  const noLoops = "There are no loops: write out each resource under a name of its own.";
  const noConditions =
    "There are no conditions: put the resource into a template of its own, and make an instance of that where it is needed.";
  const dependsOn = 'Write `dependsOn: ["${<name>}"]` under `options`.';

  it.for([
    ["count: 2", `${noLoops} A property of this name belongs under \`properties\`.`],
    ["for_each: [x, y]", noLoops],
    ["forEach: [x, y]", noLoops],
    ["condition: true", noConditions],
    ["Condition: IsProduction", noConditions],
    ["if: true", noConditions],
    ["when: true", noConditions],
    ["depends_on: [b]", dependsOn],
    ["DependsOn: b", dependsOn],
    ['dependsOn: ["${b}"]', dependsOn],
    ["retain_on_delete: true", "Write `retainOnDelete` under `options`."],
    ["protect: true", "Write `protect` under `options`."],
    ["propertys: {}", 'Did you mean "properties"?'],
    ["kind: x", "The provider's properties belong under `properties`."],
    ["constructor: x", "The provider's properties belong under `properties`."],
  ])("a resource with %s", ([line, hint]) => {
    expect(resource(String(line))).toMatchObject([
      { severity: "error", code: "unknown_key", line: 6, column: 5, hint },
    ]);
  });

  it.for([
    ["count: 2", `${noLoops} A property of this name belongs under \`properties\`.`],
    ["for_each: [x]", noLoops],
    ["condition: true", noConditions],
    ["depends_on: [b]", 'Did you mean "dependsOn"?'],
  ])("options with %s", ([option, hint]) => {
    expect(resource(`options: { ${option} }`)).toMatchObject([
      { severity: "error", code: "unknown_option", line: 6, hint },
    ]);
  });

  it("a Kubernetes manifest gets one message", () => {
    expect(
      check("kind: Service\napiVersion: v1\nmetadata: { name: web }\nspec: {}\n").map(short),
    ).toEqual([
      "error other_language 2:1 This is a Kubernetes manifest, not a template. Write `resources: { <name>: { type: …, properties: … } }`.",
    ]);
  });

  it.for(["apiVersion", "kind"])("%s in a template is recognized as Kubernetes", (key) => {
    expect(check(`${key}: x\nresources: {}\n`)).toMatchObject([
      { code: "not_supported", hint: "Only Kubernetes manifests have this key: remove it." },
    ]);
    expect(check("apiVersion: v1\nkind: x\nresources: {}\n").map(({ line }) => line)).toEqual([
      1, 2,
    ]);
  });

  const types = [
    "mock:Server",
    "aws:AWS::EC2::Instance",
    "aws:AWS::RDS::Instance",
    "aws:AWS::S3::Bucket",
    "azure:Microsoft.Storage/storageAccounts@2024-01-01",
    "gcp:compute/Instance",
  ];
  const generic =
    "Types are `<provider>:<Type>`, without a module between, for example `mock:Server`.";

  it.for([
    ["aws:ec2:Instance", 'Did you mean "aws:AWS::EC2::Instance"?'],
    ["aws:ec2/instance:Instance", 'Did you mean "aws:AWS::EC2::Instance"?'],
    ["aws:rds:Instance", 'Did you mean "aws:AWS::RDS::Instance"?'],
    ["aws:s3/bucketV2:Bucket", 'Did you mean "aws:AWS::S3::Bucket"?'],
    ["gcp:compute/instance:Instance", 'Did you mean "gcp:compute/Instance"?'],
    ["mock:index:Server", 'Did you mean "mock:Server"?'],
    ["aws:neptune:Instance", generic],
    ["kubernetes:core/v1:Service", generic],
    ["AWS::S3::Bucket", 'Did you mean "aws:AWS::S3::Bucket"?'],
    ["AWS::S3:Bucket", 'Did you mean "aws:AWS::S3::Bucket"?'],
    ["AWS:S3:Bucket", 'Did you mean "aws:AWS::S3::Bucket"?'],
    ["aws_instance", "Write `<provider>:<Type>`, for example `mock:Server`."],
  ])("the type %s", ([type, hint]) => {
    for (const open of [[], ["aws"]]) {
      const { diagnostics } = describeTemplate(`resources: { a: { type: "${type}" } }`, {
        facts: () => undefined,
        types: () => types,
        openProviders: new Set(open),
      });
      expect(diagnostics).toMatchObject([{ severity: "error", code: "unknown_type", hint }]);
    }
  });
});

it("errors come before warnings, each in the order of the text", () => {
  const found = check(`config: { unused: a }
resources:
  a: { type: mock:Bucket, properties: { name: a, odd: 1 } }
  b: { type: mock:Buckt, properties: { name: "\${nope}" } }
outputs: { o: "\${a.idd}" }
`);
  expect(found.map(({ severity, line }) => [severity, line])).toEqual([
    ["error", 4],
    ["error", 4],
    ["error", 5],
    ["warning", 1],
    ["warning", 3],
  ]);
});

it("errors are kept before warnings where there are too many", () => {
  const names = Array.from({ length: 400 }, (_, index) => index);
  const found = check(`variables: { ${names.map((name) => `"v${name}": 1`).join(", ")} }
resources:
${names.map((name) => `  r${name}: { type: mock:Bucket, properties: { name: "\${x${name}}", region: "\${y${name}}" } }`).join("\n")}
`);
  expect(found.length).toBe(1001);
  const count = (code: string) => found.filter((one) => one.code === code).length;
  expect([count("unknown_reference"), count("unused_variable")]).toEqual([800, 200]);
  expect(found.at(-1)?.code).toBe("too_many_diagnostics");
});
