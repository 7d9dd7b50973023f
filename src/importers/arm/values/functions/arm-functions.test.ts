import { expect, it } from "vitest";
import { armParser } from "#importers/arm/arm.ts";
import { plainValue } from "#importers/evaluate/plain-value.ts";
import type { Expression } from "#importers/expression.ts";
import { ImportLog } from "#importers/import-log.ts";
import { parsedBy } from "#test/support/parsed-by.ts";

const $schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#";

/** The values of outputs, with parameters that only the deployment gives. */
function valuesOf(written: readonly string[]): (Expression | undefined)[] {
  const template = {
    $schema,
    contentVersion: "1.0.0.0",
    parameters: {
      text: { type: "string" },
      number: { type: "int" },
      flag: { type: "bool" },
      list: { type: "array" },
      map: { type: "object" },
      tags: { type: "object" },
      maybe: { type: "string", nullable: true },
    },
    variables: {
      o: { b: 2, A: { x: 1 } },
      sizes: { dev: { size: "s", count: 1 }, prod: { size: "l", count: 3 } },
      copy: [{ name: "made", count: 3, input: { lun: "[copyIndex('made', 1)]" } }],
    },
    functions: [
      {
        namespace: "contoso",
        members: {
          unique: {
            parameters: [
              { name: "prefix", type: "string" },
              { name: "n", type: "int" },
            ],
            output: {
              type: "string",
              value: "[concat(toLower(parameters('Prefix')), '-', parameters('n'))]",
            },
          },
          twice: {
            parameters: [{ name: "one", type: "string" }],
            output: {
              type: "object",
              value: {
                a: "[contoso.unique(parameters('one'), 1)]",
                b: "[contoso.unique(parameters('one'), 2)]",
              },
            },
          },
        },
      },
    ],
    resources: [],
    outputs: Object.fromEntries(
      written.map((value, at) => [`o${at}`, { type: "string", value: `[${value}]` }]),
    ),
  };
  const file = { path: "main.json", text: JSON.stringify(template) };
  const { modules } = parsedBy(armParser, [file], new ImportLog());
  return written.map((_, at) => modules[0]?.outputs.find(({ name }) => name === `o${at}`)?.value);
}

const computed: readonly [string, unknown][] = [
  ["array('a')", ["a"]],
  ["array(createArray(1))", [1]],
  ["concat(createArray(1), createArray('a'))", [1, "a"]],
  ["concat('vm', 1, '-', true())", "vm1-True"],
  ["contains('OneTwo', 'e')", true],
  ["contains('OneTwo', 'o')", true],
  ["contains('OneTwo', 'E')", false],
  ["contains(variables('o'), 'a')", true],
  ["contains(createArray('a', 2), 2)", true],
  ["contains(createArray('a'), 'A')", false],
  ["createObject('a', 1, 'b', createArray())", { a: 1, b: [] }],
  ["indexFromEnd(createArray('a', 'b'), 2)", "a"],
  ["tryIndexFromEnd(createArray('a', 'b'), 3)", null],
  ["parseCidr('10.144.0.0/20').lastUsable", "10.144.15.254"],
  ["parseCidr('10.144.0.9/20').network", "10.144.0.0"],
  ["empty('')", true],
  ["empty(createArray())", true],
  ["empty(variables('o'))", false],
  ["empty(null())", true],
  ["first(createArray('a', 'b'))", "a"],
  ["first('abc')", "a"],
  ["last(createArray('a', 'b'))", "b"],
  ["last('abc')", "c"],
  ["flatten(createArray(createArray(1), createArray(2, 3)))", [1, 2, 3]],
  ["indexOf('Test', 'S')", 2],
  ["indexOf('abc', 'z')", -1],
  ["lastIndexOf('testTest', 't')", 7],
  ["indexOf(createArray('a', 'b'), 'b')", 1],
  ["intersection(createArray(1, 2, 3), createArray(3, 1))", [1, 3]],
  ["intersection(createObject('a', 1, 'b', 2), createObject('A', 1, 'b', 3))", { a: 1 }],
  [
    "items(createObject('b', 2, 'a', 1))",
    [
      { key: "a", value: 1 },
      { key: "b", value: 2 },
    ],
  ],
  ["objectKeys(variables('o'))", ["b", "A"]],
  ["length('abc')", 3],
  ["length(createArray(1, 2))", 2],
  ["length(variables('o'))", 2],
  ["max(0, 3, 2)", 3],
  ["min(createArray(4, 1, 2))", 1],
  ["range(5, 3)", [5, 6, 7]],
  ["skip(createArray(1, 2, 3), 2)", [3]],
  ["skip('abc', 9)", ""],
  ["take('abc', 2)", "ab"],
  ["take(createArray(1), -1)", []],
  ["union(createArray(1, 2), createArray(2, 3))", [1, 2, 3]],
  [
    "union(createObject('a', createObject('x', 1), 'b', 1), createObject('A', createObject('y', 2)))",
    { a: { x: 1, y: 2 }, b: 1 },
  ],
  [
    "shallowMerge(createArray(createObject('a', createObject('x', 1)), createObject('a', 2)))",
    { a: 2 },
  ],
  ["tryGet(variables('o'), 'nothing')", null],
  ["tryGet(variables('o'), 'a', 'x')", 1],
  ["variables('o').?nothing.?more", null],
  ["variables('o')[?'a'].X", 1],
  ["coalesce(null(), variables('o').?c, 'x', 'y')", "x"],
  ["coalesce('', 'x')", ""],
  ["equals('a', 'A')", false],
  ["equals(variables('o'), createObject('a', createObject('x', 1), 'b', 2))", true],
  ["equals(1, '1')", false],
  ["less(1, 2)", true],
  ["greaterOrEquals(2, 2)", true],
  ["and(true(), false(), parameters('flag'))", false],
  ["or(parameters('flag'), true())", true],
  ["not(bool('False'))", true],
  ["if(equals(variables('sizes').dev.count, 1), 'one', 'many')", "one"],
  ["add(7, -2)", 5],
  ["sub(7, 9)", -2],
  ["mul(3, 4)", 12],
  ["div(-7, 2)", -3],
  ["mod(7, 3)", 1],
  ["int('4')", 4],
  ["float('2.5')", 2.5],
  ["base64('hi')", "aGk="],
  ["base64ToString('aGk=')", "hi"],
  ["base64ToJson('eyJhIjoxfQ==').a", 1],
  ["dataUri('Hello')", "data:text/plain;charset=utf8;base64,SGVsbG8="],
  ["dataUriToString('data:;base64,SGVsbG8sIFdvcmxkIQ==')", "Hello, World!"],
  ["startsWith('abcDef', 'AB')", true],
  ["endsWith('abcDef', 'eF')", true],
  ["format('{0}/{1:D3}{{{2}}}', 'a', 7, true())", "a/007{True}"],
  ["join(createArray('a', 2), ';')", "a;2"],
  ["split('a,b;c', createArray(',', ';'))", ["a", "b", "c"]],
  ["split('a,b', ',')[1]", "b"],
  ["SPLIT('a,b', ',')[0]", "a"],
  ["json('{\"a\": [1, null]}').a", [1, null]],
  ["json('null')", null],
  ["padLeft(12, 5, '0')", "00012"],
  ["padLeft('a', 3)", "  a"],
  ["replace('a.b.c', '.', '$&')", "a$&b$&c"],
  ["string(createObject('b', 1, 'a', createArray('x')))", '{"b":1,"a":["x"]}'],
  ["string(12)", "12"],
  ["string(false())", "False"],
  ["substring('abcdef', 1, 2)", "bc"],
  ["substring('abc', 1)", "bc"],
  ["toLower('ABC')", "abc"],
  ["toUpper('abc')", "ABC"],
  ["trim(' a ')", "a"],
  ["uri('https://a.example/x/y', 'z.json')", "https://a.example/x/z.json"],
  ["uri('https://a.example', 'z')", "https://a.example/z"],
  ["uriComponent('https://a/b c!')", "https%3A%2F%2Fa%2Fb%20c%21"],
  ["uriComponentToString('a%20b')", "a b"],
  ["cidrSubnet('10.0.0.0/16', 24, 2)", "10.0.2.0/24"],
  ["cidrHost('10.1.0.0/24', 0)", "10.1.0.1"],
  ["dateTimeFromEpoch(1683040573)", "2023-05-02T15:16:13Z"],
  ["dateTimeToEpoch('2023-05-02T15:16:13Z')", 1683040573],
  ["filter(range(0, 5), lambda('x', less(lambdaVariables('x'), 2)))", [0, 1]],
  ["map(createArray('a', 'b'), lambda('x', toUpper(lambdaVariables('X'))))", ["A", "B"]],
  [
    "map(createArray('a'), lambda('x', 'i', format('{0}{1}', lambdaVariables('x'), lambdaVariables('i'))))",
    ["a0"],
  ],
  ["mapValues(createObject('a', 1), lambda('v', add(lambdaVariables('v'), 1)))", { a: 2 }],
  [
    "reduce(range(1, 4), 0, lambda('sum', 'x', add(lambdaVariables('sum'), lambdaVariables('x'))))",
    10,
  ],
  [
    "sort(createArray(3, 1, 2), lambda('a', 'b', less(lambdaVariables('a'), lambdaVariables('b'))))",
    [1, 2, 3],
  ],
  [
    "toObject(createArray('a', 'b'), lambda('x', lambdaVariables('x')), lambda('x', 1))",
    { a: 1, b: 1 },
  ],
  [
    "groupBy(createArray('aa', 'b', 'ac'), lambda('x', first(lambdaVariables('x'))))",
    { a: ["aa", "ac"], b: ["b"] },
  ],
  ["variables('made')[2].lun", 3],
  ["contoso.unique('X', 3)", "x-3"],
  ["Contoso.Twice('X').b", "x-2"],
];

it("computes ARM's functions of known values", () => {
  const values = valuesOf(computed.map(([written]) => written));
  const made = computed.map(([written], at) => {
    const value = values[at];
    return [written, value && plainValue(value)];
  });
  expect(made).toEqual(computed);
});

const ref = (name: string, ...path: (string | number)[]) => ({
  kind: "reference",
  target: { kind: "variable", name },
  path,
});
const called = (name: string, ...args: unknown[]) => ({ kind: "call", name, args });
const literal = (value: unknown) => ({ kind: "literal", value });

it.for<readonly [string, object]>([
  ["toLower(parameters('text'))", called("lower", ref("text"))],
  [
    "startsWith(parameters('text'), 'AB')",
    called("startswith", called("lower", ref("text")), literal("ab")),
  ],
  ["split(parameters('text'), ',')", called("split", literal(","), ref("text"))],
  ["join(parameters('list'), ',')", called("join", literal(","), ref("list"))],
  ["equals(parameters('text'), 'A')", called("==", ref("text"), literal("A"))],
  ["not(equals(parameters('text'), 'A'))", called("!", called("==", ref("text"), literal("A")))],
  ["empty(parameters('text'))", called("==", ref("text"), literal(""))],
  ["empty(parameters('list'))", called("==", called("length", ref("list")), literal(0))],
  ["empty(concat('a', parameters('text')))", literal(false)],
  ["if(parameters('flag'), 'a', 'a')", literal("a")],
  ["if(parameters('flag'), true(), false())", ref("flag")],
  [
    "if(parameters('flag'), variables('sizes').dev, variables('sizes').prod).size",
    called("?:", ref("flag"), literal("s"), literal("l")),
  ],
  [
    "variables('sizes')[parameters('text')].size",
    called(
      "[]",
      {
        kind: "object",
        members: [
          { name: "dev", value: literal("s") },
          { name: "prod", value: literal("l") },
        ],
      },
      ref("text"),
    ),
  ],
  ["div(parameters('number'), 2)", called("arm:div", ref("number"), literal(2))],
  ["contains(parameters('list'), 'a')", called("contains", ref("list"), literal("a"))],
  ["contains(parameters('text'), 'a')", called("arm:contains", ref("text"), literal("a"))],
  ["contains(parameters('map'), 'A')", called("arm:hasKey", ref("map"), literal("a"))],
  ["string(parameters('flag'))", called("?:", ref("flag"), literal("True"), literal("False"))],
  ["string(parameters('map'))", called("jsonencode", ref("map"))],
  [
    "concat(parameters('list'), createArray('a'))",
    called("concat", ref("list"), { kind: "list", items: [literal("a")] }),
  ],
  [
    "concat(parameters('text'), '-', parameters('number'))",
    { kind: "text", parts: [ref("text"), literal("-"), ref("number")] },
  ],
  [
    "union(parameters('tags'), createObject('a', 'b'))",
    called("merge", ref("tags"), { kind: "object", members: [{ name: "a", value: literal("b") }] }),
  ],
  ["union(parameters('map'), parameters('tags'))", called("merge", ref("map"), ref("tags"))],
  ["tryGet(parameters('map'), 'a')", called("arm:tryGet", ref("map"), literal("a"))],
  ["coalesce(parameters('maybe'), 'x')", called("arm:coalesce", ref("maybe"), literal("x"))],
  ["range(1, parameters('number'))", { kind: "for", of: called("range", ref("number")) }],
  [
    "map(parameters('list'), lambda('x', lambdaVariables('x').name))",
    {
      kind: "for",
      names: ["x"],
      of: ref("list"),
      value: { target: { kind: "item", name: "x" }, path: ["name"] },
    },
  ],
  [
    "toObject(parameters('list'), lambda('x', lambdaVariables('x').name))",
    {
      kind: "for",
      key: { target: { kind: "item" }, path: ["name"] },
      value: { target: { kind: "item" } },
    },
  ],
  ["resourceGroup().location", called("pseudo", literal("resourceGroup.location"))],
  [
    "uniqueString(resourceGroup().id, 'x')",
    called("pseudo", literal("uniqueString resourceGroup id")),
  ],
  [
    "environment().suffixes.storage",
    called("pseudo", literal("environment suffixes storage"), literal("core.windows.net")),
  ],
  [
    "resourceId('other', 'A.B/c/d', 'x', 'y')",
    {
      kind: "text",
      parts: [
        literal("/subscriptions/"),
        called("pseudo", literal("subscription.subscriptionId")),
        literal("/resourceGroups/other/providers/A.B/c/x/d/y"),
      ],
    },
  ],
  ["tenantResourceId('A.B/c', 'x')", literal("/providers/A.B/c/x")],
  ["extensionResourceId('/x', 'A.B/c', 'y')", literal("/x/providers/A.B/c/y")],
  [
    "subscriptionResourceId('A.B/c', parameters('text'))",
    { kind: "text", parts: [{}, {}, literal("/providers/A.B/c/"), ref("text")] },
  ],
  [
    "listKeys('/x', '1').keys[0].value",
    called("pseudo", literal("listKeys keys 0 value"), literal(null), literal(true)),
  ],
  // Each of these is a gap with its name: our language has no form with the same value.
  [
    "sort(parameters('list'), lambda('a', 'b', less(lambdaVariables('a'), lambdaVariables('b'))))",
    called("ARM sort"),
  ],
  ["less(parameters('text'), 'b')", called("ARM less")],
  [
    "union(parameters('map'), createObject('a', createObject()), parameters('map'))",
    called("ARM union"),
  ],
  ["pickZones('A.B', 'c', 'd')", called("ARM pickZones")],
  ["unknown(parameters('text'))", called("ARM unknown")],
])("keeps %s in the common vocabulary", ([written, expected]) => {
  const shape = expected as { name?: string; args?: unknown[] };
  const [made] = valuesOf([written]);
  if (shape.name?.startsWith("ARM ") === true)
    expect(made).toMatchObject({ kind: "call", name: shape.name });
  else expect(made).toMatchObject(expected);
});

it("does not compute without end", () => {
  const doubled = "lambda('a', 'b', createArray(lambdaVariables('a'), lambdaVariables('a')))";
  const made = valuesOf([
    `reduce(range(0, 900), 'x', ${doubled})`,
    `length(string(${"concat(".repeat(90)}'x'${", 'y')".repeat(90)}))`,
  ]);
  expect(JSON.stringify(made).length).toBeLessThan(100_000);
});

it.each([
  ["a list that is too long to merge", "union(range(0, 999), createArray(0))", "ARM union"],
  ["a text that is too long to encode", `dataUri('${"x".repeat(100_001)}')`, "ARM dataUri"],
  ["a text that is too long for base64", `base64('${"x".repeat(100_001)}')`, "ARM base64"],
])("gives no part of a result: %s", (_, written, name) => {
  expect(valuesOf([written])).toMatchObject([{ kind: "call", name }]);
});
