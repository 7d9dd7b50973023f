import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";

const $schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";
const net = {
  type: "Microsoft.Network/virtualNetworks",
  apiVersion: "2023-09-01",
  location: "westeurope",
  properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } },
};

async function read(files: Readonly<Record<string, object>>) {
  const log = new ImportLog();
  const given = Object.entries(files).map(([path, template]) => ({
    path,
    text: JSON.stringify({ $schema, contentVersion: "1.0.0.0", ...template }, null, 1),
  }));
  const reading = await readImport(given, undefined, log, { adopt: false, assets: builtAssets });
  const whole = JSON.stringify({ ...reading, files: [...reading.files], log: log.warnings() });
  return { ...reading, whole, warnings: log.warnings(), draft: reading.drafts[0] };
}

function deployment(name: string, properties: object, more: object = {}) {
  const type = "Microsoft.Resources/deployments";
  return { type, apiVersion: "2022-09-01", name, properties, ...more };
}

const inner = { expressionEvaluationOptions: { scope: "inner" } };

it("drafts the resources of a nested template in place, and keeps no literal of its secrets", async () => {
  const { draft, whole } = await read({
    "main.json": {
      parameters: {
        prefix: { type: "string" },
        other: { type: "string", defaultValue: "canary-3" },
      },
      variables: { secret: "canary-2" },
      resources: [
        deployment("inner", {
          ...inner,
          parameters: {
            name: { value: "[concat(parameters('prefix'), '-net')]" },
            a: { value: "canary-1" },
            b: { value: "[variables('secret')]" },
            c: { value: "[parameters('other')]" },
            d: { value: { nested: ["canary-4"] } },
            e: { reference: { keyVault: { id: "x" }, secretName: "y" } },
          },
          template: {
            parameters: {
              name: { type: "string" },
              a: { type: "secureString" },
              b: { type: "securestring" },
              c: { type: "SecureString" },
              d: { type: "secureObject" },
              e: { type: "securestring" },
              f: { type: "securestring", defaultValue: "canary-5" },
            },
            variables: { space: "[concat('10.', length(parameters('name')), '.0.0/16')]" },
            resources: [
              {
                ...net,
                name: "[parameters('name')]",
                tags: {
                  a: "[parameters('a')]",
                  b: "[parameters('b')]",
                  c: "[parameters('c')]",
                  d: "[string(parameters('d'))]",
                  e: "[parameters('e')]",
                  f: "[parameters('f')]",
                },
              },
            ],
            outputs: {
              id: {
                type: "string",
                value: "[resourceId('Microsoft.Network/virtualNetworks', parameters('name'))]",
              },
            },
          },
        }),
        {
          type: "Microsoft.Network/virtualNetworks/subnets",
          apiVersion: "2023-09-01",
          name: "[concat(parameters('prefix'), '-net/a')]",
          dependsOn: ["inner"],
          properties: { addressPrefix: "10.0.1.0/24" },
        },
      ],
      outputs: {
        id: { type: "string", value: "[reference('inner').outputs.id.value]" },
        plain: { type: "string", value: "[variables('secret')]" },
      },
    },
  });
  expect(whole).not.toContain("canary");
  expect(draft?.source).toContain("name: ${prefix}-net");
  expect(draft?.source).toContain("parent: ${virtualNetworksPrefixNet.id}");
  expect(draft?.source).toContain("id: ${virtualNetworksPrefixNet.id}");
  expect(draft).toMatchObject({ notMapped: 0 });
});

it("reads the names of a template with the outer scope around it", async () => {
  const { draft } = await read({
    "main.json": {
      parameters: { name: { type: "string" } },
      variables: { v: "outer" },
      resources: [
        deployment("inner", {
          template: {
            parameters: { name: { type: "string", defaultValue: "wrong" } },
            variables: { v: "wrong" },
            resources: [{ ...net, name: "[parameters('name')]", tags: { v: "[variables('v')]" } }],
          },
        }),
      ],
    },
  });
  expect(draft?.source).toContain("name: ${name}");
  expect(draft?.source).toContain("v: outer");
});

it("places what a deployment makes in its resource group, under its condition", async () => {
  const { draft } = await read({
    "main.json": {
      parameters: { group: { type: "string" }, on: { type: "bool" } },
      resources: [
        deployment(
          "inner",
          { ...inner, mode: "Complete", template: { resources: [{ ...net, name: "a" }] } },
          { resourceGroup: "[parameters('group')]", condition: "[parameters('on')]" },
        ),
      ],
    },
  });
  expect(draft?.source).toContain("resourceGroup: ${group}");
  expect(draft?.source).toContain("when: ${on}");
  expect(draft?.unsupported).toMatchObject([{ path: "deployments/inner mode" }]);
});

it("takes a linked template from the import, and names one that is missing", async () => {
  const { drafts, draft, warnings } = await read({
    "main.json": {
      parameters: { base: { type: "string" } },
      resources: [
        deployment("a", {
          templateLink: { uri: "[uri(parameters('base'), 'nested/net.json')]" },
          parameters: { name: { value: "linked" } },
        }),
        deployment("b", { templateLink: { relativePath: "nested/missing.json" } }),
      ],
    },
    "nested/net.json": {
      parameters: { name: { type: "string" } },
      resources: [{ ...net, name: "[parameters('name')]" }],
    },
  });
  expect(drafts.map(({ module }) => module)).toEqual(["main.json"]);
  expect(draft?.source).toContain("name: linked");
  expect(draft?.unsupported).toMatchObject([
    { code: "no_module", address: "module.b", file: "main.json" },
  ]);
  expect(warnings.map(({ code }) => code)).toEqual(["nested_template"]);
});

it("ends with templates that link to each other", async () => {
  const link = (relativePath: string) => ({
    resources: [
      { ...net, name: relativePath },
      deployment("x", { templateLink: { relativePath } }),
    ],
  });
  const { drafts } = await read({ "a.json": link("b.json"), "b.json": link("a.json") });
  expect(drafts.length).toBeLessThanOrEqual(2);
});

it("scopes what a template of a subscription makes outside groups", async () => {
  const { draft } = await read({
    "main.json": {
      $schema: $schema.replace("deploymentTemplate", "subscriptionDeploymentTemplate"),
      parameters: { group: { type: "string" } },
      resources: [
        {
          type: "Microsoft.Resources/resourceGroups",
          apiVersion: "2022-09-01",
          name: "[parameters('group')]",
          location: "westeurope",
        },
        deployment(
          "inner",
          { ...inner, template: { $schema, resources: [{ ...net, name: "a" }] } },
          { resourceGroup: "[parameters('group')]" },
        ),
      ],
    },
  });
  expect(draft?.source).toContain("resourceGroup: ${resourceGroupsGroup.name}");
});

it("names the deployments whose templates are too many, or too deep", async () => {
  const empty = deployment("last", { template: { resources: [] } });
  let deep = empty;
  for (let level = 0; level < 11; level += 1)
    deep = deployment(`level${level}`, { template: { resources: [deep] } });
  const wide = Array.from({ length: 2_001 }, (_, at) => ({ ...empty, name: `d${at}` }));
  for (const resources of [[deep], wide]) {
    const { draft, warnings } = await read({ "main.json": { resources } });
    expect(warnings.map(({ code }) => code)).toContain("too_many_nested");
    expect(draft?.unsupported[0]?.reason).toContain("nested templates");
  }
});

it.each([
  [true, "v: fallback"],
  [false, "tags: {}"],
])(
  "gives null to a nested parameter without a value if it is nullable: %s",
  async (nullable, tag) => {
    const template = {
      parameters: { x: { type: "string", nullable } },
      resources: [{ ...net, name: "a", tags: { v: "[coalesce(parameters('x'), 'fallback')]" } }],
    };
    const { draft } = await read({
      "main.json": { resources: [deployment("d", { ...inner, template })] },
    });
    expect(draft?.source).toContain(tag);
  },
);

it.each([
  ["main.json", "nested/net.json", "nested/net.json"],
  ["main.json", "./nested/net.json", "nested/net.json"],
  ["a/main.json", "../nested/net.json", "nested/net.json"],
  ["a/main.json", "https://example.com/x/net.json?ref=main", "a/deep/net.json"],
  ["a/main.json", "net.json", "a/deep/net.json"],
])("finds the template that %s links to by %s", async (main, uri, linked) => {
  const link = deployment("a", { templateLink: { uri } });
  const template = { resources: [{ ...net, name: "linked" }] };
  const { drafts } = await read({ [main]: { resources: [link] }, [linked]: template });
  expect(drafts.map(({ module }) => module)).toEqual([main]);
  expect(drafts[0]?.source).toContain("name: linked");
});

it("links to no template outside the import, nor to one of several", async () => {
  const link = (uri: string) => ({ resources: [deployment("a", { templateLink: { uri } })] });
  const template = { resources: [{ ...net, name: "linked" }] };
  const outside = await read({ "main.json": link("../net/net.json"), "net/x.json": template });
  expect(outside.drafts[0]?.mapped).toBe(0);
  const several = { "a/net.json": template, "b/net.json": template };
  const { drafts } = await read({ "main.json": link("https://example.com/net.json"), ...several });
  expect(drafts.find(({ module }) => module === "main.json")?.mapped).toBe(0);
});

it("reads an argument that a loop makes, and asks for those in a file of parameters", async () => {
  const { draft } = await read({
    "main.json": {
      variables: { spaces: ["10.0.0.0/16", "10.1.0.0/16"] },
      resources: [
        deployment("looped", {
          ...inner,
          parameters: {
            spaces: {
              copy: [
                { name: "value", count: 2, input: "[variables('spaces')[copyIndex('value')]]" },
              ],
            },
          },
          template: {
            parameters: { spaces: { type: "array" } },
            resources: [
              {
                ...net,
                name: "looped",
                properties: { addressSpace: { addressPrefixes: "[parameters('spaces')]" } },
              },
            ],
          },
        }),
        deployment("linked", {
          templateLink: { relativePath: "linked.json" },
          parametersLink: { uri: "https://example.com/linked.parameters.json" },
        }),
      ],
    },
    "linked.json": {
      parameters: { netName: { type: "string" } },
      resources: [{ ...net, name: "[parameters('netName')]" }],
    },
  });
  expect(draft?.source).toMatch(/addressPrefixes:\s+- 10\.0\.0\.0\/16\s+- 10\.1\.0\.0\/16/);
  expect(draft?.source).toContain("name: ${netName}");
  expect(draft?.unresolved.map(({ config }) => config)).toEqual(["netName"]);
  expect(draft?.unsupported).toMatchObject([
    { address: "deployments/linked", path: "parametersLink" },
  ]);
});

it("counts the turns of an output's own list in a deployment of a loop", async () => {
  const { draft } = await read({
    "main.json": {
      resources: [
        deployment(
          "[concat('d', copyIndex())]",
          {
            ...inner,
            template: {
              resources: [{ ...net, name: "one" }],
              outputs: {
                all: { type: "array", copy: { count: 2, input: "[concat('n', copyIndex())]" } },
              },
            },
          },
          { copy: { name: "loop", count: 1 } },
        ),
      ],
      outputs: { all: { type: "array", value: "[reference('d0').outputs.all.value]" } },
    },
  });
  expect(draft?.source).toMatch(/all:\s+- n0\s+- n1/);
});
