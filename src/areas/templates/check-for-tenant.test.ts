import { describe, expect, it } from "vitest";
import { parseTemplate } from "#engine/template/parse.ts";
import { regionsOf, type TargetRegions } from "#engine/template/regions-of.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { checkForTenant, type TenantFacts } from "./check-for-tenant.ts";

const facts: TypeFacts = {
  immutable: [],
  writeOnly: [],
  required: [],
  deleteBeforeReplace: false,
  regionProperty: "region",
};
const catalog = { facts: () => facts, types: () => [], openProviders: new Set<string>() };

/** The tenant's targets, all at the mock provider. */
const at = (...targets: Partial<TargetRegions>[]) =>
  new Map([
    [
      "mock" as const,
      targets.map((one) => ({ allowedRegions: ["eu-1"], region: "eu-1", config: {}, ...one })),
    ],
  ]);

function check(source: string, more: Partial<TenantFacts> = {}, type: Partial<TypeFacts> = {}) {
  const { template } = parseTemplate(source);
  if (template === undefined) throw new Error("The template cannot be read");
  const tenant = { targets: at({ allowedRegions: ["*"] }), limits: [], ...more };
  const known = { ...catalog, facts: () => ({ ...facts, ...type }) };
  return checkForTenant(template.resources, regionsOf(template, known), tenant);
}

describe("targets", () => {
  it("are reported missing once per provider, at the first resource that needs one", () => {
    const warnings = check(`resources:
  net: { type: mock:Network }
  a/b~c: { type: vultr:Vpc }
  vm: { type: vultr:Instance }
  site:
    type: vercel:Project
`);
    expect(warnings).toMatchObject([
      {
        severity: "warning",
        code: "no_target",
        path: "/resources/a~1b~0c/type",
        line: 3,
        column: 18,
      },
      { code: "no_target", path: "/resources/site/type", line: 6, column: 11 },
    ]);
    expect(warnings[0]?.hint).toContain("vultr");
  });

  it("are not required of unknown providers, which the type check reports", () => {
    const types = ["nosuch:Thing", "mock", "__proto__:X"];
    const resources = types.map((type, index) => `  r${index}: { type: "${type}" }\n`).join("");
    expect(check(`resources:\n${resources}`, { targets: new Map() })).toEqual([]);
  });
});

describe("regions", () => {
  const targets = at({});

  it("that no target allows are reported at their place", () => {
    const warnings = check(
      `config: { c: us-1, d: eu-1, e: { type: string, secret: true, default: us-9 } }
variables: { v: "\${c}" }
resources:
  a: { type: mock:Network, properties: { region: us-1 } }
  b: { type: mock:Network, properties: { region: "\${v}" } }
  c1: { type: mock:Network, properties: { region: "\${d}" } }
  d1: { type: mock:Network, properties: { region: "\${control.target.region}" } }
  e1: { type: mock:Network, properties: { region: "\${e}" } }
  f: { type: mock:Network, properties: { region: "\${a.region}" } }
  g: { type: mock:Network, properties: { region: "x\${nope}", other: us-1 } }
`,
      { targets },
    );
    expect(warnings).toMatchObject([
      {
        severity: "warning",
        code: "region_not_allowed",
        path: "/resources/a/properties/region",
        line: 4,
      },
      { code: "region_not_allowed", path: "/resources/b/properties/region", line: 5 },
    ]);
  });

  it("that the template leaves to the target are those of the target, of which one must allow its own", () => {
    const source = "resources: { a: { type: mock:Network }, b: { type: mock:Server } }";
    const zone: Partial<TypeFacts> = {
      regionProperty: "place.zone",
      regionShape: "zone",
      defaults: { "place.zone": { config: "zone" } },
    };
    const bad = { config: { zone: "us-east1-b" }, allowedRegions: ["europe-west1"] };
    const good = { ...bad, config: { zone: "europe-west1-b" } };
    const none = { ...bad, config: {} };
    expect(check(source, { targets: at(bad) }, zone)).toMatchObject([
      { code: "region_not_allowed", message: expect.stringContaining("us-east1-b"), line: 1 },
      { code: "region_not_allowed" },
    ]);
    for (const other of [good, none])
      expect(check(source, { targets: at(bad, other) }, zone)).toEqual([]);
    const read = "resources: { a: { type: mock:Network, get: { id: n } } }";
    expect(check(read, { targets: at(bad) }, zone)).toEqual([]);
    const own: Partial<TypeFacts> = { defaults: { region: { region: true } } };
    expect(check(source, { targets }, own)).toEqual([]);
  });

  it("are read at any depth, from each item of a list, and from zones", () => {
    const source = `resources:
  a: { type: mock:Network, properties: { sites: [{ zone: eu-1-a }, { zone: us-1-a }, { zone: null }] } }
  b: { type: mock:Network, properties: { sites: [{ zone: eu-1b }, { zone: "\${control.target.region}" }] } }
`;
    const type = { regionProperty: "sites[*].zone", regionShape: "zone" } as const;
    const warnings = check(source, { targets }, type);
    expect(warnings).toMatchObject([{ path: "/resources/a/properties/sites", line: 2 }]);
    expect(warnings[0]?.message).toContain('"us-1-a"');
    const exact = check(source, { targets }, { regionProperty: "sites[*].zone" });
    expect(exact.map(({ line }) => line)).toEqual([2, 2, 3]);
  });

  it("are not reported for a provider without a target", () => {
    const source = "resources: { a: { type: vultr:Vpc, properties: { region: us-1 } } }";
    expect(check(source, { targets }).map(({ code }) => code)).toEqual(["no_target"]);
  });
});

it("limits are reported when they are reached", () => {
  const limits = [
    { name: "instances", used: 2, limit: 2 },
    { name: "deploymentsPerMonth", used: 1, limit: 2 },
    { name: "templates", used: 9, limit: null },
  ];
  expect(check("resources: {}", { limits })).toMatchObject([
    { severity: "warning", code: "limit_reached", message: expect.stringContaining('"instances"') },
  ]);
});
