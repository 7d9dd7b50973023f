import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { anyCharacter } from "#test/support/any-character.ts";
import { parseTemplate } from "./parse.ts";
import type { Template } from "./template.ts";

function parsed(source: string): Template {
  const { template, diagnostics } = parseTemplate(source);
  if (template === undefined) throw new Error(JSON.stringify(diagnostics));
  return template;
}

function problems(source: string): Diagnostic[] {
  return parseTemplate(source).diagnostics;
}

/** The diagnostics of resource options given as YAML. */
function optionProblems(options: string): Diagnostic[] {
  return problems(`resources:\n  a:\n    type: t:R\n    options:\n      ${options}\n`);
}

function optionsOf(options: string): Template["resources"][string]["options"] | undefined {
  return parsed(`resources:\n  a:\n    type: t:R\n    options:\n      ${options}\n`).resources["a"]
    ?.options;
}

const example = `name: web
runtime: yaml
description: A database and an app
config:
  region: { type: string, default: nyc3, enum: [nyc3, fra1] }
  dbPassword: { type: string, secret: true, minLength: 12 }
variables:
  host: app.\${region}
resources:
  net: { type: mock:Network, properties: { name: web } }
  db:
    type: mock:Database
    properties:
      network: "\${net.id}"
      tags: [a, "\${region}"]
    options: { protect: true }
outputs:
  uri: \${db.connection.uri}
`;

describe("a template", () => {
  it("is parsed with all its sections", () => {
    expect(parsed(example)).toMatchObject({
      name: "web",
      description: "A database and an app",
      config: {
        region: {
          type: "string",
          secret: false,
          default: "nyc3",
          schema: { enum: ["nyc3", "fra1"] },
        },
        dbPassword: { type: "string", secret: true, schema: { type: "string", minLength: 12 } },
      },
      variables: { host: { kind: "interpolation", parts: ["app.", { root: "region" }] } },
      resources: {
        net: { type: "mock:Network", properties: { name: { kind: "literal", value: "web" } } },
        db: {
          type: "mock:Database",
          properties: {
            network: {
              kind: "reference",
              reference: {
                root: "net",
                path: ["id"],
                place: { path: "/resources/db/properties/network", line: 14, column: 17 },
              },
            },
            tags: { kind: "list", items: [{ value: "a" }, { kind: "reference" }] },
          },
          options: { protect: true, retainOnDelete: false, dependsOn: [] },
          place: { path: "/resources/db", line: 11, column: 3 },
        },
      },
      outputs: { uri: { kind: "reference", reference: { path: ["connection", "uri"] } } },
    });
    expect(problems(example)).toEqual([]);
  });

  it("may be JSON", () => {
    const source = JSON.stringify(
      { resources: { a: { type: "t:R", properties: { "x/y": 'é\n\t"' } } } },
      null,
      "\t",
    );
    expect(parsed(source).resources["a"]?.properties["x/y"]).toMatchObject({
      value: 'é\n\t"',
      place: { path: "/resources/a/properties/x~1y", line: 6, column: 12 },
    });
  });

  it("may omit any section, with a warning when it is empty", () => {
    expect(parsed("{}").resources).toEqual({});
    expect(problems("{}")).toEqual([]);
    expect(parsed("resources:\nconfig:\noutputs:\nvariables:\n").resources).toEqual({});
    expect(problems("# nothing\n")).toMatchObject([
      { severity: "warning", code: "empty_template" },
    ]);
  });

  it("may use configuration for config, and a map for runtime", () => {
    const source = "{ runtime: { name: yaml }, configuration: { a: { type: string } } }";
    expect(parsed(source).config).toHaveProperty("a");
  });

  it("treats __proto__ and constructor as names", () => {
    const source = `
config: { __proto__: { type: string }, constructor: 1 }
resources: { toString: { type: t:R, properties: { __proto__: { __proto__: 1 } } } }
`;
    const { config, resources } = parsed(source);
    expect(Object.keys(config)).toEqual(["__proto__", "constructor"]);
    expect(Object.keys(resources["toString"]?.properties ?? {})).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["type"]).toBeUndefined();
  });

  it("is YAML 1.2: yes is a string, and keys keep their source text", () => {
    expect(
      parsed("{ outputs: { a: { 80: yes, 1.0: 0o17, true: 0x1F, '': ~ } } }").outputs["a"],
    ).toMatchObject({
      entries: {
        "80": { value: "yes" },
        "1.0": { value: 15 },
        true: { value: 31 },
        "": { value: null },
      },
    });
  });
});

describe("an invalid document", () => {
  it.for([
    ["yaml_syntax", "a: [1, 2"],
    ["yaml_syntax", "resources:\n\ta: 1"],
    ["not_a_template", "[1]"],
    ["not_a_template", "just a text"],
    ["multiple_documents", "name: a\n---\nname: b"],
    ["yaml_version", "%YAML 1.1\n---\nname: a"],
    ["alias_not_allowed", "outputs:\n  a: &x 1\n"],
    ["alias_not_allowed", "outputs:\n  a: *x\n"],
    ["alias_not_allowed", "outputs:\n  *x : 1\n"],
    ["alias_not_allowed", "outputs: { &k a: 1 }"],
    ["merge_not_allowed", "outputs:\n  <<: { a: 1 }\n"],
    ["duplicate_key", "outputs: { a: 1, a: 2 }"],
    ["duplicate_key", "outputs: { a: { 80: 1, '80': 2 } }"],
    ["duplicate_key", "{ config: {}, configuration: {} }"],
    ["tag_not_supported", "outputs: { a: !!binary aGk= }"],
    ["tag_not_supported", "outputs: { a: !Sub x }"],
    ["tag_not_supported", "outputs: { a: !!set { b } }"],
    ["invalid_key", "outputs: { a: { [1]: 2 } }"],
    ["invalid_key", "outputs: { a: { ~: 2 } }"],
    ["number_not_finite", "outputs: { a: .inf }"],
    ["number_not_finite", "outputs: { a: .nan }"],
    ["unknown_key", "resurces: {}"],
    ["invalid_section", "resources: []"],
    ["invalid_section", "outputs: 5"],
    ["invalid_section", "name: 5"],
    ["reference_not_allowed", "name: ${a}"],
    ["unsupported_runtime", "runtime: nodejs"],
    ["unsupported_runtime", "runtime: { }"],
    ["not_supported", "runtime: { name: yaml, options: {} }"],
  ])("gets %s: %s", ([code, source]) => {
    const { template, diagnostics } = parseTemplate(source ?? "");
    expect(template).toBeUndefined();
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    for (const { line, column, message } of diagnostics) {
      expect(line).toBeGreaterThan(0);
      expect(column).toBeGreaterThan(0);
      expect(message).toMatch(/\.$/);
    }
  });

  it("gets a hint to quote a bare reference inside braces", () => {
    expect(problems("outputs: { a: ${b} }")[0]).toMatchObject({
      code: "yaml_syntax",
      column: 16,
      hint: expect.stringContaining("Quote"),
    });
  });

  it.for([
    ["012345678901", "12345678901"],
    ["-007", "-7"],
    ["9007199254740993", "9007199254740992"],
    ["123456789012345678901", "123456789012345680000"],
    ["1000000000000000000000", "1e+21"],
    ["0xFFFFFFFFFFFFFFFFFF", "4.722366482869645e+21"],
    ["16.10", "16.1"],
    ["3.10", "3.1"],
    ["1.0", "1"],
    ["1.50", "1.5"],
    ["-0.50", "-0.5"],
    [".5", "0.5"],
    ["5.", "5"],
    ["+5", "5"],
    ["-0", "0"],
    ["12e3", "12000"],
    ["1e-400", "0"],
    ["0.1234567890123456789", "0.12345678901234568"],
  ])("gets a warning that %s changes as a number", ([written = "", read = ""]) => {
    const source = `outputs: { a: ${written} }`;
    expect(problems(source)).toMatchObject([
      { severity: "warning", code: "number_changed", path: "/outputs/a", column: 15 },
    ]);
    expect(problems(source)[0]?.message).toContain(`the number ${read}.`);
  });

  it("gets no warning for numbers with unchanged text, other bases and strings", () => {
    const values = "0, -5, 9007199254740991, 16.1, 0.25, 0o17, 0xff, yes, 1.2.3, v1.0";
    expect(
      problems(`outputs: { a: [${values}, '012', "16.10", 2020-01-01], 012: x, 16.10: y }`),
    ).toEqual([]);
  });

  it("gets that warning in JSON, in config and in properties too", () => {
    const source = `{
      "config": { "pg": 16.10, "node": { "type": "string", "default": 20.0 } },
      "resources": { "d": { "type": "mock:Database", "properties": { "v": [{ "w": 3.10 }] } } }
    }`;
    expect(problems(source).map(({ code, path }) => [code, path])).toEqual([
      ["number_changed", "/config/pg"],
      ["number_changed", "/config/node/default"],
      ["number_changed", "/resources/d/properties/v/0/w"],
    ]);
  });

  it("may use a quoted << as an ordinary key", () => {
    expect(problems('outputs: { a: { "<<": 1 } }')).toEqual([]);
  });

  it.for([
    "component",
    "components",
    "packages",
    "plugins",
    "sdk",
    "imports",
    "main",
    "pulumi",
    "backend",
    "options",
    "stackConfigDir",
    "template",
  ])("gets a hint for the unsupported section %s", (key) => {
    expect(problems(`${key}: {}`)).toMatchObject([
      {
        severity: "error",
        code: "not_supported",
        path: `/${key}`,
        hint: expect.stringMatching(/\.$/),
      },
    ]);
  });

  it.for(["author", "website", "license", "tags", "version"])(
    "may carry %s without effect",
    (key) => {
      expect(problems(`${key}: x`)).toMatchObject([{ severity: "warning", code: "ignored" }]);
    },
  );

  it("gets the nearest section as a hint", () => {
    expect(problems("resurces: {}")[0]?.hint).toBe('Did you mean "resources"?');
    expect(problems("constructor: {}")[0]?.code).toBe("unknown_key");
  });

  it("gets all diagnostics at once, in text order", () => {
    const source =
      "runtime: go\nresources:\n  a: { typ: x }\noutputs:\n  o: ${\n  p: { 'fn::nope': 1 }\nfoo: 1\n";
    const found = problems(source);
    expect(found.map(({ code, line }) => `${line} ${code}`)).toEqual([
      "1 unsupported_runtime",
      "3 missing_type",
      "3 unknown_key",
      "5 malformed_expression",
      "6 unknown_function",
      "7 unknown_key",
    ]);
  });

  it.for([
    ["a plain string", "a: xy ${1!}", 2, 12],
    ["double quotes", 'a: "xy ${1!}"', 2, 13],
    ["single quotes", "a: 'xy ${1!}'", 2, 13],
    ["an escape", 'a: "x\\ty ${1!}"', 2, 15],
    ["an escape of four digits", 'a: "\\u00e9 ${1!}"', 2, 17],
    ["an escape beyond the basic plane", 'a: "\\U0001F600 ${1!}"', 2, 21],
    ["a doubled quote", "a: 'it''s ${1!}'", 2, 16],
    ["a literal block", "a: |\n    xy\n    ${1!}", 4, 8],
    ["a folded block", "a: >-\n    xy\n\n    z\n    ${1!}", 6, 8],
    ["a plain string of two lines", "a: xy\n    ${1!}", 3, 8],
    ["double quotes over two lines", 'a: "xy\n    ${1!}"', 3, 8],
    ["a joined line", 'a: "xy \\\n    ${1!}"', 3, 8],
  ] as const)("gets the line and column inside %s", ([, line, wantedLine, wantedColumn]) => {
    const [found] = problems(`outputs:\n  ${line}\n`);
    expect(found).toMatchObject({
      code: "malformed_expression",
      line: wantedLine,
      column: wantedColumn,
      endLine: wantedLine,
      endColumn: wantedColumn + 1,
    });
  });
});

describe("config", () => {
  it("warns of the name of a type that is a default", () => {
    expect(problems("config: { on: boolean, label: text }")).toMatchObject([
      {
        severity: "warning",
        code: "default_names_type",
        hint: "For a value of this type, write `on: { type: boolean }`.",
      },
    ]);
  });

  it.for([
    ["String", "string"],
    ["string", "string"],
    ["Number", "number"],
    ["number", "number"],
    ["Integer", "integer"],
    ["int", "integer"],
    ["Boolean", "boolean"],
    ["bool", "boolean"],
    ["object", "object"],
    ["array", "array"],
  ])("takes %s for %s", ([spelled, type]) => {
    expect(parsed(`config: { a: { type: ${spelled} } }`).config["a"]).toMatchObject({
      type,
      schema: { type },
    });
  });

  it("takes List<…> for an array with items", () => {
    expect(parsed('config: { a: { type: "List<List<Integer>>" } }').config["a"]).toMatchObject({
      type: "array",
      schema: { type: "array", items: { type: "array", items: { type: "integer" } } },
    });
    expect(
      parsed("config: { a: { type: array, items: { type: String } } }").config["a"]?.schema,
    ).toEqual({ type: "array", items: { type: "string" } });
  });

  it.for<[string, string, unknown]>([
    ["nyc3", "string", "nyc3"],
    ["5", "integer", 5],
    ["5.5", "number", 5.5],
    ["true", "boolean", true],
    ["[a, b]", "array", ["a", "b"]],
    ["{ default: { x: 1 } }", "object", { x: 1 }],
    ["{ default: '$${x}' }", "string", "${x}"],
  ])("infers the type of %s", ([literal, type, initial]) => {
    expect(parsed(`config: { a: ${literal} }`).config["a"]).toMatchObject({
      type,
      default: initial,
    });
  });

  it.for([
    ["invalid_config", "a:"],
    ["invalid_config", "a: {}"],
    ["invalid_config", "a: { default: ~ }"],
    ["invalid_config", "a: { type: string, secret: maybe }"],
    ["unknown_config_type", "a: { type: strin }"],
    ["unknown_config_type", "a: { type: 5 }"],
    ["unknown_config_type", "a: { type: List<> }"],
    ["unknown_config_type", "a: { type: constructor }"],
    ["unknown_key", "a: { type: string, minLenght: 1 }"],
    ["unknown_key", "a: { type: string, $ref: x }"],
    ["not_supported", "a: { type: string, name: b }"],
    ["not_supported", "a: { type: string, value: b }"],
    ["invalid_schema", "a: { type: string, minLength: -1 }"],
    ["invalid_schema", "a: { type: string, pattern: '(' }"],
    ["invalid_schema", "a: { type: object, properties: { b: { type: strin } } }"],
    ["reference_not_allowed", "a: { default: '${b}' }"],
    ["reference_not_allowed", "a: { default: { 'fn::join': [] } }"],
  ])("gets %s: %s", ([code, declaration]) => {
    const found = problems(`config:\n  ${declaration}\n`);
    expect(found).toMatchObject([{ severity: "error", code, line: 2 }]);
  });

  it("points to the invalid keyword of a schema", () => {
    expect(problems("config:\n  a:\n    type: string\n    minLength: x\n")).toMatchObject([
      { path: "/config/a/minLength", line: 4, column: 16 },
    ]);
  });

  it("warns of the default of a part, at its place", () => {
    const source = `config:
  a:
    type: object
    properties:
      default: { type: integer, default: 3 }
      list: { type: array, items: { type: string, default: x } }
      any: { anyOf: [{ type: string, default: y }, true] }
    examples: [{ default: 1 }]
    default: { default: 1, list: [] }
`;
    const found = problems(source);
    expect(found.map(({ code, severity, path }) => `${severity} ${code} ${path}`)).toEqual([
      "warning ignored /config/a/properties/default/default",
      "warning ignored /config/a/properties/list/items/default",
      "warning ignored /config/a/properties/any/anyOf/0/default",
    ]);
    expect(found[0]).toMatchObject({
      line: 5,
      column: 33,
      hint: 'Write one `default` for the whole value, beside the type of "a".',
    });
  });

  it("warns of a secret with a default in the template", () => {
    const source = "config: { a: { type: string, secret: true, default: x } }";
    expect(problems(source)).toMatchObject([{ severity: "warning", code: "secret_default" }]);
    expect(parseTemplate(source).template).toBeDefined();
  });
});

describe("resources", () => {
  it.for([
    ["invalid_resource", "a: 5"],
    ["invalid_resource", "a: { type: 5 }"],
    ["invalid_resource", "a: { type: '' }"],
    ["invalid_resource", "a: { type: t:R, properties: [] }"],
    ["invalid_resource", "a: { type: t:R, properties: '${b}' }"],
    ["reference_not_allowed", "a: { type: '${b}' }"],
    ["missing_type", "a: {}"],
    ["unknown_key", "a: { type: t:R, propertys: {} }"],
    ["not_supported", "a: { type: t:R, get: { id: x, state: { name: n } } }"],
    ["invalid_resource", "a: { type: t:R, get: x }"],
    ["invalid_resource", "a: { type: t:R, get: {} }"],
    ["invalid_resource", "a: { type: t:R, get: { id: '' } }"],
    ["invalid_resource", "a: { type: t:R, get: { id: null } }"],
    ["invalid_resource", "a: { type: t:R, get: { id: [x] } }"],
    ["unknown_key", "a: { type: t:R, get: { id: x, ids: y } }"],
    ["invalid_resource", "a: { type: t:R, get: { id: x }, properties: {} }"],
    ["invalid_option", "a: { type: t:R, get: { id: x }, options: { protect: true } }"],
    ["invalid_option", "a: { type: t:R, get: { id: x }, options: { import: y } }"],
    ["invalid_option", "a: { type: t:R, get: { id: x }, options: { aliases: [b] } }"],
    ["not_supported", "a: { type: t:R, name: x }"],
    ["invalid_option", "a: { type: t:R, options: [] }"],
  ])("get %s: %s", ([code, resource]) => {
    expect(problems(`resources:\n  ${resource}\n`)).toMatchObject([
      { severity: "error", code, line: 2 },
    ]);
  });

  it("may read an existing object, whose id is an expression", () => {
    const { a } = parsed(
      "resources:\n  a:\n    type: t:R\n    get: { id: '${b}' }\n    options: { dependsOn: ['${b}'], additionalSecretOutputs: [c] }\n",
    ).resources;
    expect(a).toMatchObject({
      get: { id: { kind: "reference", reference: { root: "b" } } },
      properties: {},
      options: { dependsOn: ["b"], additionalSecretOutputs: ["c"] },
    });
    expect(
      parsed("resources: { a: { type: t:R, get: { id: 7 } } }").resources["a"]?.get,
    ).toMatchObject({
      id: { kind: "literal", value: 7 },
    });
  });

  it("may carry defaultProvider without effect", () => {
    expect(problems("resources: { a: { type: t:R, defaultProvider: true } }")).toMatchObject([
      { severity: "warning", code: "ignored" },
    ]);
  });

  it("may leave properties and options empty", () => {
    expect(
      parsed("resources:\n  a:\n    type: t:R\n    properties:\n    options:\n").resources,
    ).toMatchObject({ a: { properties: {}, options: { dependsOn: [] } } });
  });
});

describe("options", () => {
  it("are all read", () => {
    const source = `
resources:
  a:
    type: t:R
    options:
      dependsOn: ["\${b}", c]
      protect: true
      retainOnDelete: true
      deleteBeforeReplace: true
      ignoreChanges: [tags, settings.size]
      replaceOnChanges: name
      import: vpc-1
      customTimeouts: { create: 1h30m, update: 90s, delete: 45 }
      aliases: [old, { name: older }, "urn:pulumi:s::p::t:R::oldest"]
      additionalSecretOutputs: [password]
`;
    expect(parsed(source).resources["a"]?.options).toEqual({
      dependsOn: ["b", "c"],
      protect: true,
      retainOnDelete: true,
      deleteBeforeReplace: true,
      ignoreChanges: ["tags", "settings.size"],
      replaceOnChanges: ["name"],
      import: "vpc-1",
      customTimeouts: { createSeconds: 5400, updateSeconds: 90, deleteSeconds: 45 },
      aliases: ["old", "older", "oldest"],
      additionalSecretOutputs: ["password"],
    });
  });

  it("may be a single string instead of a list", () => {
    expect(optionsOf('dependsOn: "${b}"')).toMatchObject({ dependsOn: ["b"] });
  });

  it.for([
    "protect: maybe",
    "protect: ${flag}",
    "retainOnDelete: 1",
    "deleteBeforeReplace: 'true'",
    "dependsOn: 5",
    'dependsOn: ["${b.id}"]',
    'dependsOn: ["x${b}"]',
    "dependsOn: [{}]",
    "ignoreChanges: { a: 1 }",
    "replaceOnChanges: [5]",
    "import: 5",
    "import: ''",
    "aliases: [{}]",
    "aliases: [5]",
    "additionalSecretOutputs: [[]]",
    "additionalSecretOutputs: [connection.uri]",
    "additionalSecretOutputs: 'keys[0]'",
    "customTimeouts: 5m",
    "customTimeouts: { raed: 5m }",
    "customTimeouts: { create: 5 minutes }",
    "customTimeouts: { create: 0 }",
    "customTimeouts: { create: -5 }",
    "customTimeouts: { create: 25h }",
    "customTimeouts: { create: '${t}' }",
  ])("get invalid_option: %s", (options) => {
    expect(optionProblems(options)).toMatchObject([
      { severity: "error", code: "invalid_option", line: 5 },
    ]);
  });

  it.for([
    "provider",
    "providers",
    "version",
    "pluginDownloadURL",
    "envVarMappings",
    "parent",
    "deletedWith",
    "replaceWith",
    "replacementTrigger",
    "hideDiffs",
    "transforms",
    "transformations",
    "urn",
  ])("give a hint for the unsupported option %s", (option) => {
    expect(optionProblems(`${option}: x`)).toMatchObject([
      {
        code: "not_supported",
        path: `/resources/a/options/${option}`,
        hint: expect.stringMatching(/\.$/),
      },
    ]);
  });

  it.for([
    "parent: a",
    "noParent: true",
    "type: t:S",
    "stack: s",
    "project: p",
    "name: b, type: t:S",
  ])("give a hint for the unsupported alias %s", (alias) => {
    expect(optionProblems(`aliases: [{ ${alias} }]`)).toMatchObject([
      { code: "not_supported", line: 5, hint: expect.stringMatching(/\.$/) },
    ]);
  });

  it("reject an unknown key of an alias", () => {
    expect(optionProblems("aliases: [{ nmae: a }]")).toMatchObject([
      { code: "unknown_key", path: "/resources/a/options/aliases/0/nmae" },
    ]);
  });

  it("may set a timeout for reads, without effect", () => {
    expect(optionProblems("customTimeouts: { read: 5m }")).toMatchObject([
      { severity: "warning", code: "ignored" },
    ]);
  });

  it.for(["protect: ${c}", "customTimeouts: { create: '${c}' }"])("are constants: %s", (option) => {
    expect(optionProblems(option)).toMatchObject([
      { code: "invalid_option", hint: expect.stringContaining("constants") },
    ]);
  });

  it("may be left empty", () => {
    expect(optionsOf("dependsOn:\n      ignoreChanges: []")).toMatchObject({
      dependsOn: [],
      ignoreChanges: [],
    });
  });

  it.for(["ignoreChanges", "replaceOnChanges"])("take property paths in %s", (option) => {
    const paths = ["tags", "rules[0].port", 'labels["a.b"]', "rules[*].port", "*"];
    expect(optionsOf(`${option}: ${JSON.stringify(paths)}`)).toMatchObject({ [option]: paths });
    const wrong = ["a..b", "a[", "a[x]", ".a", "a.", 'a["b]', "a]b["];
    const found = optionProblems(`${option}: ${JSON.stringify(wrong)}`);
    expect(found.map(({ code, path }) => [code, path])).toEqual(
      wrong.map((_, index) => ["invalid_property_path", `/resources/a/options/${option}/${index}`]),
    );
  });

  it("suggest the nearest option", () => {
    expect(optionProblems("protekt: true")).toMatchObject([
      { code: "unknown_option", hint: 'Did you mean "protect"?' },
    ]);
  });
});

describe("functions", () => {
  it("are read in either spelling", () => {
    const source =
      "outputs: { a: { 'fn::join': ['-', []] }, b: { Fn::ToJSON: 1 }, c: { fn::toBase64: x } }";
    expect(parsed(source).outputs).toMatchObject({
      a: { kind: "call", fn: "join", argument: { kind: "list" } },
      b: { kind: "call", fn: "toJSON" },
      c: { kind: "call", fn: "toBase64" },
    });
  });

  it.for([
    "invoke",
    "aws:ec2:getAmi",
    "readFile",
    "fileAsset",
    "stringAsset",
    "remoteAsset",
    "fileArchive",
    "remoteArchive",
    "assetArchive",
    "StackReference",
    "stackReference",
  ])("give a hint for the unsupported fn::%s", (name) => {
    expect(problems(`outputs: { a: { 'fn::${name}': { b: 1 } } }`)).toMatchObject([
      { code: "not_supported", hint: expect.stringMatching(/\.$/) },
    ]);
  });

  it("suggest the nearest function", () => {
    expect(problems("outputs: { a: { 'fn::joim': 1 } }")).toMatchObject([
      { code: "unknown_function", hint: 'Did you mean "fn::join"?' },
    ]);
    expect(problems("outputs: { a: { 'fn::constructor': 1 } }")[0]?.code).toBe("unknown_function");
  });

  it("must be the only key of their map", () => {
    expect(problems("outputs: { a: { 'fn::join': ['', []], b: 1 } }")).toMatchObject([
      { code: "function_not_alone" },
    ]);
  });
});

describe("limits", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

  it("are 200,000 characters", () => {
    const source = (length: number) => `{}${"\n".repeat(length - 2)}`;
    expect(parseTemplate(source(200_000)).template).toBeDefined();
    expect(problems(source(200_001))).toMatchObject([{ code: "source_too_long" }]);
  });

  it("are 500 resources", () => {
    const source = (count: number) =>
      `resources:\n${Array.from({ length: count }, (_, i) => `  r${i}: { type: t:R }\n`).join("")}`;
    expect(Object.keys(parsed(source(500)).resources)).toHaveLength(500);
    expect(problems(source(501))).toMatchObject([
      { code: "too_many_resources", path: "/resources/r500", line: 502 },
    ]);
  });

  it.for(["config", "variables", "outputs"])("are 500 under %s", (section) => {
    const source = (count: number) =>
      `${section}:\n${Array.from({ length: count }, (_, i) => `  n${i}: 1\n`).join("")}`;
    expect(problems(source(500))).toEqual([]);
    expect(problems(source(501))).toMatchObject([
      { code: expect.stringMatching(/^too_many_/), path: `/${section}/n500` },
    ]);
  });

  it("are 32 levels", () => {
    expect(problems(`outputs: { a: ${nested(30)} }`)).toEqual([]);
    expect(problems(`outputs: { a: ${nested(31)} }`)).toMatchObject([{ code: "nesting_too_deep" }]);
  });

  it.for([
    ["flow lists", "[".repeat(200_000)],
    ["flow maps", "{a: ".repeat(50_000)],
    ["block lists", "- ".repeat(100_000)],
    ["block keys", "? ".repeat(100_000)],
    ["indented maps", Array.from({ length: 600 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
  ])("stop deep %s before the stack overflows", ([, source]) => {
    expect(problems(source ?? "")).toMatchObject([{ code: "nesting_too_deep" }]);
  });

  it("reject nested YAML aliases without expanding them", () => {
    const lines = Array.from({ length: 30 }, (_, i) => `  a${i + 1}: &x${i + 1} [*x${i}, *x${i}]`);
    const source = `variables:\n  a0: &x0 lol\n${lines.join("\n")}\n`;
    const codes = new Set(problems(source).map(({ code }) => code));
    expect(codes).toEqual(new Set(["alias_not_allowed"]));
  });

  it("are 1,000 diagnostics", () => {
    const source = `outputs:\n${Array.from({ length: 499 }, (_, i) => `  o${i}: "\${1!}\${2!}\${3!}"\n`).join("")}`;
    const found = problems(source);
    expect(found).toHaveLength(1001);
    expect(found.at(-1)).toMatchObject({
      code: "too_many_diagnostics",
      message: expect.stringContaining("497 more"),
    });
  });

  it("allow 18,000 keys and 190,000 characters of references", () => {
    const keys = Array.from({ length: 18_000 }, (_, i) => `k${i}: 1`).join(", ");
    expect(problems(`outputs: { a: { ${keys} } }`)).toEqual([]);
    expect(problems(`outputs: { a: "${"${a}-".repeat(38_000)}" }`)).toEqual([]);
  });
});

describe("any text", () => {
  /** True for either a template or at least one error, but not both. */
  const isSound = (source: string) => {
    const { template, diagnostics } = parseTemplate(source);
    return (template === undefined) === diagnostics.some(({ severity }) => severity === "error");
  };

  it("gives a template or an error and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter, maxLength: 60 }), fc.json()),
        (source) => {
          expect(isSound(source)).toBe(true);
        },
      ),
      { numRuns: 700 },
    );
  });

  it("gives a template or an error when it looks like a template", () => {
    const words = [
      "resources",
      "config",
      "outputs",
      "variables",
      "type",
      "properties",
      "options",
      "default",
      "fn::join",
      "a",
      "b",
      "t:R",
      ": ",
      ":\n  ",
      "\n",
      "\n  ",
      "\n    ",
      "- ",
      "[",
      "]",
      "{",
      "}",
      ", ",
      "${a.b}",
      "${",
      '"',
      "'",
      "|",
      "&x",
      "*x",
      "!!str",
      "#",
      "1",
      "true",
      "~",
      "<<",
      "---",
      "%",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (list) => {
        expect(isSound(list.join(""))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
