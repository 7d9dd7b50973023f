import { describe, expect, it } from "vitest";
import type { TemplateCatalog } from "#engine/template/check.ts";
import { describeTemplate } from "#engine/template/describe.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";
import type { TypeFacts } from "#providers/provider.ts";

const check = (output: string, properties = "name: net") =>
  describeTemplate(
    `resources:
  net: { type: mock:Network, properties: { ${properties} } }
outputs: { o: "${output}" }
`,
    catalogue(),
  ).diagnostics.filter(({ severity }) => severity === "error");

it.for(["${net.id}", "${net.status}", "${net.cidr}", "${net}", "a ${net.region}"])(
  "accepts %s",
  (output) => {
    expect(check(output)).toEqual([]);
  },
);

it.for([
  ["${net.idd}", 'Did you mean "id"?'],
  ["a ${net.idd} b", 'Did you mean "id"?'],
  ["${net.statuss.x[0]}", 'Did you mean "status"?'],
  ["${net.bogus}", "Its outputs are id, status, name, region, tags, cidr."],
  ["${net[0]}", "Its outputs are id, status, name, region, tags, cidr."],
  ["${net.constructor}", "Its outputs are id, status, name, region, tags, cidr."],
])("refuses %s and lists the existing outputs", ([output, hint]) => {
  expect(check(String(output))).toMatchObject([
    { code: "unknown_output", path: "/outputs/o", line: 3, hint },
  ]);
});

it("accepts an output that the resource itself sets, although the table lacks it", () => {
  expect(check("${net.custom}", "name: net, custom: 1")).toEqual([]);
  expect(check("${net.custm}", "name: net, custom: 1")).toMatchObject([
    { hint: 'Did you mean "custom"?' },
  ]);
});

it("checks references from other resources too", () => {
  const { diagnostics } = describeTemplate(
    `resources:
  net: { type: mock:Network, properties: { name: net } }
  web: { type: mock:Server, properties: { name: web, network: "\${net.idd}" } }
`,
    catalogue(),
  );
  expect(diagnostics).toMatchObject([
    { code: "unknown_output", path: "/resources/web/properties/network", line: 3 },
  ]);
});

describe("a type whose outputs are not all known", () => {
  const facts: TypeFacts = {
    immutable: [],
    writeOnly: ["secret_text"],
    required: [],
    deleteBeforeReplace: false,
    properties: { name: { description: "" }, secret_text: { description: "" } },
    secretOutputs: ["private_connection.uri", "nodes[*].password"],
    shownAt: { size: "size_slug" },
  };
  const catalog: TemplateCatalog = {
    facts: () => facts,
    types: () => ["vultr:Thing"],
    openProviders: new Set(),
  };
  const found = (output: string, of = facts) =>
    describeTemplate(
      `resources:
  net: { type: vultr:Thing, properties: { name: net, custom: 1 } }
outputs: { o: "${output}" }
`,
      { ...catalog, facts: () => of },
    ).diagnostics.filter(({ code }) => code === "unknown_output");

  it.for([
    ["${net.idd}", 'Did you mean "id"?'],
    ["${net.nmae}", 'Did you mean "name"?'],
    ["${net.custm}", 'Did you mean "custom"?'],
    ["${net.size_slugg}", 'Did you mean "size_slug"?'],
    ["${net.private_conection.urii}", 'Did you mean "private_connection"?'],
    ["${net.private_connection.urii}", 'Did you mean "uri"?'],
    ["${net.nodes[0].pasword}", 'Did you mean "password"?'],
  ])("warns of %s, which resembles a known one", ([output, hint]) => {
    expect(found(String(output))).toMatchObject([
      { severity: "warning", code: "unknown_output", path: "/outputs/o", line: 3, hint },
    ]);
  });

  it.for([
    ["${net.main_ipp}", "error", 'Did you mean "main_ip"?'],
    ["a ${net.main_ipp.x} b", "error", 'Did you mean "main_ip"?'],
    ["${net.nmae}", "error", 'Did you mean "name"?'],
    ["${net.newer_than_described}", "warning", "Its outputs are id, main_ip, "],
    ["${net.ip}", "warning", "Its outputs are id, main_ip, "],
    ["${net.private_connection.urii}", "warning", 'Did you mean "uri"?'],
  ])("with a description by its vendor: %s is an %s", ([output, severity, hint]) => {
    const described = { ...facts, describedOutputs: ["main_ip", "private_connection"] };
    expect(found(String(output), described)).toMatchObject([
      {
        severity,
        path: "/outputs/o",
        line: 3,
        column: 15 + String(output).indexOf("$") + 1,
        hint: expect.stringContaining(hint ?? ""),
      },
    ]);
    for (const one of ["main_ip", "id", "custom", "size_slug", "private_connection.host"])
      expect(found(`\${net.${one}}`, described)).toEqual([]);
  });

  it.for([
    "${net.id}",
    "${net.ip}",
    "${net.whatever.idd}",
    "${net.private_connection.uri}",
    "${net.private_connection.host}",
    "${net.nodes[0].password}",
    "${net.custom}",
  ])("does not report %s", (output) => {
    expect(found(output)).toEqual([]);
  });
});
