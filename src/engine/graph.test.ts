import { expect, it } from "vitest";
import { dependenciesOf, findCycles, referencesIn, topologicalOrder } from "./graph.ts";
import { parseTemplate } from "./template/parse.ts";
import type { Template } from "./template/template.ts";

function parsed(source: string): Template {
  const { template, diagnostics } = parseTemplate(source);
  if (template === undefined) throw new Error(JSON.stringify(diagnostics));
  return template;
}

it("finds dependencies in properties, through variables and in dependsOn, in template order", () => {
  const template = parsed(`
config: { size: 1 }
variables:
  address: http://\${host}/
  host: { "fn::join": [".", ["\${net.id}", "\${size}"]] }
resources:
  app: { type: t:A, properties: { url: "\${address}", list: [{ db: "\${db.id}" }] } }
  net: { type: t:N }
  db: { type: t:D, options: { dependsOn: ["\${net}"] } }
`);
  expect(dependenciesOf(template)).toEqual(
    new Map([
      ["app", ["net", "db"]],
      ["net", []],
      ["db", ["net"]],
    ]),
  );
  expect(topologicalOrder(dependenciesOf(template))).toEqual(["net", "db", "app"]);
  expect(findCycles(template)).toEqual([]);
});

it("terminates when variables depend on one another", () => {
  const template = parsed(
    "{ variables: { a: '${b}', b: '${a}${r}' }, resources: { r: { type: t:R, properties: { x: '${a}' } } } }",
  );
  expect(dependenciesOf(template)).toEqual(new Map([["r", ["r"]]]));
});

it("reports the full path of a cycle, including variables", () => {
  const template = parsed(`
variables: { v: "\${b.id}" }
resources:
  free: { type: t:R, properties: { x: "\${a.id}" } }
  a: { type: t:R, properties: { x: "\${v}" } }
  b: { type: t:R, options: { dependsOn: ["\${c}"] } }
  c: { type: t:R, properties: { x: "\${a.id}" } }
`);
  expect(findCycles(template)).toEqual([["a", "v", "b", "c", "a"]]);
  expect(() => topologicalOrder(dependenciesOf(template))).toThrow(/cycle/);
});

it("finds each separate cycle and each self-reference", () => {
  const template = parsed(`
resources:
  a: { type: t:R, properties: { x: "\${b.id}" } }
  b: { type: t:R, properties: { x: "\${a.id}" } }
  c: { type: t:R, properties: { x: "\${c.id}" } }
  d: { type: t:R, options: { dependsOn: ["\${e}"] } }
  e: { type: t:R, options: { dependsOn: ["\${d}"] } }
`);
  expect(findCycles(template)).toEqual([
    ["a", "b", "a"],
    ["c", "c"],
    ["d", "e", "d"],
  ]);
});

it("reports one shortest cycle of overlapping cycles", () => {
  const template = parsed(`
resources:
  a: { type: t:R, options: { dependsOn: ["\${b}", "\${c}"] } }
  b: { type: t:R, options: { dependsOn: ["\${c}"] } }
  c: { type: t:R, options: { dependsOn: ["\${a}"] } }
`);
  expect(findCycles(template)).toEqual([["a", "c", "a"]]);
});

it("treats names such as __proto__ and constructor like any other", () => {
  const template = parsed(
    "{ resources: { constructor: { type: t:R }, __proto__: { type: t:R, properties: { x: '${constructor.id}', y: '${toString}' } } } }",
  );
  expect(dependenciesOf(template)).toEqual(
    new Map([
      ["constructor", []],
      ["__proto__", ["constructor"]],
    ]),
  );
});

it("orders a chain of 20,000 without recursion and otherwise keeps the given order", () => {
  const chain = new Map(
    Array.from({ length: 20_000 }, (_, i): [string, string[]] => [
      `r${i}`,
      i < 19_999 ? [`r${i + 1}`] : [],
    ]),
  );
  expect(topologicalOrder(chain)[0]).toBe("r19999");
  expect(
    topologicalOrder(
      new Map([
        ["b", []],
        ["a", ["gone"]],
        ["c", ["b"]],
      ]),
    ),
  ).toEqual(["b", "a", "c"]);
});

it("finds references in every kind of expression", () => {
  const { outputs } = parsed(
    "{ outputs: { o: { a: ['${x.y}', 'p${z}q', 5], b: { 'fn::toJSON': { c: '${w[0]}' } } } } }",
  );
  const expression = outputs["o"];
  expect(expression && referencesIn(expression).map(({ root }) => root)).toEqual(["x", "z", "w"]);
});
