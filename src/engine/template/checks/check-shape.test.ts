import { describe, expect, it } from "vitest";
import type { Diagnostic } from "#engine/diagnostics.ts";
import type { TemplateCatalog } from "#engine/template/check.ts";
import { describeTemplate } from "#engine/template/describe.ts";
import type { ObjectShape, TypeFacts, ValueShape } from "#providers/provider.ts";
import { processorTime } from "#test/support/processor-time.ts";

const tag: ObjectShape = {
  properties: { Key: { type: "string" }, Value: { type: "string" }, Owner: { readOnly: true } },
  required: ["Key"],
};
const node: { properties: Record<string, ValueShape> } = {
  properties: { Name: { type: "string" } },
};
node.properties["Child"] = { type: "object", object: node };

const shape: ObjectShape = {
  properties: {
    Name: { type: "string" },
    Count: { type: "integer" },
    Ratio: { type: "number" },
    On: { type: "boolean" },
    Mode: { type: "string", enum: ["Enabled", "Suspended"] },
    Runtime: { type: "string", enum: ["python3.13", "nodejs24"] },
    Tags: { type: "array", items: { type: "object", object: tag } },
    Labels: { type: "object", items: { type: "string" } },
    Ipv4Address: { type: "string" },
    Settings: { type: "object", object: { properties: { Size: {} }, open: true } },
    Tree: { type: "object", object: node },
    Either: { items: { type: "object", object: tag } },
    Document: {},
    Arn: { type: "string", readOnly: true },
  },
};
const facts: TypeFacts = {
  immutable: [],
  writeOnly: [],
  required: ["Name"],
  deleteBeforeReplace: false,
  outputs: Object.keys(shape.properties),
  shape,
};
const catalog: TemplateCatalog = {
  facts: () => facts,
  types: () => ["aws:AWS::Fake::Thing"],
  openProviders: new Set(),
};
const source = (properties: string, output = "${a.Arn}") =>
  `config: { c: { type: string } }\nresources:\n  a:\n    type: aws:AWS::Fake::Thing\n    properties: ${properties}\noutputs: { c: "\${c}", o: "${output}" }\n`;
const check = (properties: string, output?: string): Diagnostic[] =>
  describeTemplate(source(properties, output), catalog).diagnostics;

describe("properties that match the description", () => {
  it.for([
    "{ Name: a }",
    "{ Name: a, Count: 5, Ratio: 5, On: true, Mode: Enabled, Runtime: nodejs24 }",
    "{ Name: 'x${c}', Count: '${c}', On: { fn::secret: true }, Mode: '${c}', Tags: '${c}' }",
    "{ Name: { fn::join: ['', [a]] }, Tags: { fn::split: [',', a] }, Count: { fn::length: a } }",
    "{ Name: a, Tags: [{ Key: a }, '${c}', { Key: '${c}', Value: b }], Labels: { any: b } }",
    "{ Name: a, Settings: { Size: 1, more: 2 }, Document: { any: [1, { thing: ~ }] } }",
    "{ Name: a, Tree: { Child: { Child: { Name: b } } } }",
    "{ Name: a, Either: x }",
    "{ Name: a, Either: [{ Key: a }] }",
    "{ Name: a, Count: ~ }",
  ])("get no message: %s", (properties) => {
    expect(check(properties)).toEqual([]);
  });
});

describe("a mistake", () => {
  it.for([
    ["{ Nam: a }", "unknown_property", "/Nam", 19, 'Did you mean "Name"?'],
    [
      "{ Name: a, Tags: [{ Kye: a }] }",
      "unknown_property",
      "/Tags/0/Kye",
      37,
      'Did you mean "Key"?',
    ],
    [
      "{ Name: a, Tree: { Child: { Chidl: { Name: b } } } }",
      "unknown_property",
      "/Tree/Child/Chidl",
      45,
      'Did you mean "Child"?',
    ],
    [
      "{ Name: a, Either: [{ Kee: a }] }",
      "unknown_property",
      "/Either/0/Kee",
      39,
      'Did you mean "Key"?',
    ],
    ["{ Name: a, Mode: Enabeld }", "property_value", "/Mode", 34, 'Did you mean "Enabled"?'],
    ["{ Name: a, Arn: b }", "read_only", "/Arn", 28, undefined],
    ["{ Name: a, Tags: [{ Key: a, Owner: b }] }", "read_only", "/Tags/0/Owner", 45, undefined],
    ["{ Name: a, Tags: { Key: a } }", "property_type", "/Tags", 34, "Write a list, as `[a, b]`."],
    [
      "{ Name: a, Tags: [a] }",
      "property_type",
      "/Tags/0",
      35,
      "Write its members below it, each as `name: value`.",
    ],
    [
      "{ Name: a, Count: '5' }",
      "property_type",
      "/Count",
      35,
      "Write a whole number, without quotes.",
    ],
    ["{ Name: a, Count: 5.5 }", "property_type", "/Count", 35, "Write a whole number."],
    ["{ Name: 5 }", "property_type", "/Name", 25, "Put it in quotes."],
    ["{ Name: a, Labels: { x: [1] } }", "property_type", "/Labels/x", 41, undefined],
    ["{ Name: a, On: { fn::secret: 'yes' } }", "property_type", "/On/fn::secret", 46, undefined],
    ["{ Name: a, Count: { fn::toJSON: 1 } }", "property_type", "/Count", 35, undefined],
    ["{ Name: a, Tags: [{ Value: a }] }", "missing_property", "/Tags/0", 35, "Add `Key` to it."],
  ] as const)("gets one message at its place: %s", ([properties, code, path, column, hint]) => {
    const found = check(properties);
    expect(found).toMatchObject([
      { severity: "error", code, path: `/resources/a/properties${path}`, line: 5, column },
    ]);
    if (hint !== undefined) expect(found[0]?.hint).toBe(hint);
  });

  it("that leaves out a property is reported at the resource", () => {
    expect(check("{ Count: 1 }")).toMatchObject([
      { severity: "error", code: "missing_property", path: "/resources/a", line: 3 },
    ]);
  });

  it("in a path of outputs is found if it resembles a member", () => {
    expect(check("{ Name: a }", "${a.Arm}")).toMatchObject([
      { code: "unknown_output", hint: 'Did you mean "Arn"?', line: 6 },
    ]);
    expect(check("{ Name: a }", "${a.Tree.Child.Nmae}")).toMatchObject([
      { code: "unknown_output", hint: 'Did you mean "Name"?' },
    ]);
    expect(check("{ Name: a }", "${a.Tree.Child.Elsewhere}")).toEqual([]);
    expect(check("{ Name: a }", "${a.Settings.Siz}")).toEqual([]);
  });
});

describe("a property that may be newer than the description", () => {
  it.for([
    ["{ Name: a, Brand: b }", "unknown_property"],
    ["{ Name: a, Mode: Archived }", "property_value"],
    ["{ Name: a, Runtime: python3.14 }", "property_value"],
    // Beside the property that it resembles, it is not a misspelling of it.
    ["{ Name: a, Ipv4Address: b, Ipv6Address: c }", "unknown_property"],
  ] as const)("is a warning: %s", ([properties, code]) => {
    expect(check(properties)).toMatchObject([{ severity: "warning", code }]);
    expect(describeTemplate(source(properties), catalog).valid).toBe(true);
  });
});

describe("properties with inherited names", () => {
  it("are unknown", () => {
    expect(check("{ Name: a, constructor: b, Tags: [{ Key: a, toString: b }] }")).toMatchObject([
      { code: "unknown_property" },
      { code: "unknown_property" },
    ]);
  });
});

describe("hostile templates", () => {
  it("with tens of thousands of mistakes are checked in bounded time", () => {
    const spentMs = processorTime();
    const found = check(`{ Name: a, Tags: [${"{},".repeat(40_000)}] }`);
    expect(found.length).toBeGreaterThan(1000);
    expect(found.length).toBeLessThan(1010);
    // The rest is not checked.
    expect(Number(/^\d+/.exec(found.at(-1)?.message ?? "")?.[0])).toBeLessThan(2000);
    expect(spentMs()).toBeLessThan(10_000);
  });

  it("with 500 resources of misspelt types are checked in bounded time", () => {
    const types = Array.from({ length: 2000 }, (_, index) => `aws:AWS::Service${index}::Thing`);
    const many: TemplateCatalog = { ...catalog, facts: () => undefined, types: () => types };
    const resources = Array.from(
      { length: 500 },
      (_, index) => `  r${index}: { type: "aws:AWS::Sevrice${index}x::Thnig" }`,
    );
    const spentMs = processorTime();
    const { diagnostics } = describeTemplate(`resources:\n${resources.join("\n")}\n`, many);
    expect(diagnostics.length).toBe(500);
    expect(spentMs()).toBeLessThan(10_000);
  });
});
