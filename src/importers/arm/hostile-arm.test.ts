import { describe, expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";

const $schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";
const location = "westeurope";
const group = { type: "Microsoft.Network/networkSecurityGroups", apiVersion: "2023-09-01" };

async function read(template: object) {
  const text = JSON.stringify({ $schema, contentVersion: "1.0.0.0", ...template });
  const log = new ImportLog();
  const given = [{ path: "main.json", text }];
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
  it.each(texts)("is read: %s", async (_, value) => {
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
  it.each(variables)("is read: %s, from the first and from the last", async (_, made) => {
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
  });
});
