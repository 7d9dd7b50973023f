import { expect, it } from "vitest";
import { describeRead, readSource } from "#engine/template/describe.ts";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { catalogueFor } from "#providers/catalogue/catalogue.ts";
import { builtAssets } from "#test/support/built-assets.ts";

const $schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";
const group = { type: "Microsoft.Network/networkSecurityGroups", apiVersion: "2023-09-01" };
const location = "westeurope";

async function draftOf(template: object) {
  const text = JSON.stringify({ $schema, contentVersion: "1.0.0.0", ...template }, null, 1);
  const given = [{ path: "main.json", text }];
  const options = { adopt: false, assets: builtAssets };
  const { drafts } = await readImport(given, undefined, new ImportLog(), options);
  const source = drafts[0]?.source ?? "";
  const read = readSource(source);
  const { diagnostics } = describeRead(read, await catalogueFor(read.types, builtAssets));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return { draft: drafts[0], source };
}

const parameters = {
  names: { type: "array" },
  n: { type: "int" },
  on: { type: "bool" },
};

it("keeps a loop over a parameter, and the objects that others read of it", async () => {
  const copy = { name: "groups", count: "[length(parameters('names'))]" };
  const name = "[concat('nsg-', parameters('names')[copyIndex()])]";
  const { source, draft } = await draftOf({
    parameters,
    resources: [
      { ...group, name, location, copy },
      {
        type: "Microsoft.Network/networkInterfaces",
        apiVersion: "2023-09-01",
        name: "[concat('nic', copyIndex(1))]",
        location,
        copy: { ...copy, name: "nics" },
        properties: {
          networkSecurityGroup: {
            id: "[resourceId('Microsoft.Network/networkSecurityGroups', concat('nsg-', parameters('names')[copyIndex()]))]",
          },
        },
      },
    ],
  });
  expect(draft).toMatchObject({ mapped: 2, unsupported: [] });
  expect(source).toContain("forEach: ${lists.range(size(names)).map(");
  expect(source).toContain("[each.key].id}");
});

it("writes out a loop of ten objects, and keeps one of eleven", async () => {
  const loop = (count: number) =>
    draftOf({
      resources: [
        { ...group, name: "[concat('nsg', copyIndex())]", location, copy: { name: "l", count } },
      ],
    });
  expect((await loop(10)).source).not.toContain("forEach");
  expect((await loop(11)).source).toContain("forEach");
});

it("turns loops inside each other into one map, without the objects that a condition leaves out", async () => {
  const { source, draft } = await draftOf({
    parameters: { ...parameters, rows: { type: "array" } },
    resources: [
      {
        type: "Microsoft.Resources/deployments",
        apiVersion: "2022-09-01",
        name: "[concat('d', copyIndex())]",
        copy: { name: "outer", count: "[length(parameters('rows'))]" },
        condition: "[parameters('on')]",
        properties: {
          expressionEvaluationOptions: { scope: "inner" },
          parameters: { row: { value: "[parameters('rows')[copyIndex()]]" } },
          template: {
            parameters: { row: { type: "object" } },
            resources: [
              {
                ...group,
                name: "[format('{0}-{1}', parameters('row').name, copyIndex())]",
                location,
                condition: "[parameters('row').groups[copyIndex()].on]",
                copy: { name: "inner", count: "[length(parameters('row').groups)]" },
              },
            ],
          },
        },
      },
    ],
  });
  expect(draft).toMatchObject({ mapped: 1, unsupported: [] });
  expect(source).toContain("when: ${on}");
  expect(source).toContain("rows[each.value.at0].name");
});

it("keeps a copy of a property over a parameter, and conditions as choices", async () => {
  const { source, draft } = await draftOf({
    parameters,
    resources: [
      {
        ...group,
        name: "nsg",
        location,
        tags: { size: "[if(parameters('on'), 'large', 'small')]" },
        properties: {
          copy: [
            {
              name: "securityRules",
              count: "[length(parameters('names'))]",
              input: {
                name: "[parameters('names')[copyIndex('securityRules')]]",
                properties: { priority: "[add(100, copyIndex('securityRules'))]" },
              },
            },
          ],
        },
      },
    ],
    outputs: {
      all: { type: "array", copy: { count: "[parameters('n')]", input: "[copyIndex()]" } },
      some: { type: "string", condition: "[parameters('on')]", value: "x" },
    },
  });
  expect(draft).toMatchObject({ mapped: 1, unsupported: [] });
  expect(source).toContain('size: \'${(on ? "large" : "small")}\'');
  expect(source).toMatch(/securityRules: .*names\.transformList\(/s);
  expect(source).toContain("some: '${(on ? \"x\" : omit())}'");
  expect(source).toContain("all: ${lists.range(n)");
});

it("leaves out a second declaration of an object, and writes out the id of the object itself", async () => {
  const { source, draft } = await draftOf({
    variables: { id: "[resourceId('Microsoft.Network/networkSecurityGroups', 'nsg')]" },
    resources: [
      { ...group, name: "nsg", location, tags: { own: "[variables('id')]" } },
      { ...group, name: "nsg", location, tags: { second: "x" } },
    ],
  });
  expect(source).toContain("/providers/Microsoft.Network/networkSecurityGroups/nsg");
  expect(source).not.toContain("second");
  expect(draft?.unsupported).toMatchObject([{ code: "not_expressible", line: 17 }]);
});

it("reads comments, strings of several lines, and names in any case", async () => {
  const text = `{ "$schema": "${$schema}", // a comment
    "contentVersion": "1.0.0.0", "Parameters": { "Size": { "type": "STRING" } },
    "resources": [ { "type": "Microsoft.Network/networkSecurityGroups",
      "apiVersion": "2023-09-01", "name": "[TOLOWER(concat('A',
        PARAMETERS('SIZE')))]", "location": "westeurope" } ] }`;
  const log = new ImportLog();
  const options = { adopt: false, assets: builtAssets };
  const { drafts } = await readImport([{ path: "a.json", text }], undefined, log, options);
  expect(drafts[0]?.source).toContain('name: ${("A" + string(size)).lowerAscii()}');
  expect(log.warnings()).toEqual([]);
});

it("takes the index of the resource where a list of its values names no loop", async () => {
  const rule = {
    name: "[variables('sets')[copyIndex()].rules[copyIndex('securityRules')]]",
    properties: { priority: "[add(100, copyIndex())]" },
  };
  const count = "[length(variables('sets')[copyIndex()].rules)]";
  const { source } = await draftOf({
    variables: {
      sets: [
        { name: "one", rules: ["a", "b"] },
        { name: "two", rules: ["c"] },
      ],
    },
    resources: [
      {
        ...group,
        name: "[variables('sets')[copyIndex()].name]",
        location,
        copy: { name: "all", count: 2 },
        properties: { copy: [{ name: "securityRules", count, input: rule }] },
      },
    ],
  });
  const rules = [...source.matchAll(/- name: (\w)|priority: (\d+)/g)].map(([, a, b]) => a ?? b);
  expect(rules).toEqual(["a", "100", "b", "100", "c", "101"]);
});

it("gives a child in a loop the parent of its turn, and asks for that of another loop", async () => {
  const account = { type: "Microsoft.Storage/storageAccounts", apiVersion: "2023-01-01" };
  const name = "concat('st', parameters('names')[copyIndex()])";
  const childOf = (count: string) =>
    draftOf({
      parameters,
      resources: [
        {
          ...account,
          name: `[${name}]`,
          location,
          kind: "StorageV2",
          sku: { name: "Standard_LRS" },
          copy: { name: "accounts", count: "[length(parameters('names'))]" },
        },
        {
          ...account,
          type: `${account.type}/blobServices`,
          properties: {},
          name: `[concat(${name}, '/default')]`,
          copy: { name: "services", count },
        },
      ],
    });
  const same = await childOf("[length(parameters('names'))]");
  expect(same.source).toMatch(/parent: \$\{\w+\[each\.key\]\.id\}/);
  expect(same.draft?.unresolved).toEqual([]);
  const other = await childOf("[parameters('n')]");
  expect(other.source).toMatch(/parent: \$\{\w+\}/);
  expect(other.draft?.unresolved).toHaveLength(1);
});

it("asks for no value that differs in each turn of a loop", async () => {
  const { draft } = await draftOf({
    parameters,
    resources: [{ ...group, name: "one", location }],
    outputs: {
      all: {
        type: "array",
        copy: {
          count: "[parameters('n')]",
          input: "[reference(concat('elsewhere', copyIndex())).id]",
        },
      },
    },
  });
  expect(draft?.unresolved).toEqual([]);
  expect(draft?.unsupported).toMatchObject([{ address: "output.all" }]);
});

it("takes the empty value of a nullable parameter for null, and keeps limits", async () => {
  const { source } = await draftOf({
    parameters: {
      maybe: { type: "string", nullable: true },
      n: { type: "int", minValue: 1, maxValue: 5 },
      word: { type: "string", minLength: 3, maxLength: 9 },
    },
    resources: [
      {
        ...group,
        name: "[parameters('word')]",
        location,
        tags: {
          a: "[coalesce(parameters('maybe'), 'none')]",
          n: "[string(parameters('n'))]",
        },
      },
    ],
  });
  expect(source).toContain('(maybe != "" ? maybe : "none")');
  for (const limit of ["minimum: 1", "maximum: 5", "minLength: 3", "maxLength: 9"])
    expect(source).toContain(limit);
});

it("reads one object of a loop by its symbolic name and number", async () => {
  const { source, draft } = await draftOf({
    languageVersion: "2.0",
    parameters,
    resources: {
      ips: {
        type: "Microsoft.Network/publicIPAddresses",
        apiVersion: "2023-09-01",
        name: "[parameters('names')[copyIndex()]]",
        location,
        copy: { name: "ips", count: "[length(parameters('names'))]" },
      },
    },
    outputs: { first: { type: "string", value: "[reference('ips[0]').ipAddress]" } },
  });
  expect(source).toMatch(/first: \$\{\w+\["0"\]\.properties\.ipAddress\}/);
  expect(draft?.unsupported).toEqual([]);
});
