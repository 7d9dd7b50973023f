import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { TemplateCatalog } from "./check.ts";
import { describeTemplate } from "./describe.ts";

const catalog: TemplateCatalog = {
  facts: (type) =>
    type === "mock:Network"
      ? { immutable: [], writeOnly: [], required: [], deleteBeforeReplace: false }
      : undefined,
  types: () => ["mock:Network"],
  openProviders: new Set(),
};

const source = `
config:
  region: { type: string, default: nyc3, enum: [nyc3], description: Where }
  password: { type: string, secret: true, minLength: 12 }
  token: { type: string, secret: true, default: hunter2 }
resources:
  b: { type: mock:Network, properties: { n: "\${a.id}", p: "\${password}\${token}" } }
  a: { type: mock:Network, properties: { r: "\${region}" } }
outputs: { id: "\${b.id}" }
`;

it("lists the config, resources and outputs of a template", () => {
  expect(describeTemplate(source, catalog)).toEqual({
    valid: true,
    diagnostics: [expect.objectContaining({ severity: "warning", code: "secret_default" })],
    config: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        region: { type: "string", default: "nyc3", enum: ["nyc3"], description: "Where" },
        password: { type: "string", minLength: 12, writeOnly: true },
        token: { type: "string", writeOnly: true },
      },
      required: ["password"],
    },
    resources: [
      {
        name: "b",
        type: "mock:Network",
        component: null,
        range: null,
        conditional: false,
        repeats: false,
        dependsOn: ["a"],
      },
      {
        name: "a",
        type: "mock:Network",
        component: null,
        range: null,
        conditional: false,
        repeats: false,
        dependsOn: [],
      },
    ],
    outputs: ["id"],
  });
});

it("tells of each resource and component whether it is conditional and whether it repeats", () => {
  const { resources } = describeTemplate(
    `
config: { on: { type: boolean } }
variables: { where: "\${net.id}" }
resources:
  net: { component: standard-network, version: ^1.2, forEach: [a] }
  a: { type: mock:Network, when: "\${on}", properties: { p: "\${where}" } }
  b: { component: other, when: "\${on}", options: { dependsOn: ["\${a}"] } }
`,
    catalog,
  );
  expect(resources).toEqual([
    {
      name: "a",
      type: "mock:Network",
      component: null,
      range: null,
      conditional: true,
      repeats: false,
      dependsOn: ["net"],
    },
    {
      name: "net",
      type: null,
      component: "standard-network",
      range: "^1.2",
      conditional: false,
      repeats: true,
      dependsOn: [],
    },
    {
      name: "b",
      type: null,
      component: "other",
      range: "*",
      conditional: true,
      repeats: false,
      dependsOn: ["a"],
    },
  ]);
});

it("reports parse and check errors together", () => {
  const { valid, diagnostics, resources } = describeTemplate(
    "foo: 1\nresources: { a: { type: mock:Network, properties: { x: '${nope}' } } }",
    catalog,
  );
  expect(valid).toBe(false);
  expect(diagnostics.map(({ code }) => code)).toEqual(["unknown_key", "unknown_reference"]);
  expect(resources).toHaveLength(1);
});

it("describes a text that cannot be parsed", () => {
  expect(describeTemplate("a: [", catalog)).toMatchObject({
    valid: false,
    resources: [],
    outputs: [],
  });
});

it("never throws", () => {
  const words = [
    "resources:",
    "variables:",
    "outputs:",
    "config:",
    "\n  ",
    "a: ",
    "b: ",
    "${a}",
    "${b.x}",
    "{ type: mock:Network }",
    "[",
    "]",
    '"',
    "{ 'fn::select': [0, '${a}'] }",
    "\n",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 25 }), (list) => {
      const { valid, diagnostics } = describeTemplate(list.join(""), catalog);
      expect(valid).toBe(!diagnostics.some(({ severity }) => severity === "error"));
    }),
    { numRuns: 1_000 },
  );
});
