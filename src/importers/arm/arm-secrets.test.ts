import { describe, expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { partOf } from "#test/support/depth.ts";

const $schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";
const location = "westeurope";
const group = { type: "Microsoft.Network/networkSecurityGroups", apiVersion: "2023-09-01" };
const machine = { type: "Microsoft.Compute/virtualMachines", apiVersion: "2023-09-01" };
const extension = {
  type: "Microsoft.Compute/virtualMachines/extensions",
  apiVersion: "2023-09-01",
};
const settings = { type: "Microsoft.Web/sites", apiVersion: "2022-09-01" };

interface Template {
  parameters?: Record<string, object>;
  variables?: Record<string, unknown>;
  functions?: readonly object[];
  resources: readonly object[];
  outputs?: Record<string, object>;
}

/** Everything that an import keeps, in one text. */
async function kept(template: Template): Promise<string> {
  const text = JSON.stringify({ $schema, contentVersion: "1.0.0.0", ...template }, null, 1);
  const log = new ImportLog();
  const given = [{ path: "main.json", text }];
  const reading = await readImport(given, undefined, log, { adopt: false, assets: builtAssets });
  return JSON.stringify({ ...reading, files: [...reading.files], log: log.warnings() });
}

function nested(name: string, template: Template, parameters: object = {}): object {
  const expressionEvaluationOptions = { scope: "inner" };
  const properties = { expressionEvaluationOptions, parameters, template };
  return { type: "Microsoft.Resources/deployments", apiVersion: "2022-09-01", name, properties };
}

/** Declarations, and an expression for a literal in them. */
interface Carrier {
  of: string;
  variables?: Record<string, unknown>;
  parameters?: Record<string, object>;
  resources?: readonly object[];
}

const o = { a: { b: "canary" } };
const list = ["canary"];
const on = { on: { type: "bool" } };

const carriers: readonly Carrier[] = [
  { of: "variables('s')", variables: { s: "canary" } },
  { of: "variables('o').a.b", variables: { o } },
  { of: "variables('o')['a']['b']", variables: { o } },
  { of: "variables('o')[variables('k')].b", variables: { o, k: "a" } },
  { of: "variables('o').?a.b", variables: { o } },
  { of: "tryGet(variables('o'), 'a', 'b')", variables: { o } },
  { of: "items(variables('o'))[0].value.b", variables: { o } },
  { of: "union(variables('o'), createObject('c', 1)).a.b", variables: { o } },
  { of: "variables('list')[0]", variables: { list } },
  { of: "first(variables('list'))", variables: { list } },
  { of: "last(take(variables('list'), 1))", variables: { list } },
  { of: "concat(variables('list'), createArray('x'))[0]", variables: { list } },
  { of: "flatten(createArray(variables('list')))[0]", variables: { list } },
  {
    of: "map(variables('list'), lambda('x', lambdaVariables('x')))[0]",
    variables: { list },
  },
  {
    of: "reduce(range(0, 2), '', lambda('x', 'y', variables('s')))",
    variables: { s: "canary" },
  },
  {
    of: "variables('copied')[0]",
    variables: { copy: [{ name: "copied", count: 2, input: "canary" }] },
  },
  {
    of: "variables('copied')[0].x",
    variables: {
      n: 2,
      copy: [{ name: "copied", count: "[variables('n')]", input: { x: "canary" } }],
    },
  },
  { of: "json(variables('j')).a", variables: { j: '{"a":"canary"}' } },
  { of: "split(variables('csv'), ',')[1]", variables: { csv: "a,canary" } },
  { of: "concat(variables('s'))", variables: { s: "canary" } },
  { of: "format('{0}', variables('s'))", variables: { s: "canary" } },
  { of: "toUpper(variables('s'))", variables: { s: "canary" } },
  { of: "base64(variables('s'))", variables: { s: "canary" } },
  { of: "string(variables('s'))", variables: { s: "canary" } },
  { of: "replace(variables('s'), 'x', 'y')", variables: { s: "canary" } },
  { of: "substring(variables('s'), 0, 6)", variables: { s: "canary" } },
  { of: "padLeft(variables('s'), 10)", variables: { s: "canary" } },
  { of: "coalesce(null(), variables('s'))", variables: { s: "canary" } },
  {
    of: "coalesce(parameters('n'), variables('s'))",
    variables: { s: "canary" },
    parameters: { n: { type: "string", nullable: true } },
  },
  { of: "if(parameters('on'), variables('s'), 'x')", variables: { s: "canary" }, parameters: on },
  { of: "if(equals(1, 2), variables('s'), 'x')", variables: { s: "canary" } },
  { of: "variables(concat('s', variables('k')))", variables: { s1: "canary", k: "1" } },
  {
    of: "variables(concat('s', parameters('k')))",
    variables: { s1: "canary", s2: "canary" },
    parameters: { k: { type: "string" } },
  },
  { of: "variables('through')", variables: { through: "[variables('s')]", s: "canary" } },
  { of: "parameters('plain')", parameters: { plain: { type: "string", defaultValue: "canary" } } },
  { of: "first(parameters('list'))", parameters: { list: { type: "array", defaultValue: list } } },
  { of: "parameters('o').a.b", parameters: { o: { type: "object", defaultValue: o } } },
  {
    of: "parameters('secure')",
    parameters: { secure: { type: "securestring", defaultValue: "canary" } },
  },
  {
    of: "parameters('secureO').a.b",
    parameters: { secureO: { type: "secureObject", defaultValue: o } },
  },
  {
    of: "parameters('sqlPassword')",
    parameters: { sqlPassword: { type: "string", defaultValue: "canary" } },
  },
  {
    of: "reference('made').outputs.it.value",
    resources: [
      nested("made", { resources: [], outputs: { it: { type: "string", value: "canary" } } }),
    ],
  },
  {
    of: "reference('made').outputs.it.value.x",
    resources: [
      nested(
        "made",
        {
          parameters: { given: { type: "object" } },
          resources: [],
          outputs: { it: { type: "object", value: "[parameters('given')]" } },
        },
        { given: { value: { x: "canary" } } },
      ),
    ],
  },
];

/** Places that make a value a secret. */
const sinks: readonly [string, (value: string) => Partial<Template>][] = [
  [
    "a password",
    (value) => ({
      resources: [
        { ...machine, name: "vm", location, properties: { osProfile: { adminPassword: value } } },
      ],
    }),
  ],
  [
    "protected settings",
    (value) => ({
      resources: [
        { ...extension, name: "vm/e", location, properties: { protectedSettings: { x: value } } },
      ],
    }),
  ],
  [
    "a setting of a site",
    (value) => ({
      resources: [
        {
          ...settings,
          name: "site",
          location,
          properties: { siteConfig: { appSettings: [{ name: "DB_PASSWORD", value }] } },
        },
      ],
    }),
  ],
  [
    "a member that a function makes",
    (value) => ({
      resources: [
        {
          ...machine,
          name: "vm",
          location,
          properties: { osProfile: `[createObject('adminPassword', ${value.slice(1, -1)})]` },
        },
      ],
    }),
  ],
  [
    "a member of a computed object",
    (value) => ({
      resources: [
        {
          ...machine,
          name: "vm",
          location,
          properties: {
            osProfile: `[toObject(createArray('adminPassword'), lambda('k', lambdaVariables('k')), lambda('k', ${value.slice(1, -1)}))]`,
          },
        },
      ],
    }),
  ],
  ["a secure output", (value) => ({ outputs: { it: { type: "securestring", value } } })],
  ["an output by its name", (value) => ({ outputs: { adminPassword: { type: "string", value } } })],
  [
    "a secure parameter of a nested template",
    (value) => ({
      resources: [
        nested(
          "inner",
          {
            parameters: { x: { type: "securestring" } },
            resources: [{ ...group, name: "b", location, tags: { x: "[parameters('x')]" } }],
          },
          { x: { value } },
        ),
      ],
    }),
  ],
  [
    "a parameter of a nested template by its name",
    (value) => ({
      resources: [
        nested(
          "inner",
          {
            parameters: { adminPassword: { type: "string" } },
            resources: [
              { ...group, name: "b", location, tags: { x: "[parameters('adminPassword')]" } },
            ],
          },
          { adminPassword: { value } },
        ),
      ],
    }),
  ],
  [
    "a password in a nested template",
    (value) => ({
      resources: [
        nested(
          "inner",
          {
            parameters: { x: { type: "string" } },
            variables: { y: "[parameters('x')]" },
            resources: [
              {
                ...machine,
                name: "vm",
                location,
                tags: { x: "[parameters('x')]" },
                properties: { osProfile: { adminPassword: "[variables('y')]" } },
              },
            ],
          },
          { x: { value } },
        ),
      ],
    }),
  ],
  [
    "an argument of a template that is missing",
    (value) => ({
      resources: [
        {
          type: "Microsoft.Resources/deployments",
          apiVersion: "2022-09-01",
          name: "missing",
          properties: {
            templateLink: { relativePath: "missing.json" },
            parameters: { adminPassword: { value } },
          },
        },
      ],
    }),
  ],
  [
    "a resource that is never made",
    (value) => ({
      resources: [
        { ...machine, name: "vm", condition: false, properties: { adminPassword: value } },
      ],
    }),
  ],
  [
    "a loop without turns",
    (value) => ({
      resources: [
        {
          ...machine,
          name: "vm",
          copy: { name: "none", count: 0 },
          properties: { adminPassword: value },
        },
      ],
    }),
  ],
  [
    "a resource that is left out",
    (value) => ({ resources: [{ name: "vm", properties: { adminPassword: value } }] }),
  ],
];

describe.each(sinks)("a literal in %s", (_, sink) => {
  it.each(partOf(carriers, 6).map((carrier) => [carrier.of, carrier] as const))(
    "is kept nowhere: %s",
    async (_of, { of, variables = {}, parameters = {}, resources = [] }) => {
      const value = `[${of}]`;
      const secret = sink(value);
      const whole = await kept({
        parameters,
        variables,
        resources: [
          ...resources,
          {
            ...group,
            name: "a",
            location,
            tags: {
              plain: value,
              part: `[concat('a-', ${of})]`,
              text: `[string(createObject('x', ${of}))]`,
            },
          },
          ...(secret.resources ?? []),
        ],
        outputs: { plain: { type: "string", value }, ...secret.outputs },
      });
      expect(whole).not.toMatch(/canary|Y2FuYXJ5/i);
    },
  );
});

/** Literals that are secrets where they stand. */
const literals: readonly [string, object][] = [
  ["a member of createObject", { x: "[createObject('password', 'canary')]" }],
  ["a pair of createObject", { x: "[createObject('name', 'DB_PASSWORD', 'value', 'canary')]" }],
  [
    "a member inside a secret one",
    { x: "[createObject('credentials', createObject('a', 'canary'))]" },
  ],
  ["a merged object", { x: "[union(createObject('a', 1), createObject('password', 'canary'))]" }],
  ["a table", { x: "[createObject('a', createObject('password', 'canary'))[parameters('key')]]" }],
  ["JSON", { x: `[json('{"password":"canary"}')]` }],
  ["JSON in JSON", { x: `[json('{"a":[{"password":["canary"]}]}')]` }],
  [
    "JSON with a part",
    { x: `[json(concat('{"k":"', parameters('key'), '","password":"canary"}'))]` },
  ],
  ["JSON in base64", { x: `[base64ToJson('${btoa('{"password":"canary"}')}')]` }],
  ["a command", { x: "[createArray('--password', 'canary')]" }],
  ["a command of two lists", { x: "[concat(createArray('--password'), createArray('canary'))]" }],
  [
    "a computed object",
    {
      x: "[toObject(createArray('password'), lambda('k', lambdaVariables('k')), lambda('k', 'canary'))]",
    },
  ],
  ["a mapped object", { x: "[mapValues(createObject('password', 1), lambda('v', 'canary'))]" }],
  ["a map of maps", { protectedSettings: { a: { b: "canary" } } }],
  ["a list of maps", { protectedSettings: [{ a: "canary" }] }],
  ["a choice", { password: "[if(parameters('on'), 'canary', 'canary')]" }],
  ["a joined text", { password: "[concat('canary', parameters('key'), 'canary')]" }],
  ["a format", { password: "[format('canary{0}', parameters('key'))]" }],
  ["a copy", { copy: [{ name: "passwords", count: 2, input: "canary" }] }],
  [
    "a copy over a parameter",
    { copy: [{ name: "x", count: "[parameters('n')]", input: { password: "canary" } }] },
  ],
  ["a pair", { list: [{ name: "DB_PASSWORD", value: "canary" }] }],
  ["a member of secrets", { secrets: [{ name: "x", value: "canary" }] }],
  ["a function of its own", { x: "[own.f('canary')]" }],
  ["a broken expression", { password: "[concat('canary']" }],
  ["a broken expression in a tag", { x: "[createObject('password', 'canary']" }],
  ["an unknown function", { x: "[unknown('password', createObject('password', 'canary')).a]" }],
  ["a value of the deployment", { x: "[guid(createObject('password', 'canary').password)]" }],
];

describe("a literal that is a secret where it stands", () => {
  const parameters = { key: { type: "string" }, n: { type: "int" }, ...on };
  const functions = [
    {
      namespace: "own",
      members: {
        f: {
          parameters: [{ name: "password", type: "string" }],
          output: { type: "string", value: "[concat('x', parameters('password'))]" },
        },
      },
    },
  ];
  it.each(literals)("is kept nowhere: %s", async (_, value) => {
    const whole = await kept({
      parameters,
      functions,
      variables: { value },
      resources: [
        { ...machine, name: "vm", location, properties: { osProfile: value }, tags: value },
        { ...group, name: "a", location, tags: "[variables('value')]" },
        nested(
          "inner",
          {
            parameters: { x: { type: "object" }, y: { type: "object", defaultValue: value } },
            resources: [
              { ...machine, name: "b", location, properties: "[parameters('x')]" },
              { ...machine, name: "c", location, properties: "[parameters('y')]" },
            ],
          },
          { x: { value } },
        ),
      ],
      outputs: { it: { type: "object", value } },
    });
    expect(whole).not.toMatch(/canary/i);
  });

  it("is kept nowhere as the value of an entry in a key vault", async () => {
    const entry = { type: "Microsoft.KeyVault/vaults/secrets", apiVersion: "2023-07-01" };
    const whole = await kept({
      variables: { v: "canary" },
      resources: [
        { ...entry, name: "vault/a", properties: { value: "canary" } },
        { ...entry, name: "vault/b", properties: { value: "[variables('v')]" } },
        { ...group, name: "a", location, tags: { v: "[variables('v')]" } },
      ],
    });
    expect(whole).not.toContain("canary");
  });

  it("is kept nowhere in secure outputs with other parts", async () => {
    const value = "[concat(parameters('key'), 'canary')]";
    const outputs = { it: { type: "secureString", value } };
    const whole = await kept({
      parameters,
      resources: [
        nested("inner", { parameters, resources: [], outputs }, { key: { value: "a" } }),
        { ...group, name: "a", location, tags: { v: "[reference('inner').outputs.it.value]" } },
      ],
      outputs,
    });
    expect(whole).not.toContain("canary");
  });

  it("is kept nowhere as the default of a nested parameter by its name", async () => {
    const whole = await kept({
      resources: [
        nested("inner", {
          parameters: {
            adminPassword: { type: "string", defaultValue: "canary" },
            credentials: { type: "secureObject", defaultValue: { a: ["canary"] } },
          },
          resources: [
            {
              ...group,
              name: "a",
              location,
              tags: {
                a: "[parameters('adminPassword')]",
                b: "[string(parameters('credentials'))]",
                c: "[parameters('credentials').a[0]]",
              },
            },
          ],
        }),
      ],
    });
    expect(whole).not.toContain("canary");
  });

  it("is hidden in a deployment whose name is computed, and in every copy of one", async () => {
    const inner = {
      parameters: { x: { type: "string" } },
      variables: { s: "canary" },
      resources: [
        {
          ...machine,
          name: "[parameters('x')]",
          location,
          tags: { s: "[variables('s')]" },
          properties: { osProfile: { adminPassword: "[variables('s')]" } },
        },
      ],
    };
    const whole = await kept({
      variables: { name: "d", count: 3 },
      resources: [
        nested("[variables('name')]", inner, { x: { value: "a" } }),
        {
          ...nested("[concat('copy', copyIndex())]", inner, {
            x: { value: "[concat('b', copyIndex())]" },
          }),
          copy: { name: "loop", count: "[variables('count')]" },
        },
      ],
    });
    expect(whole).not.toContain("canary");
    expect(whole).toContain("b2");
  });

  it("asks for the secret of another object as a secret", async () => {
    const tags = { a: "[reference('other')['keys']['password']]" };
    const whole = await kept({ resources: [{ ...group, name: "a", location, tags }] });
    expect(whole).toContain("uses a secret value");
  });
});
