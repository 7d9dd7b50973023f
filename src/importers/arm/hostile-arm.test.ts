import { describe, expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { partOf } from "#test/support/depth.ts";
import { processorTime } from "#test/support/processor-time.ts";

const $schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";
const location = "westeurope";
const group = { type: "Microsoft.Network/networkSecurityGroups", apiVersion: "2023-09-01" };

async function read(template: object, linked: Readonly<Record<string, object>> = {}) {
  const log = new ImportLog();
  const given = Object.entries({ "main.json": template, ...linked }).map(([path, one]) => ({
    path,
    text: JSON.stringify({ $schema, contentVersion: "1.0.0.0", ...one }),
  }));
  const reading = await readImport(given, undefined, log, { adopt: false, assets: builtAssets });
  return { ...reading, warnings: log.warnings() };
}

const times = (count: number, text: (at: number) => string, separator = ", ") =>
  Array.from({ length: count }, (_, at) => text(at)).join(separator);

/** Variables, each of which reads the one before it. */
const chain = (count: number, first: unknown, next: (before: string, at: number) => unknown) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `v${at}`,
      at === 0 ? first : next(`variables('v${at - 1}')`, at),
    ]),
  );

function deep(levels: number, inner: unknown): unknown {
  let made = inner;
  for (let at = 0; at < levels; at += 1) made = [made];
  return made;
}

describe("an import with a hostile template of ARM", () => {
  const a = "parameters('a')";
  const texts: readonly [string, string][] = [
    ["a padding of a negative length", `[padLeft(${a}, -1)]`],
    ["a padding of half a sign", `[padLeft(${a}, 1.5)]`],
    ["a padding of a huge length", `[padLeft(${a}, 9999999999)]`],
    ["JSON of 20,000 brackets", `[json('${"[".repeat(20_000)}${"]".repeat(20_000)}')]`],
    [
      "JSON of 20,000 brackets in base64",
      `[base64ToJson('${btoa("[".repeat(20_000) + "]".repeat(20_000))}')]`,
    ],
    ["and of 6,000 conditions", `[and(${times(6_000, (at) => `equals(${a}, '${at}')`)})]`],
    ["or of 20,000 parameters", `[or(${times(20_000, () => a)})]`],
    ["coalesce of 20,000 parameters", `[coalesce(${times(20_000, () => a)})]`],
    ["20,000 delimiters", `[split(${a}, createArray(${times(20_000, (at) => `'${at}'`)}))]`],
    [
      "20,000 delimiters of a text",
      `[split('a', createArray(${times(20_000, (at) => `'${at}'`)}))]`,
    ],
    ["a delimiter of 100,000 signs", `[split('a', '${"b".repeat(100_000)}')]`],
    [
      "a replacement of 20,000,000,000 signs",
      `[replace('${"b".repeat(200_000)}', 'b', '${"c".repeat(100_000)}')]`,
    ],
    [
      "a text of 500,000,000 signs",
      `[join(map(range(0, 1000), lambda('x', 'a')), '${"b".repeat(500_000)}')]`,
    ],
    [
      "reduce of 1,000 levels",
      `[reduce(range(0, 1000), ${a}, lambda('x', 'y', createArray(lambdaVariables('x'))))]`,
    ],
    [
      "reduce of 1,000 calls",
      `[reduce(range(0, 1000), ${a}, lambda('x', 'y', if(equals(${a}, lambdaVariables('y')), 'z', lambdaVariables('x'))))]`,
    ],
    [
      "lambdas of 45 levels",
      `[${times(45, (at) => `map(${at === 0 ? a : `createArray(lambdaVariables('x${at - 1}'))`}, lambda('x${at}', `, "")}1${"))".repeat(45)}]`,
    ],
  ];
  it.each(partOf(texts, 6))("is read: %s", async (_, value) => {
    const { drafts } = await read({
      parameters: { a: { type: "string" } },
      variables: { v: value },
      resources: [
        { ...group, name: "a", location },
        { ...group, name: "b", location, tags: { v: value } },
        { ...group, name: "c", location, tags: { v: "[variables('v')]" }, condition: value },
      ],
      outputs: { v: { type: "string", value } },
    });
    expect(drafts[0]?.source).toContain("name: a");
  });

  const variables: readonly [string, object][] = [
    ["a list for each variable", chain(3_000, "[parameters('a')]", (v) => `[createArray(${v})]`)],
    ["a map for each variable", chain(3_000, "x", (v) => ({ a: `[${v}]` }))],
    ["90 levels for each variable", chain(200, "x", (v) => deep(90, `[${v}]`))],
    [
      "a condition for each variable",
      chain(3_000, "[parameters('a')]", (v) => `[if(parameters('a'), ${v}, 'x')]`),
    ],
    [
      "a computed name for each variable",
      chain(150, "x", (v, at) => deep(90, `[if(parameters('a'), ${v}, variables('v${at - 1}'))]`)),
    ],
  ];
  it.each(partOf(variables, 4))(
    "is read: %s, from the first and from the last",
    async (_, made) => {
      const last = `[variables('v${Object.keys(made).length - 1}')]`;
      for (const own of [made, Object.fromEntries(Object.entries(made).toReversed())]) {
        const { drafts } = await read({
          parameters: { a: { type: "string" } },
          variables: own,
          resources: [
            { ...group, name: "a", location },
            { ...group, name: "b", location, tags: { v: last }, condition: last },
          ],
          outputs: { v: { type: "string", value: last } },
        });
        expect(drafts[0]?.source).toContain("name: a");
      }
    },
  );
});

/** Milliseconds of processor time. A machine with shared cores takes twice as long. */
const MAX_MS = 3_000;

const inner = { expressionEvaluationOptions: { scope: "inner" } };

function deployment(name: string, template: object, more: object = {}) {
  const type = "Microsoft.Resources/deployments";
  const { parameters = {}, ...rest } = more as { parameters?: object };
  const properties = { ...inner, parameters, template };
  return { type, apiVersion: "2022-09-01", name, properties, ...rest };
}

const copy = (count: unknown, name = "loop") => ({ name, count });
const within = (levels: number, made: (below: object, level: number) => object, last: object) => {
  let at = last;
  for (let level = 0; level < levels; level += 1) at = made(at, level);
  return at;
};
const many = <T>(count: number, made: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => made(at));
const members = <T>(count: number, made: (at: number) => T, name = "m") =>
  Object.fromEntries(many(count, (at) => [`${name}${at}`, made(at)]));

describe("a hostile template of ARM", () => {
  const a = { a: { type: "string" } };
  const list = { list: { type: "array" } };
  const templates: readonly [string, () => object][] = [
    [
      "deployments without resources, in loops inside each other",
      () => ({
        resources: [
          within(
            6,
            (below, level) =>
              deployment(
                `[concat('d${level}-', copyIndex())]`,
                { resources: [below] },
                { copy: copy(10) },
              ),
            deployment("last", { variables: members(500, () => "x"), resources: [] }),
          ),
        ],
      }),
    ],
    [
      "a linked template with many variables in loops inside each other",
      () => ({
        resources: [
          within(
            3,
            (below, level) =>
              deployment(
                `[concat('d${level}-', copyIndex())]`,
                { resources: [below] },
                { copy: copy(10) },
              ),
            {
              type: "Microsoft.Resources/deployments",
              name: "last",
              properties: { templateLink: { relativePath: "linked.json" } },
            },
          ),
        ],
      }),
    ],
    [
      "copies of a property in copies of a property",
      () => ({
        resources: [
          {
            ...group,
            name: "b",
            properties: within(4, (input) => ({ copy: [{ ...copy(500, "x"), input }] }), { a: 1 }),
          },
        ],
      }),
    ],
    [
      "copies of a variable in copies of a variable",
      () => ({
        variables: {
          copy: [
            {
              ...copy(500, "v"),
              input: within(3, (input) => ({ copy: [{ ...copy(500, "x"), input }] }), { a: 1 }),
            },
          ],
        },
        resources: [{ ...group, name: "b", tags: { a: "[length(variables('v'))]" } }],
      }),
    ],
    [
      "loops in loops over many resources",
      () => ({
        resources: [
          within(
            5,
            (below, level) => ({
              ...group,
              name: `[concat('n${level}-', copyIndex())]`,
              copy: copy(10, `l${level}`),
              resources: [below, ...many(200, (at) => ({ type: "x", name: `r${at}` }))],
            }),
            { type: "x", name: "last" },
          ),
        ],
      }),
    ],
    [
      "members of a large object",
      () => ({
        variables: { v: members(20_000, (at) => at) },
        outputs: members(10_000, (at) => ({
          type: "int",
          value: `[variables('v').M${19_999 - at}]`,
        })),
        resources: [],
      }),
    ],
    [
      "parts of a large table",
      () => ({
        parameters: a,
        variables: { v: members(1_500, () => ({ a: { b: { c: { d: 1 } } } })) },
        outputs: members(8_000, (at) => ({
          type: "int",
          value: `[variables('v')[parameters('a')].?x${at}.?b.?c.?d]`,
        })),
        resources: [],
      }),
    ],
    [
      "a large table in each resource",
      () => ({
        parameters: a,
        variables: { v: members(900, () => ({ a: 1, b: 2 })) },
        resources: many(5_000, (at) => ({
          ...group,
          name: `g${at}`,
          tags: {
            a: "[variables('v')[parameters('a')].a]",
            b: "[variables('v')[parameters('a')].b]",
          },
        })),
      }),
    ],
    [
      "conditions of many resources inside each other",
      () => ({
        parameters: a,
        resources: [
          {
            ...group,
            name: "x",
            condition: `[and(${times(40, (n) => `and(${times(60, (at) => `equals(parameters('a'), '${n}.${at}')`)})`)})]`,
            resources: many(15_000, (at) => ({ type: "x", name: `r${at}` })),
          },
        ],
      }),
    ],
    [
      "conditions at each of many levels",
      () => ({
        parameters: a,
        resources: [
          within(
            40,
            (below, level) => ({
              type: "x",
              name: `n${level}`,
              condition: `[equals(parameters('a'), '${level}')]`,
              resources: [
                below,
                ...many(200, (at) => ({
                  type: "y",
                  name: `r${at}`,
                  condition: `[equals(parameters('a'), 'r${at}')]`,
                })),
              ],
            }),
            { type: "x", name: "last" },
          ),
        ].map((one) => ({ ...one, ...group })),
      }),
    ],
    [
      "conditions of loops that the deployment counts",
      () => ({
        parameters: list,
        resources: [
          {
            ...group,
            name: "[concat('x', copyIndex())]",
            copy: copy("[length(parameters('list'))]"),
            condition: `[and(${times(90, (at) => `equals(parameters('list')[copyIndex()], '${at}')`)})]`,
            resources: many(8_000, (at) => ({
              type: "x",
              name: `[concat('r${at}', copyIndex())]`,
            })),
          },
        ],
      }),
    ],
    [
      "variables by computed names",
      () => ({
        parameters: a,
        variables: members(8_000, (at) => at, "v"),
        outputs: members(8_000, (at) => ({
          type: "int",
          value: `[variables(concat('v${at}', parameters('a')))]`,
        })),
        resources: [],
      }),
    ],
    [
      "references that double from one variable to the next",
      () => ({
        parameters: a,
        variables: chain(60, "[parameters('a')]", (v) => `[unknown(${v}, ${v}).x]`),
        outputs: { a: { type: "string", value: "[variables('v59')]" } },
        resources: [],
      }),
    ],
    [
      "calls inside each other on many references",
      () => ({
        parameters: members(100, () => ({ type: "string" })),
        outputs: {
          a: {
            type: "string",
            value: `[${"unknown(".repeat(90)}createArray(${times(15_000, (at) => `parameters('m${at % 100}')`)})${").x".repeat(90)}]`,
          },
        },
        resources: [],
      }),
    ],
    [
      "dependencies of a deployment with many resources",
      () => ({
        resources: [
          ...many(3_000, (at) => ({ ...group, name: `g${at}` })),
          deployment(
            "d",
            { resources: many(3_000, (at) => ({ ...group, name: `in${at}` })) },
            { dependsOn: many(3_000, (at) => `g${at}`) },
          ),
        ],
      }),
    ],
    [
      "searches in a large list",
      () => ({
        parameters: a,
        variables: { v: many(4_000, (at) => ({ a: at })) },
        outputs: {
          a: {
            type: "array",
            value:
              "[map(range(0, 1000), lambda('x', contains(variables('v'), createObject('a', lambdaVariables('x')))))]",
          },
          b: {
            type: "array",
            value:
              "[map(range(0, 1000), lambda('x', union(variables('v'), createArray(lambdaVariables('x')))))]",
          },
          c: {
            type: "array",
            value:
              "[map(range(0, 1000), lambda('x', intersection(variables('v'), variables('v'), variables('v'))))]",
          },
          d: {
            type: "array",
            value:
              "[map(range(0, 1000), lambda('x', indexOf(variables('v'), lambdaVariables('x'))))]",
          },
        },
        resources: [],
      }),
    ],
    [
      "long texts of a lambda",
      () => ({
        variables: { v: "x".repeat(90_000) },
        outputs: {
          a: {
            type: "array",
            value:
              "[map(range(0, 1000), lambda('x', concat(variables('v'), string(lambdaVariables('x')))))]",
          },
          b: {
            type: "string",
            value: `[string(createArray(${times(5_000, () => "variables('v')")}))]`,
          },
        },
        resources: [],
      }),
    ],
    [
      "lambdas inside each other",
      () => ({
        outputs: {
          a: {
            type: "array",
            value:
              "[map(range(0, 1000), lambda('x', map(range(0, 1000), lambda('y', map(range(0, 1000), lambda('z', add(lambdaVariables('x'), lambdaVariables('y'))))))))]",
          },
          b: {
            type: "array",
            value:
              "[reduce(range(0, 1000), createArray('a'), lambda('x', 'y', concat(lambdaVariables('x'), lambdaVariables('x'))))]",
          },
        },
        resources: [],
      }),
    ],
    [
      "a large function in a lambda",
      () => ({
        functions: [
          {
            namespace: "own",
            members: {
              f: { parameters: [], output: { type: "array", value: many(20_000, () => "x") } },
            },
          },
        ],
        outputs: { a: { type: "array", value: "[map(range(0, 1000), lambda('x', own.f()))]" } },
        resources: [],
      }),
    ],
    [
      "outputs of a nested template in other cases",
      () => ({
        resources: [
          deployment("d", {
            resources: [],
            outputs: members(6_000, () => ({ type: "string", value: "x" }), "Out"),
          }),
        ],
        outputs: members(6_000, (at) => ({
          type: "string",
          value: `[reference('d').outputs.oUT${at}.value]`,
        })),
      }),
    ],
    [
      "names of other loops around a lambda",
      () => ({
        parameters: list,
        variables: { v: many(900, () => "[parameters('list')]") },
        outputs: {
          a: {
            type: "array",
            value:
              "[map(range(0, 1000), lambda('x', map(createArray(variables('v')), lambda('y', map(parameters('list'), lambda('z', lambdaVariables('y')))))))]",
          },
        },
        resources: [],
      }),
    ],
  ];
  it.each(partOf(templates, 12))("is read in the time of an import: %s", async (_, made) => {
    const template = made() as { resources: object[] };
    await read({ resources: [{ ...group, name: "a", location }] });
    const spentMs = processorTime();
    const { drafts } = await read(
      { ...template, resources: [{ ...group, name: "a", location }, ...template.resources] },
      { "linked.json": { variables: members(20_000, () => "x"), resources: [] } },
    );
    expect(spentMs()).toBeLessThan(MAX_MS);
    expect(drafts[0]?.source).toContain("name: a");
  });
});
