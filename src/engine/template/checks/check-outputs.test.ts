import { expect, it } from "vitest";
import { describeTemplate } from "#engine/template/describe.ts";
import { catalogue } from "#providers/catalogue/catalogue.ts";

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
])("refuses %s and says which outputs there are", ([output, hint]) => {
  expect(check(String(output))).toMatchObject([
    { code: "unknown_output", path: "/outputs/o", line: 3, hint },
  ]);
});

it("accepts an output that the resource itself sets, although the table does not list it", () => {
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
