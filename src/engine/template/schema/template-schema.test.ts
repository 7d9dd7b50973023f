import { Validator, type Schema } from "@cfworker/json-schema";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { TemplateCatalog } from "#engine/template/check.ts";
import { describeTemplate } from "#engine/template/describe.ts";
import { templateSchema } from "./template-schema.ts";

const ID = "https://api.example/schema";
const catalog: TemplateCatalog = {
  facts: (type) =>
    /^(mock:(Server|Network)|aws:\w+:\w+)$/.test(type)
      ? {
          immutable: [],
          writeOnly: [],
          required: type === "mock:Server" ? ["name"] : [],
          deleteBeforeReplace: false,
        }
      : undefined,
  types: () => ["mock:Server", "mock:Network"],
  openProviders: new Set(["aws"]),
};

function accepts(source: string): boolean {
  const schema = templateSchema(catalog, ID) as Schema;
  return new Validator(schema, "2020-12").validate(parse(source)).valid;
}

const good = [
  "{}",
  "{ name: a, runtime: { name: yaml }, description: b }",
  "{ config: { a: nyc3, b: { type: string, secret: true, minLength: 3 }, c: { type: 'List<String>' } }, outputs: { o: '${a}${b}${c[0]}' } }",
  "{ variables: { v: { 'fn::join': ['-', [a, '${r.id}']] } }, resources: { r: { type: mock:Network } }, outputs: { o: { x: '${v}' } } }",
  "{ resources: { a: { type: mock:Server, properties: { name: x, deep: { list: [{ a: 1 }] } } } } }",
  "{ resources: { a: { type: 'aws:s3:Bucket', options: { protect: true, customTimeouts: { create: 1h30m }, dependsOn: ['${b}'], aliases: [x, { name: y }] } }, b: { type: mock:Network } } }",
  "{ resources: { a: { type: mock:Server, get: { id: x }, options: { dependsOn: ['${b}'], additionalSecretOutputs: o } }, b: { type: mock:Network, get: { id: { fn::toJSON: 1 } } } } }",
  "{ resources: { a: { type: mock:Network, get: { id: 7 } } } }",
  "{ config: { c: { type: boolean } }, resources: { a: { type: mock:Network, when: '${c}' }, b: { type: mock:Network, when: '${!c}', forEach: [x, y] } } }",
  "{ config: { c: { type: object } }, resources: { a: { type: mock:Server, forEach: '${c}', properties: { name: '${each.key}' } }, b: { type: mock:Network, when: true, forEach: { x: 1, y: '${1 + 2}' } } } }",
  '{ config: { c: { type: string } }, resources: { a: { type: mock:Network, when: "${c == \\"}\\"}" }, b: { type: mock:Network, forEach: "${ {\\"a\\": {\\"b\\": 1}, \\"{\\": 2} }" } } }',
  "{ resources: { a: { type: mock:Network, options: { aliases: { name: b, key: x } } }, c: { type: mock:Network, forEach: [x], options: { aliases: [{ name: d, to: x }, { address: 'n/s[\"a\"]', to: x }, { address: e }] } } } }",
];

it.for(good)("accepts a template that the checker accepts: %s", (source) => {
  expect(describeTemplate(source, catalog).valid).toBe(true);
  expect(accepts(source)).toBe(true);
});

const bad = [
  "{ resurces: {} }",
  "{ runtime: nodejs }",
  "{ config: {}, configuration: {} }",
  "{ config: { a: {} } }",
  "{ config: { a: { type: strin } } }",
  "{ config: { a: { type: string, minLenght: 1 } } }",
  "{ config: { 1a: x } }",
  "{ variables: { control: x } }",
  "{ resources: { a: { type: mock:Sever } } }",
  "{ resources: { a: {} } }",
  "{ resources: { a: { type: mock:Server, properties: {} } } }",
  "{ resources: { a: { type: mock:Server } } }",
  "{ resources: { a: { type: mock:Network, options: { parent: x } } } }",
  "{ resources: { a: { type: mock:Network, options: { protect: 'yes' } } } }",
  "{ resources: { a: { type: mock:Network, options: { customTimeouts: { create: soon } } } } }",
  "{ resources: { a: { type: mock:Network, options: { additionalSecretOutputs: [a.b] } } } }",
  "{ resources: { a: { type: mock:Network, options: { additionalSecretOutputs: 'a[0]' } } } }",
  "{ resources: { a: { type: mock:Server, get: { id: x }, properties: { name: n } } } }",
  "{ resources: { a: { type: mock:Network, get: { id: x }, options: { protect: true } } } }",
  "{ resources: { a: { type: mock:Network, get: { id: x, state: {} } } } }",
  "{ resources: { a: { type: mock:Network, get: { id: '' } } } }",
  "{ resources: { a: { type: mock:Network, get: { id: { a: b } } } } }",
  "{ resources: { a: { type: mock:Network, get: {} } } }",
  "{ resources: { a: { type: mock:Network, version: '1' } } }",
  "{ resources: { a: { type: mock:Network, when: sometimes } } }",
  "{ resources: { a: { type: mock:Network, when: 1 } } }",
  "{ resources: { a: { type: mock:Network, forEach: 3 } } }",
  "{ resources: { a: { type: mock:Network, forEach: each } } }",
  "{ resources: { a: { type: mock:Network, options: { aliases: [{ key: x }] } } } }",
  "{ resources: { a: { type: mock:Network, options: { aliases: [{ name: b, address: c }] } } } }",
  "{ resources: { a: { type: mock:Network, options: { aliases: [{ address: 'a[0]' }] } } } }",
  "{ resources: { a: { component: c, type: mock:Network } } }",
  "{ resources: { a: { component: c, get: { id: x } } } }",
  "{ resources: { a: { component: '' } } }",
  "{ resources: { a: { component: c, options: { protect: true } } } }",
  "{ outputs: { o: { 'fn::nope': 1 } } }",
  "{ outputs: { o: { 'fn::join': ['', []], x: 1 } } }",
];

it.for(bad)("rejects a template that the checker rejects: %s", (source) => {
  expect(describeTemplate(source, catalog).valid).toBe(false);
  expect(accepts(source)).toBe(false);
});

it.for([
  ["{ component: net }", true],
  ["{ component: net, version: ^1.2, properties: { cidr: '${c}' } }", true],
  [
    "{ component: net, version: 1.2, when: '${c}', forEach: [a], options: { dependsOn: ['${b}'], aliases: [{ address: d }] } }",
    true,
  ],
  ["{ component: net, version: new }", true],
  ["{ component: net, version: [1] }", false],
  ["{ component: net, source: x }", false],
] as const)("knows the keys of a component: %s", ([use, sound]) => {
  expect(accepts(`{ resources: { a: ${use}, b: { type: mock:Network } } }`)).toBe(sound);
});

it("says of each key what it does", () => {
  const { $defs } = templateSchema(catalog, ID) as unknown as Described;
  for (const key of ["component", "version", "when", "forEach"])
    expect($defs.resource.properties[key]?.description).toMatch(/^The .+\.$/);
  for (const key of ["name", "key", "address", "to"])
    expect($defs.alias.properties[key]?.description).toMatch(/^The .+\.$/);
});

interface Described {
  $defs: Record<"resource" | "alias", { properties: Record<string, { description?: string }> }>;
}

const table: TemplateCatalog = {
  ...catalog,
  facts: () => ({
    immutable: [],
    writeOnly: [],
    required: ["name"],
    deleteBeforeReplace: false,
    properties: {
      name: { type: "string", description: "Its name." },
      open: { type: "boolean", description: "For all." },
      tags: { type: "array", description: "Texts." },
      labels: { type: "object", description: "Texts by name." },
      size: { description: "Anything." },
    },
  }),
  openProviders: new Set(),
};

it.for([
  ["{ name: a, open: true, tags: [a], labels: { a: b }, size: 5 }", true],
  ["{ name: a, open: '${c}', tags: '${c}', labels: '${c}', size: '${c}' }", true],
  ["{ name: { 'fn::toJSON': 1 }, tags: { fn::split: [',', a] }, open: { fn::unsecret: x } }", true],
  ["{ name: a, labels: { fn::unsecret: { a: b } } }", true],
  [
    '{ name: a, open: \'${c || {"a": "}"}.a == "}"}\', tags: \'${[1, 2].map(i, {"i": i})}\' }',
    true,
  ],
  ["{ name: a, tags: '${c}${c}' }", false],
  ["{ name: a, opne: true }", false],
  ["{ name: a, open: 'yes' }", false],
  ["{ name: a, tags: 'a${c}' }", false],
  ["{ name: a, tags: { a: b } }", false],
  ["{ name: [a] }", false],
  ["{ name: a, labels: [a] }", false],
] as const)("agrees with the checker on the properties %s", ([properties, sound]) => {
  const source = `{ config: { c: { type: boolean } }, resources: { a: { type: mock:Server, properties: ${properties} } }, outputs: { c: '\${c}' } }`;
  const { diagnostics } = describeTemplate(source, table);
  expect(diagnostics.every(({ severity }) => severity === "warning")).toBe(true);
  expect(diagnostics.length === 0).toBe(sound);
  const validator = new Validator({ ...templateSchema(table, ID) }, "2020-12");
  expect(validator.validate(parse(source)).valid).toBe(sound);
});

it("does not require a property that the target sets", () => {
  const given: TemplateCatalog = {
    ...table,
    facts: () => ({
      immutable: [],
      writeOnly: [],
      required: ["region"],
      deleteBeforeReplace: false,
      defaults: { region: { region: true } },
    }),
  };
  const source = "{ resources: { a: { type: mock:Server } } }";
  expect(describeTemplate(source, given).diagnostics).toEqual([]);
  const validator = new Validator({ ...templateSchema(given, ID) }, "2020-12");
  expect(validator.validate(parse(source)).valid).toBe(true);
});

it("lists every type, and a pattern for providers that accept more", () => {
  expect(templateSchema(catalog, ID)).toMatchObject({
    $defs: {
      type: { anyOf: [{ enum: ["mock:Server", "mock:Network"] }, { pattern: "^(aws):\\S+$" }] },
    },
  });
});
