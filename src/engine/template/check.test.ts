import { describe, expect, it } from "vitest";
import type { Diagnostic } from "#engine/diagnostics.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { checkTemplate, type TemplateCatalog } from "./check.ts";
import { describeTemplate } from "./describe.ts";
import { parseTemplate } from "./parse.ts";

const facts = (required: string[]): TypeFacts => ({
  immutable: [],
  writeOnly: [],
  required,
  deleteBeforeReplace: false,
});

const types: { [type: string]: TypeFacts } = {
  "mock:Server": facts(["name"]),
  "mock:Network": facts([]),
  "aws:s3:Bucket": facts([]),
};

const catalog: TemplateCatalog = {
  facts: (type) =>
    Object.hasOwn(types, type) ? types[type] : /^aws:\w+:\w+$/.test(type) ? facts([]) : undefined,
  types: () => Object.keys(types),
  openProviders: new Set(["aws"]),
};

function check(source: string): Diagnostic[] {
  const { template, diagnostics } = parseTemplate(source);
  if (template === undefined) throw new Error(JSON.stringify(diagnostics));
  return checkTemplate(template, catalog);
}

describe("a valid template", () => {
  it("gets no diagnostics", () => {
    expect(
      check(`
config: { size: { type: integer, default: 1 } }
variables: { v: "n\${size}" }
resources:
  net: { type: mock:Network }
  a: { type: mock:Server, properties: { name: "\${v}", net: "\${net.id}" }, options: { dependsOn: ["\${net}"] } }
  b: { type: aws:sqs:Queue }
outputs: { "any text 😀": "\${control.instance.id} \${control.target.region}", all: "\${control.tenant}" }
`),
    ).toEqual([]);
  });
});

it.for<[written: string, hint: string]>([
  ["var.size", "`config`"],
  ["local.size", "`variables`"],
  ["count.index", "`${each.key}`"],
  ["data.net.id", "`get`"],
  ["module.net.id", "`${network.id}`"],
  ["terraform.workspace", "`${control.instance.name}`"],
  ["var.own", 'Did you mean "${own}"?'],
])("Terraform's ${%s} has a hint", ([written, hint]) => {
  const output = `outputs: { o: "\${${written}}", f: '\${[${written}]}' }`;
  const found = check(`resources: { own: { type: mock:Network } }\n${output}`);
  const expected = { code: "unknown_reference", hint: expect.stringContaining(hint) };
  expect(found).toMatchObject([expected, expected]);
});

describe("names", () => {
  it.for(["1a", "a.b", "a b", "é", '""', "a".repeat(64), "-a"])("refuse %s", (name) => {
    expect(check(`resources: { ${name}: { type: mock:Network } }`)).toMatchObject([
      { code: "invalid_name" },
    ]);
  });

  it("may have 63 characters", () => {
    expect(check(`resources: { ${"a".repeat(63)}: { type: mock:Network } }`)).toEqual([]);
  });

  it("of outputs may be any non-empty string without control characters", () => {
    expect(check('outputs: { "": 1, "a\\nb": 1, "é -": 1 }')).toMatchObject([
      { code: "invalid_name" },
      { code: "invalid_name" },
    ]);
  });

  it("refuse a config value that no request could set", () => {
    const sections = ["config: { __proto__: 1 }", "variables: { __proto__: 1 }"];
    expect(sections.map((section) => check(`${section}\noutputs: { o: "\${__proto__}" }`))).toEqual(
      [[expect.objectContaining({ code: "reserved_name", path: "/config/__proto__" })], []],
    );
  });

  it.for(["control", "pulumi"])("refuse %s, which is reserved", (name) => {
    expect(check(`resources: { ${name}: { type: mock:Network } }`)).toMatchObject([
      { code: "reserved_name" },
    ]);
  });

  it("must be unique across sections", () => {
    const source =
      "config: { a: 1, b: 2 }\nvariables: { a: 1 }\nresources: { b: { type: mock:Network } }\noutputs: { x: '${a}${b}' }";
    expect(check(source)).toMatchObject([
      { code: "name_collision", path: "/variables/a", line: 2 },
      { code: "name_collision", path: "/resources/b", line: 3 },
    ]);
  });

  it("of outputs may be those of resources", () => {
    expect(
      check("{ resources: { a: { type: mock:Network } }, outputs: { a: '${a.id}' } }"),
    ).toEqual([]);
  });
});

describe("references", () => {
  it("to unknown names are errors with the nearest name", () => {
    expect(
      check("resources: { net: { type: mock:Network } }\noutputs: { o: 'x ${nett.id}' }"),
    ).toMatchObject([
      {
        severity: "error",
        code: "unknown_reference",
        line: 2,
        column: 18,
        hint: 'Did you mean "net"?',
      },
    ]);
  });

  it("to a name with hyphens ask for a subtraction if both of its sides are known", () => {
    const config =
      "config: { a: 1, b: { type: object, default: {} }, my-db: 2 }\noutputs: { all: '${a}${my-db}${b == {}}',";
    const hints = (expression: string) =>
      check(`${config} o: '\${${expression}}' }`).map(({ code, hint }) => [code, hint]);
    const write = (difference: string) => [
      [
        "unknown_reference",
        `\`-\` may be part of a name. For a subtraction, write \`\${${difference}}\`.`,
      ],
    ];
    expect(hints("a-b.size")).toEqual(write("a - b.size"));
    expect(hints("1 + a-b.size")).toEqual(write("a - b.size"));
    expect(hints("my-db-a")).toEqual(write("my-db - a"));
    expect(hints("a-my-db")).toEqual(write("a - my-db"));
    expect(hints("a-1")).toEqual(write("a - 1"));
    expect(hints("a-x")).toEqual([["unknown_reference", undefined]]);
    expect(hints("a - 1 - my-db")).toEqual([]);
  });

  it("to inherited names are errors", () => {
    expect(check("{ outputs: { o: '${constructor.name}', p: '${__proto__}' } }")).toMatchObject([
      { code: "unknown_reference" },
      { code: "unknown_reference" },
    ]);
  });

  it.for([
    "control.instance.nam",
    "control.instances",
    "control.instance.id.x",
    "control[0]",
    "control.toString",
  ])("to %s are errors", (path) => {
    expect(check(`outputs: { o: "\${${path}}" }`)).toMatchObject([
      { code: "unknown_reference", hint: expect.stringMatching(/instance\.(name|id)|tenant/) },
    ]);
  });

  it("to pulumi hint at the replacement", () => {
    expect(check("outputs: { o: '${pulumi.stack}', p: '${pulumi.cwd}' }")).toMatchObject([
      { code: "not_supported", hint: expect.stringContaining("control.instance.name") },
      { code: "not_supported", hint: expect.stringContaining("control") },
    ]);
  });

  it("to itself are errors, in properties, variables and dependsOn", () => {
    expect(
      check(
        "variables: { v: 'a${v}' }\nresources:\n  a: { type: mock:Network, properties: { x: '${a.id}' } }\n  b: { type: mock:Network, options: { dependsOn: [b] } }",
      ).map(({ code, line }) => [code, line]),
    ).toEqual([
      ["self_reference", 1],
      ["self_reference", 3],
      ["self_reference", 4],
    ]);
  });

  it("in dependsOn must name resources", () => {
    expect(
      check(
        "{ variables: { v: 1 }, resources: { net: { type: mock:Network }, a: { type: mock:Network, options: { dependsOn: ['${nat}', v] } } } }",
      ),
    ).toMatchObject([
      { code: "unknown_dependency", hint: 'Did you mean "net"?' },
      { code: "unknown_dependency" },
    ]);
  });

  it("in a cycle are reported with their path", () => {
    const source = `
variables: { v: "\${b.id}" }
resources:
  a: { type: mock:Network, properties: { x: "\${v}" } }
  b: { type: mock:Network, options: { dependsOn: ["\${a}"] } }
`;
    expect(check(source)).toMatchObject([
      { code: "dependency_cycle", line: 4, message: "Dependency cycle: a → v → b → a." },
    ]);
  });
});

describe("types", () => {
  it.for([
    ["mock:Sever", 'Did you mean "mock:Server"?'],
    ["server", 'Did you mean "mock:Server"?'],
    ["mock:server", 'Did you mean "mock:Server"?'],
    ["mock:Elephant", "GET /cloud/providers/mock/types lists those of mock."],
    ["mock:Cluster", "GET /cloud/providers/mock/types lists those of mock."],
    ["elephants:ToTheMoon", "Write `<provider>:<Type>`, for example `mock:Server`."],
    ["constructor", "Write `<provider>:<Type>`, for example `mock:Server`."],
  ])("such as %s are unknown", ([type, hint]) => {
    expect(check(`resources: { a: { type: "${type}" } }`)).toMatchObject([
      { code: "unknown_type", hint },
    ]);
  });

  it("of an open provider must be well formed", () => {
    expect(check("resources: { a: { type: 'aws:nope' } }")).toMatchObject([
      { code: "unknown_type", message: expect.stringContaining("well-formed") },
    ]);
  });

  it("of a provider that the installation does not have are reported once", () => {
    const { template } = parseTemplate(
      "resources: { a: { type: magalu:Vm }, b: { type: magalu:Vpc } }",
    );
    if (template === undefined) throw new Error("the template cannot be read");
    const without = { ...catalog, unavailableProviders: new Set(["magalu"]) };
    expect(checkTemplate(template, without)).toMatchObject([
      { severity: "warning", code: "provider_unavailable", path: "/resources/a/type" },
    ]);
  });

  it.for(["pulumi:providers:aws", "pulumi:pulumi:StackReference"])(
    "such as %s are not supported",
    (type) => {
      expect(check(`resources: { a: { type: "${type}" } }`)).toMatchObject([
        { code: "not_supported" },
      ]);
    },
  );

  it("report missing properties", () => {
    expect(check("resources:\n  a: { type: mock:Server, properties: { nmae: x } }")).toMatchObject([
      { code: "missing_property", path: "/resources/a", hint: 'Was "nmae" meant to be "name"?' },
    ]);
    expect(check("resources: { a: { type: mock:Server } }")[0]?.hint).toContain("Add `name`");
  });
});

describe("a provider's table of types", () => {
  const table: TypeFacts = {
    ...facts([]),
    writeOnly: ["password"],
    properties: {
      name: { type: "string", description: "Its name." },
      ttl: { type: "number", description: "Seconds." },
      open: { type: "boolean", description: "For all." },
      tags: { type: "array", description: "Texts." },
      labels: { type: "object", description: "Texts by name." },
      password: { type: "string", description: "Secret." },
      size: { description: "A number or a text." },
    },
  };
  const known: TemplateCatalog = { ...catalog, facts: () => table };
  const checked = (properties: string, options = "{}", outputs = "{}") => {
    const source = `config: { c: 1 }\nresources:\n  a:\n    type: mock:Server\n    properties: ${properties}\n    options: ${options}\noutputs: { c: "\${c}", o: ${outputs} }\n`;
    const { template, diagnostics } = parseTemplate(source);
    if (template === undefined) throw new Error(JSON.stringify(diagnostics));
    return checkTemplate(template, known);
  };

  it("warns of unknown properties, at their keys, with the nearest name", () => {
    expect(checked("{ nmae: x }")).toMatchObject([
      {
        severity: "warning",
        code: "unknown_property",
        path: "/resources/a/properties/nmae",
        line: 5,
        column: 19,
        hint: 'Did you mean "name"?',
      },
    ]);
    expect(checked("{ constructor: x }")[0]?.code).toBe("unknown_property");
  });

  it.for([
    "name: 1",
    "name: [a]",
    "ttl: '5'",
    "ttl: 'x${c}'",
    "open: 'yes'",
    "tags: {}",
    "labels: []",
  ])("warns of a property of another type: %s", (property) => {
    expect(checked(`{ ${property} }`)).toMatchObject([
      { severity: "warning", code: "property_type", line: 5 },
    ]);
  });

  it("accepts values known only at run time, null, and matching types", () => {
    const good =
      "{ name: 'x${c}', ttl: 5, open: '${c}', tags: { 'fn::split': [',', a] }, labels: ~, size: 5 }";
    expect(checked(good)).toEqual([]);
    expect(checked("{ ttl: 5.5, size: x, tags: [], labels: {} }")).toEqual([]);
  });

  it("rejects references to write-only properties", () => {
    expect(checked("{ password: x }", "{}", "'${a.password}'")).toMatchObject([
      { severity: "error", code: "write_only", path: "/outputs/o", line: 7 },
    ]);
    expect(checked("{ password: x }", "{}", "'${a.name}'")).toEqual([]);
  });

  it("warns of paths that start with an unknown property", () => {
    expect(
      checked(
        "{ extra: 1 }",
        "{ ignoreChanges: [tgas, tags, extra.a, '*'], replaceOnChanges: sizes }",
      ),
    ).toMatchObject([
      { code: "unknown_property", path: "/resources/a/properties/extra" },
      { code: "unknown_property", path: "/resources/a/options/ignoreChanges/0", column: 32 },
      { code: "unknown_property", path: "/resources/a/options/replaceOnChanges" },
    ]);
  });
});

describe("aliases", () => {
  it("that are still resource names get a warning, unless those have other objects", () => {
    const of = (options: string) =>
      `resources:\n  a: { type: mock:Network, options: { aliases: [a, b, c] } }\n  b: { type: mock:Network, options: ${options} }`;
    const inUse = { severity: "warning", code: "alias_in_use", line: 2 };
    const own = { severity: "warning", code: "ignored", line: 2 };
    expect(check(of("{}"))).toMatchObject([
      { ...own, path: "/resources/a/options/aliases" },
      { ...inUse, path: "/resources/a/options/aliases" },
    ]);
    expect(check(of("{ aliases: [a] }"))).toMatchObject([own]);
  });

  it("that are turns of a loop in the template get one too", () => {
    const of = (alias: string, more = "") =>
      `variables: { zones: { a: 1, b: 2 } }
resources:
  a: { type: mock:Network, options: { aliases: [${alias}] } }
  node: { type: mock:Network, forEach: "\${zones}"${more} }`;
    expect(check(of("{ name: node, key: a }"))).toMatchObject([
      { code: "alias_in_use", path: "/resources/a/options/aliases", line: 3 },
    ]);
    // The key has left the loop, the name was not a loop, or the loop may be left out.
    expect(check(of("{ name: node, key: c }"))).toEqual([]);
    expect(check(of("node"))).toEqual([]);
    expect(check(of("{ name: node, key: a }", ', when: "${control.target.name != null}"'))).toEqual(
      [],
    );
  });
});

describe("two resources", () => {
  it("that claim the same object get a diagnostic", () => {
    const of = (options: string, type = "mock:Network") =>
      `  a: { type: mock:Network, options: { ${options} } }\n  b: { type: ${type}, options: { ${options} } }\n`;
    expect(check(`resources:\n${of("import: net-1")}`)).toMatchObject([
      { severity: "error", code: "import_in_use", path: "/resources/b/options/import", line: 3 },
    ]);
    expect(check(`resources:\n${of("aliases: [old, old]")}`)).toMatchObject([
      { severity: "error", code: "ambiguous_alias", path: "/resources/b/options/aliases", line: 3 },
    ]);
    expect(check(`resources:\n${of("import: net-1", "aws:s3:Bucket")}`)).toEqual([]);
  });
});

describe("places", () => {
  it("point to the invalid part", () => {
    const source =
      "resources:\n  a:\n    type: mock:Sever\n    options:\n      dependsOn:\n        - ${a}\n        - ${nope}\n";
    expect(check(source).map(({ code, path, line, column }) => [code, path, line, column])).toEqual(
      [
        ["unknown_type", "/resources/a/type", 3, 11],
        ["self_reference", "/resources/a/options/dependsOn/0", 6, 11],
        ["unknown_dependency", "/resources/a/options/dependsOn/1", 7, 11],
      ],
    );
  });

  it.for([
    ["after letters beyond ASCII", "outputs:\n  é😀: 'ä😀 ${nope}'\n", 2, 13],
    ["after tabs", "outputs:\n  o:\t\t'\t${nope}'\n", 2, 9],
    ["after lines that end in CR LF", "outputs:\r\n  a: 1\r\n  o: ${nope}\r\n", 3, 6],
    ["after a byte order mark", "\uFEFFoutputs: { o: '${nope}' }", 1, 16],
    ["after escapes of the same text", "outputs:\n  o: $${a} ${nope}\n", 2, 12],
    ["in JSON", '{"outputs":{"o":"a ${nope}"}}', 1, 20],
    ["in a text of many lines", "outputs:\n  o: >\n    a\n    ${nope}\n", 4, 5],
  ] as const)("are counted as editors count, %s", ([, source, line, column]) => {
    expect(check(source)).toMatchObject([{ code: "unknown_reference", line, column }]);
  });
});

describe("config", () => {
  it("defaults must match the schema", () => {
    const source = "config:\n  a: { type: string, enum: [x], default: y }\noutputs: { o: '${a}' }";
    expect(check(source)).toMatchObject([{ code: "invalid_default", path: "/config/a", line: 2 }]);
  });

  it("defaults that do not match the schema are told with the part", () => {
    const schema = "{ type: object, properties: { 'x/y': { type: array, items: { enum: [ab] } } }";
    const source = `config: { a: ${schema}, default: { 'x/y': [ab, abc] } } }\noutputs: { o: '\${a}' }`;
    expect(check(source)).toMatchObject([
      {
        code: "invalid_default",
        message:
          'The default of "a" at "/x~1y/1" does not match its schema: It must be one of "ab".',
        hint: 'Did you mean "ab"?',
      },
    ]);
  });

  it("values and variables that are unused get a warning", () => {
    expect(check("config: { a: 1 }\nvariables: { b: 1, c: '${b}' }")).toMatchObject([
      { severity: "warning", code: "unused_config", path: "/config/a" },
      { severity: "warning", code: "unused_variable", path: "/variables/c" },
    ]);
  });
});

describe("expressions that fail for any values", () => {
  it.for([
    ["invalid_argument", "{ 'fn::select': [2, [a, b]] }"],
    ["invalid_argument", "{ 'fn::select': [2, ['${c}', b]] }"],
    ["wrong_kind", "{ 'fn::join': ['-', '${c}', x] }"],
    ["wrong_kind", "{ 'fn::toBase64': [1] }"],
    ["invalid_argument", "{ 'fn::fromBase64': '%' }"],
    ["wrong_kind", "{ 'fn::length': 5 }"],
    ["not_a_text", "'x ${v}'"],
    ["not_a_text", "'x ${control.tenant}'"],
    ["path_not_found", "'${v.missing}'"],
  ])("get %s: %s", ([code, expression]) => {
    const source = `
config: { c: { type: string } }
variables: { v: { a: "\${c}" } }
outputs:
  o: ${expression}
  used: ["\${v}"]
`;
    expect(check(source)).toMatchObject([{ severity: "error", code, line: 5 }]);
  });

  it("are reported once, at their place, however often they are used", () => {
    const source = "variables:\n  v: { 'fn::length': 5 }\noutputs: { a: '${v}', b: '${v}' }";
    expect(check(source)).toMatchObject([{ code: "wrong_kind", line: 2 }]);
  });

  it("are reported when they would grow without bound", () => {
    const lines = Array.from({ length: 40 }, (_, i) => `  v${i + 1}: "\${v${i}}\${v${i}}"`);
    const source = `variables:\n  v0: xxxxxxxx\n${lines.join("\n")}\noutputs: { o: "\${v40}" }`;
    expect(check(source)).toMatchObject([{ code: "value_too_large" }]);
  });
});

describe("hostile templates", () => {
  it("with thousands of misspellings are checked quickly", () => {
    const names = Array.from(
      { length: 400 },
      (_, i) => `  ${"n".repeat(50)}${i}: { type: mock:Network }`,
    );
    const wrong = `  o: [${'"${mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm}", '.repeat(2_500)}]`;
    const found = check(`resources:\n${names.join("\n")}\noutputs:\n${wrong}\n`);
    expect(found.at(-1)?.code).toBe("too_many_diagnostics");
  });

  it("are described despite errors, without follow-up errors", () => {
    const source =
      "variables: { v: { 'fn::invoke': { function: x } } }\nresources: { a: { type: mock:Server, properties: { name: '${v.x}', y: 'x ${1!}' } } }\noutputs: { o: '${nope}' }";
    expect(describeTemplate(source, catalog).diagnostics.map(({ code }) => code)).toEqual([
      "not_supported",
      "malformed_expression",
      "unknown_reference",
    ]);
  });
});

describe("the facts of a type at any depth", () => {
  const nested: TypeFacts = {
    ...facts(["name", "region"]),
    writeOnly: ["login.password"],
    readOnly: ["status", "settings.version", "disks[*].id"],
    secretOutputs: ["connection.uri"],
    shown: ["name", "meta.label"],
    defaults: { region: { region: true } },
  };
  const checked = (properties: string, output = "'${a.name}'") => {
    const source = `resources:
  a: { type: mock:Server, properties: { ${properties} } }
  b: { type: mock:Network, properties: { uses: ${output} } }
`;
    const { template } = parseTemplate(source);
    if (template === undefined) throw new Error("The template cannot be read");
    const known = {
      ...catalog,
      facts: (type: string) => (type === "mock:Server" ? nested : facts([])),
    };
    return checkTemplate(template, known);
  };

  it("refuse a property that only the cloud sets, and tell how to read it", () => {
    expect(checked("name: n, disks: [{ size: 1 }], settings: { tier: a }")).toEqual([]);
    expect(
      checked("name: n, status: on, settings: { version: 1 }, disks: [{ size: 1 }, { id: x }]"),
    ).toMatchObject([
      { severity: "error", code: "read_only", path: "/resources/a/properties/status", line: 2 },
      { code: "read_only", path: "/resources/a/properties/settings/version" },
      {
        code: "read_only",
        path: "/resources/a/properties/disks/1/id",
        hint: "Remove it; what the cloud sets can be read as `${a.disks[1].id}`.",
      },
    ]);
  });

  it("refuse a reference to a nested write-only property, and to no other", () => {
    for (const output of ["'${a.login.password}'", "'${a.login.password.x}'"])
      expect(checked("name: n", output)).toMatchObject([
        { code: "write_only", message: expect.stringContaining("${a.login.password}") },
      ]);
    for (const output of ["'${a.login.name}'", "'${a.login}'", "'${a.password}'"])
      expect(checked("name: n", output)).toEqual([]);
  });

  it("refuse a secret of the cloud in a place that the cloud shows", () => {
    const source = (property: string) => `resources:
  a: { type: mock:Server, properties: { name: n } }
  b: { type: mock:Server, properties: { ${property} } }
`;
    const codes = (property: string) => {
      const { template } = parseTemplate(source(property));
      if (template === undefined) throw new Error("The template cannot be read");
      return checkTemplate(template, { ...catalog, facts: () => nested }).map(({ code }) => code);
    };
    expect(codes("name: '${a.connection.uri}'")).toEqual(["sealed_value"]);
    expect(codes("name: n, meta: { label: 'x${a.connection.uri}' }")).toEqual(["sealed_value"]);
    expect(codes("name: '${a.connection.host}', meta: { other: '${a.connection.uri}' }")).toEqual(
      [],
    );
  });

  it("do not require a property that the target sets", () => {
    expect(checked("size: 1").map(({ code, message }) => [code, message.includes("name")])).toEqual(
      [["missing_property", true]],
    );
  });
});
