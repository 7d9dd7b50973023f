import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import type { SourceModule } from "#importers/source-module.ts";
import { parsedBy } from "#test/support/parsed-by.ts";
import { armParser } from "./arm.ts";
import { detectArm } from "./detect-arm.ts";

const $schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";

async function parseText(text: string) {
  const log = new ImportLog();
  const { modules, verdicts } = parsedBy(armParser, [{ path: "main.json", text }], log);
  return { module: modules[0], verdict: verdicts[0], warnings: log.warnings() };
}

const parse = (template: object) => parseText(JSON.stringify({ $schema, ...template }, null, 1));

function settingOf(module: SourceModule | undefined, address: string, name: string) {
  return module?.resources
    .find((resource) => resource.address === address)
    ?.settings.members.find((member) => member.name === name)?.value;
}

function dependenciesOf(module: SourceModule | undefined) {
  return Object.fromEntries(
    (module?.resources ?? []).map((one) => [one.address, one.dependsOn.map((on) => on.address)]),
  );
}

const literal = (value: unknown) => ({ kind: "literal", value });
const toP = { kind: "reference", target: { kind: "variable", name: "P" }, path: [] };
const toNet = (...path: string[]) => ({
  kind: "reference",
  target: { kind: "resource", address: "virtualNetworks/main" },
  path,
});

const net = { type: "Microsoft.Network/virtualNetworks", apiVersion: "2024-05-01", name: "main" };

/** The value of a setting. */
async function valueOf(written: unknown) {
  const { module } = await parse({
    parameters: { P: { type: "string" }, L: { type: "array" } },
    variables: { V: "x", list: ["a"] },
    resources: [net, { type: "A.B/c", apiVersion: "1", name: "subject", it: written }],
  });
  return settingOf(module, "c/subject", "it");
}

it.for<[unknown, object]>([
  ["plain", literal("plain")],
  ["[[not]", literal("[not]")],
  [3, literal(3)],
  ["[parameters('p')]", toP],
  ["[parameters('P').a[0]]", { ...toP, path: ["a", 0] }],
  ["[variables('V')]", literal("x")],
  [
    "[concat('a-', parameters('P'), '-b')]",
    { kind: "text", parts: [literal("a-"), toP, literal("-b")] },
  ],
  ["[concat('a', 'b')]", literal("ab")],
  [
    "[concat(parameters('L'), variables('list'))]",
    { kind: "call", name: "concat", args: [{}, { items: [literal("a")] }] },
  ],
  ["[format('{0}-{1}-{{x}}', parameters('P'), 'b')]", { parts: [toP, literal("-b-{x}")] }],
  ["[format('{0:D2}', 1)]", literal("01")],
  ["[resourceId('Microsoft.Network/virtualNetworks', 'MAIN')]", toNet("id")],
  [
    "[resourceId('Microsoft.Network/virtualNetworks/subnets', 'main', parameters('P'))]",
    { kind: "text", parts: [toNet("id"), literal("/subnets/"), toP] },
  ],
  [
    "[resourceId('Microsoft.Network/virtualNetworks', 'other')]",
    {
      kind: "text",
      parts: [
        literal("/subscriptions/"),
        { name: "pseudo" },
        literal("/resourceGroups/"),
        { name: "pseudo" },
        literal("/providers/Microsoft.Network/virtualNetworks/other"),
      ],
    },
  ],
  [
    "[reference(resourceId('Microsoft.Network/virtualNetworks', 'main')).a.b]",
    toNet("properties", "a", "b"),
  ],
  ["[reference('main', '2024-05-01', 'Full').location]", toNet("location")],
  ["[reference('nothing').a]", { name: "pseudo", args: [literal("reference a")] }],
  [
    "[resourceGroup().location]",
    { kind: "call", name: "pseudo", args: [literal("resourceGroup.location")] },
  ],
  ["[subscription().tenantId]", { name: "pseudo", args: [literal("subscription.tenantId")] }],
  ["[split(parameters('P'), '/')[2]]", { name: "[]", args: [{ name: "split" }, literal(2)] }],
  [
    "[uniqueString(resourceGroup().id)]",
    { name: "pseudo", args: [literal("uniqueString resourceGroup id")] },
  ],
  ["[if(equals('A', 'a'), 1, 2)]", literal(2)],
  ["[if(parameters('P'), 1, 2)]", { kind: "call", name: "?:" }],
  ["[createArray('a', parameters('P'))]", { kind: "list", items: [literal("a"), toP] }],
  ["[createObject('a', 1)]", { kind: "object", members: [{ name: "a", value: literal(1) }] }],
  ["[parameters('P')[parameters('P')]]", { kind: "call", name: "[]", args: [toP, toP] }],
  ["[broken(]", { kind: "opaque", text: "[broken(]" }],
  [
    { adminPassword: "hush", x: "Server=a;Password=hush" },
    { members: [{ value: { kind: "opaque", text: "" } }, { value: { kind: "opaque", text: "" } }] },
  ],
  [
    [{ name: "DB_PASSWORD", value: "hush" }],
    { items: [{ members: [{ name: "name" }, { value: { kind: "opaque", text: "" } }] }] },
  ],
  [
    { copy: [{ name: "disks", count: 3, input: { lun: "[parameters('P')]" } }] },
    {
      members: [
        {
          name: "disks",
          value: { items: Array.from({ length: 3 }, () => ({ members: [{ value: toP }] })) },
        },
      ],
    },
  ],
])("reads %j", async ([written, expected]) => {
  expect(await valueOf(written)).toMatchObject(expected);
});

it("reads a template's sections with their places", async () => {
  const { module, verdict, warnings } = await parse({
    parameters: {
      size: {
        type: "int",
        defaultValue: 3,
        allowedValues: [1, 3],
        metadata: { description: "How many" },
      },
      key: { type: "securestring", defaultValue: "canary-1" },
      region: { type: "string", defaultValue: "[resourceGroup().location]" },
    },
    variables: { version: "2024-05-01", made: "[concat('a', parameters('size'))]" },
    resources: [
      {
        ...net,
        apiVersion: "[variables('version')]",
        location: "[parameters('region')]",
        comments: "x",
        condition: "[equals(parameters('size'), 3)]",
        tags: { a: "b" },
      },
      { ...net, name: "never", condition: false },
      { name: "nameless" },
    ],
    outputs: {
      id: { type: "string", value: "[resourceId('Microsoft.Network/virtualNetworks', 'main')]" },
      hush: { type: "string", value: "[parameters('key')]" },
    },
  });
  expect(verdict).toEqual({
    path: "main.json",
    state: "PARSED",
    counts: { resource: 1, variable: 3, output: 2 },
  });
  expect(module?.variables).toMatchObject([
    {
      name: "size",
      type: "int",
      default: literal(3),
      allowed: [1, 3],
      description: "How many",
      line: 4,
    },
    { name: "key", sensitive: true, default: { kind: "opaque", text: "" } },
    { name: "region", default: { kind: "call", name: "pseudo" } },
  ]);
  expect(module?.locals.map(({ name }) => name)).toEqual(["version", "made"]);
  expect(module?.resources).toMatchObject([
    {
      address: "virtualNetworks/main",
      type: "Microsoft.Network/virtualNetworks@2024-05-01",
      name: "main",
      mode: "managed",
      provider: "azure",
      region: { target: { kind: "variable", name: "region" } },
      repeated: true,
      line: 29,
      endLine: 39,
    },
  ]);
  expect(module?.resources[0]?.settings.members.map(({ name }) => name)).toEqual([
    "name",
    "location",
    "tags",
  ]);
  expect(module?.outputs).toMatchObject([
    // The resource may not be made, and ARM gives its id all the same.
    { name: "id", sensitive: false, value: { kind: "text", parts: { length: 5 } } },
    { name: "hush", sensitive: true },
  ]);
  expect(warnings.map(({ code }) => code)).toEqual(["condition_false", "invalid_resource"]);
  expect(JSON.stringify({ module, warnings })).not.toContain("canary");
});

it("flattens nested resources, and finds the dependencies of each", async () => {
  const name = "[concat(parameters('prefix'), '-net')]";
  const { module } = await parse({
    parameters: { prefix: { type: "string" } },
    variables: {
      netId:
        "[resourceId('Microsoft.Network/virtualNetworks', concat(parameters('PREFIX'), '-net'))]",
    },
    resources: [
      { ...net, name, resources: [{ type: "subnets", apiVersion: "2024-05-01", name: "a" }] },
      {
        type: "A.B/c",
        apiVersion: "1",
        name: "byId",
        dependsOn: ["[variables('netId')]"],
        whole: "[reference(concat('/providers/A.B/c/', parameters('prefix'))).x]",
      },
      { type: "A.B/c", apiVersion: "1", name: "[parameters('prefix')]" },
      { type: "A.B/c", apiVersion: "1", name: "byName", dependsOn: ["byId", "nothing"] },
      {
        type: "A.B/c",
        apiVersion: "1",
        name: "byType",
        dependsOn: [
          "[concat('Microsoft.Network/virtualNetworks/', parameters('prefix'), '-net')]",
          "A.B/c/byName",
        ],
      },
    ],
  });
  expect(module?.resources[1]).toMatchObject({
    type: "Microsoft.Network/virtualNetworks/subnets@2024-05-01",
    settings: { members: [{ name: "name", value: { parts: [{}, literal("-net/a")] } }] },
  });
  expect(settingOf(module, "c/byId", "whole")).toMatchObject({ target: { address: "c/prefix" } });
  const main = "virtualNetworks/{prefix}-net";
  expect(dependenciesOf(module)).toEqual({
    [main]: [],
    "subnets/{prefix}-net/a": [main],
    "c/byId": [main],
    "c/prefix": [],
    "c/byName": ["c/byId"],
    "c/byType": [main, "c/byName"],
  });
});

it("writes out the copies of a loop with a known count", async () => {
  const { module } = await parse({
    parameters: { n: { type: "int" } },
    resources: [
      { ...net, name: "[concat('net', copyIndex(1))]", copy: { name: "nets", count: 2 } },
      {
        type: "A.B/c",
        apiVersion: "1",
        name: "[format('c{0}', copyIndex())]",
        copy: { name: "cs", count: 2 },
        dependsOn: [
          "[resourceId('Microsoft.Network/virtualNetworks', concat('net', copyIndex(1)))]",
        ],
      },
      { type: "A.B/d", apiVersion: "1", name: "all", dependsOn: ["nets"] },
      {
        type: "A.B/e",
        apiVersion: "1",
        name: "[string(copyIndex())]",
        copy: { name: "es", count: "[parameters('n')]" },
      },
      { type: "A.B/f", apiVersion: "1", name: "f", dependsOn: ["es"] },
    ],
  });
  expect(dependenciesOf(module)).toEqual({
    "virtualNetworks/net1[0]": [],
    "virtualNetworks/net2[1]": [],
    "c/c0[0]": ["virtualNetworks/net1[0]"],
    "c/c1[1]": ["virtualNetworks/net2[1]"],
    "d/all": ["virtualNetworks/net1[0]", "virtualNetworks/net2[1]"],
    "e/index": [],
    "f/f": ["e/index"],
  });
  expect(module?.resources.map(({ repeated }) => repeated)).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
    false,
  ]);
});

it("reads resources with symbolic names, and marks existing ones as data", async () => {
  const { module } = await parse({
    languageVersion: "2.0",
    resources: {
      vnet: net,
      old: { existing: true, type: "A.B/c", apiVersion: "1", name: "old" },
      user: {
        type: "A.B/c",
        apiVersion: "1",
        name: "user",
        properties: { space: "[reference('vnet').addressSpace]" },
        dependsOn: ["vnet"],
      },
    },
  });
  expect(module?.resources.map(({ address, mode }) => [address, mode])).toEqual([
    ["vnet", "managed"],
    ["old", "data"],
    ["user", "managed"],
  ]);
  expect(dependenciesOf(module)["user"]).toEqual(["vnet"]);
  expect(settingOf(module, "user", "properties")).toMatchObject({
    members: [{ value: { target: { address: "vnet" }, path: ["properties", "addressSpace"] } }],
  });
});

it("gives resources of the same name distinct addresses", async () => {
  const { module } = await parse({ resources: [net, net, { ...net, name: "main#2" }] });
  expect(module?.resources.map(({ address }) => address)).toEqual([
    "virtualNetworks/main",
    "virtualNetworks/main#2",
    "virtualNetworks/main#2#2",
  ]);
});

it("reads templates with comments, with correct lines", async () => {
  const { module } = await parseText(
    `{ // "x": {\n"$schema": "${$schema}", /* \n */ "resources": [\n${JSON.stringify(net)} ] }`,
  );
  expect(module?.resources).toMatchObject([{ line: 4 }]);
});

it("keeps only the count of a parameter file", async () => {
  const { module, verdict } = await parse({
    $schema: $schema.replace("Template", "Parameters"),
    parameters: { a: { value: "canary" } },
  });
  expect(module).toBeUndefined();
  expect(verdict).toMatchObject({ state: "PARSED", counts: { parameter: 1 } });
});

it.for([
  ["[]", "not_a_template"],
  ["{", "invalid_json"],
])("fails for %s", async ([text, reason]) => {
  expect((await parseText(text ?? "")).verdict).toMatchObject({ state: "FAILED", reason });
});

it("does not repeat a long name or type for each nested resource", async () => {
  const inner = Array.from({ length: 5_000 }, () => ({ type: "b", name: "c" }));
  const long = "n".repeat(100_000);
  const { module, warnings } = await parse({
    resources: [
      { ...net, name: long, resources: inner },
      { ...net, type: `A.B/${long}`, resources: inner },
    ],
  });
  expect(module?.resources).toHaveLength(5_001);
  expect(warnings).toMatchObject([{ code: "invalid_resource" }]);
  expect(JSON.stringify(module).length).toBeLessThan(3_000_000);
});

it("stays near the size of the source where values repeat", async () => {
  const depth = 45;
  const nested = (open: string, close: string) =>
    `[${open.repeat(depth)}'a'${close.repeat(depth)}]`;
  const { module } = await parse({
    resources: [
      {
        type: "A.B/c",
        apiVersion: "1",
        name: "x",
        references: nested("reference(", ")"),
        ids: nested("resourceId('A.B/d', ", ")"),
        formats: nested("format('{0}{0}{0}', ", ")"),
      },
      {
        type: "A.B/d",
        name: "[string(copyIndex())]",
        apiVersion: "1",
        copy: { name: "d", count: 50 },
        list: Array.from({ length: 5_000 }, () => 1),
      },
    ],
  });
  expect(module?.resources.length).toBe(2);
  expect(JSON.stringify(module).length).toBeLessThan(2_000_000);
});

it.for([
  ["a.json", `{"$schema": "${$schema}"}`, true],
  ["a.json", `{"contentVersion": "1.0.0.0", "resources": []}`, true],
  ["a.jsonc", `// x\n{"$schema": "${$schema}"}`, true],
  ["a.json", `{"properties": {"template": {"$schema": "${$schema}"}}}`, false],
  ["a.json", `{"$schema": "https://json-schema.org/draft-07/schema#"}`, false],
  ["a.txt", `{"$schema": "${$schema}"}`, false],
] as const)("detects %s with %s", ([path, text, expected]) => {
  expect(detectArm({ path, text })).toBe(expected);
});
