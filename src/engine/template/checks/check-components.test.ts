import { describe, expect, it } from "vitest";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import type { ResolvedComponents } from "./check-components.ts";

const catalog = {
  facts: () => ({ immutable: [], writeOnly: [], required: [], deleteBeforeReplace: false }),
  types: () => ["mock:Server"],
  openProviders: new Set<string>(),
};

function parsed(source: string) {
  const { template, diagnostics } = parseTemplate(source);
  if (template === undefined) throw new Error(JSON.stringify(diagnostics));
  return template;
}

const network = `
config: { cidr: { type: string, pattern: "^10" }, size: { type: integer, default: 1 } }
resources: { vpc: { type: mock:Server, properties: { cidr: "\${cidr}", size: "\${size}" } } }
outputs: { id: "\${vpc.id}" }
`;
const resolved: ResolvedComponents = {
  pins: { "network@^1.0": "n" },
  library: { n: { template: parsed(network), pins: {} } },
  problems: {
    "network@^9": { code: "no_release", message: "No release in range.", hint: "There is 1.0.0." },
  },
};

function check(use: string, more = "") {
  return checkTemplate(parsed(`resources:\n  net: { ${use} }\n${more}`), catalog, resolved);
}

it.for([
  ["component: network, version: ^1.0, properties: { cidr: 10.0 }", "invalid_value"],
  ["component: network, version: ^1.0, properties: { cidr: '20' }", "invalid_value"],
  ["component: network, version: ^1.0", "missing_property"],
  ["component: network, version: ^1.0, properties: { cidr: '10', cidrs: 1 }", "unknown_property"],
  ["component: network, version: ^9, properties: { cidr: '10' }", "no_release"],
  ["component: other, properties: {}", "unknown_component"],
  ["component: network, version: ^1.0, properties: { cidr: '${net.id}' }", "self_reference"],
] as const)("refuses %s", ([use, code]) => {
  const errors = check(use).filter(({ severity }) => severity === "error");
  expect(errors.map((one) => one.code)).toContain(code);
});

describe("a property whose value is not all known", () => {
  const settings = `
config:
  size: { type: integer, default: 1 }
  tags: { type: array, items: { type: string }, default: [] }
  rules: { type: object, properties: { port: { type: integer } }, default: {} }
outputs: { all: "\${[size, tags, rules]}" }
`;
  const caller =
    "config: { text: { type: string }, number: { type: number }, map: { type: object } }";
  const found = (property: string) =>
    checkTemplate(
      parsed(`${caller}
resources:
  net:
    component: settings
    properties:
      ${property}
outputs: { all: "\${[text, number, map]}" }
`),
      catalog,
      {
        pins: { "settings@*": "s" },
        library: { s: { template: parsed(settings), pins: {} } },
        problems: {},
      },
    );

  it.for<[property: string, message: string]>([
    [
      "size: ${text}",
      '"size" of the component "settings" is not valid. It must be a whole number,',
    ],
    ["size: a${text}", '"size" of the component'],
    ["size: ${[number]}", '"size" of the component'],
    [
      'tags: ["${text}", 1]',
      '"tags" at "/1" of the component "settings" is not valid. It must be a string,',
    ],
    ["tags: ${map}", '"tags" of the component'],
    ["rules: { port: '${text}' }", '"rules" at "/port" of the component'],
    ["rules: ${map.keys()}", '"rules" of the component'],
  ])("%s is refused at its line", ([property, message]) => {
    expect(found(property)).toMatchObject([
      {
        severity: "error",
        code: "invalid_value",
        line: 6,
        message: expect.stringContaining(message),
      },
    ]);
  });

  it.for([
    "size: ${number}",
    "size: ${map.size}",
    "size: '${number > 1 ? 2 : omit()}'",
    'tags: ["${text}", "a${number}"]',
    "rules: { port: '${number}', other: '${text}' }",
    "rules: ${map}",
  ])("%s is accepted", (property) => {
    expect(found(property)).toEqual([]);
  });
});

it("knows the outputs of a component", () => {
  const use = "component: network, version: ^1.0, properties: { cidr: '10' }";
  expect(check(use, "outputs: { id: '${net.id}', all: '${net}' }\n")).toEqual([]);
  expect(check(use, "outputs: { id: '${net.ids}' }\n")).toMatchObject([
    { code: "unknown_output", hint: 'Did you mean "id"?' },
  ]);
  expect(check(use, "outputs: { id: '${net.outputs.id}' }\n")).toMatchObject([
    { code: "unknown_output" },
  ]);
});

it("knows the outputs of each turn of a repeated component", () => {
  const use =
    "component: network, version: ^1.0, forEach: [a], properties: { cidr: '10${each.key}' }";
  expect(check(use, "outputs: { id: '${net[\"a\"].id}' }\n")).toEqual([]);
  expect(check(use, "outputs: { id: '${net[\"a\"].ids}' }\n")).toMatchObject([
    { code: "unknown_output", message: expect.stringContaining('net["a"].ids') },
  ]);
});
