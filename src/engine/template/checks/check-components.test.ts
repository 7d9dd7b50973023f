import { expect, it } from "vitest";
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
