/** Random templates: they round-trip through printing, and their values do not depend on order. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { Unknown, unknown, type Value } from "#engine/value.ts";
import type { Json } from "#platform/json.ts";
import { checkTemplate, type TemplateCatalog } from "./check.ts";
import { builtIns } from "./expressions.ts";
import { parseTemplate } from "./parse.ts";
import { formatReference } from "./references.ts";
import { ResolveError } from "./resolve-error.ts";
import { createResolver } from "./resolve.ts";
import { isFormula } from "./string-parts.ts";
import type { BuiltIn, Expression, Template } from "./template.ts";

/** An expression without places. */
type Model =
  | { kind: "literal"; value: null | boolean | number | string }
  | { kind: "list"; items: Model[] }
  | { kind: "map"; entries: [string, Model][] }
  | { kind: "reference"; root: string; path: (string | number)[] }
  | { kind: "interpolation"; parts: (string | { root: string; path: (string | number)[] })[] }
  | { kind: "call"; fn: BuiltIn; argument: Model };

const text = fc.string({
  unit: fc.constantFrom(...Array.from("ab${}$\"'\\: #-\n\té😀|>&*!%@`[],0")),
});
const key = fc.oneof(
  text.filter((name) => !/^fn::/i.test(name)),
  fc.constantFrom("__proto__", "constructor", "1", "true", "~", "null"),
);
const path = fc.array(fc.oneof(fc.nat(99), text), { maxLength: 3 });
const roots = ["c0", "c1", "v0", "v1", "r0", "r1", "control"];
const reference = fc.record({ root: fc.constantFrom(...roots), path });
const scalar = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
);

const { expression } = fc.letrec<{ expression: Model }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    scalar.map((value): Model => ({ kind: "literal", value })),
    reference.map((given): Model => ({ kind: "reference", ...given })),
    fc.tuple(text, reference, text).map(([before, given, after]): Model => {
      const parts = [before, given, after].filter((part) => part !== "");
      return parts.length === 1
        ? { kind: "reference", ...given }
        : { kind: "interpolation", parts };
    }),
    fc.array(tie("expression"), { maxLength: 4 }).map((items): Model => ({ kind: "list", items })),
    fc
      .uniqueArray(fc.tuple(key, tie("expression")), { maxLength: 4, selector: ([name]) => name })
      .map((entries): Model => ({ kind: "map", entries })),
    fc
      .tuple(fc.constantFrom(...builtIns), tie("expression"))
      .map(([fn, argument]): Model => ({ kind: "call", fn, argument })),
  ),
}));

const escaped = (literal: string) => literal.replaceAll("${", () => "$${");

/**
 * Template syntax for an expression. A string that ends in `$` before `${` cannot be written: it would be an escape.
 */
function printed(model: Model): Json {
  switch (model.kind) {
    case "literal":
      return typeof model.value === "string" ? escaped(model.value) : model.value;
    case "list":
      return model.items.map(printed);
    case "map":
      return Object.fromEntries(
        model.entries.map(([name, item]) => [escaped(name), printed(item)]),
      );
    case "reference":
      return formatReference(model.root, model.path);
    case "interpolation":
      return model.parts
        .map((part) =>
          typeof part === "string"
            ? escaped(part.replace(/\$+$/, ""))
            : formatReference(part.root, part.path),
        )
        .join("");
    case "call":
      return { [`fn::${model.fn}`]: printed(model.argument) };
  }
}

function modelOf(read: Expression): Model {
  switch (read.kind) {
    case "literal":
      return { kind: "literal", value: read.value };
    case "list":
      return { kind: "list", items: read.items.map(modelOf) };
    case "map":
      return {
        kind: "map",
        entries: Object.entries(read.entries).map(([name, item]) => [name, modelOf(item)]),
      };
    case "reference":
      return { kind: "reference", root: read.reference.root, path: read.reference.path };
    case "interpolation":
      return {
        kind: "interpolation",
        parts: read.parts.map((part) => {
          if (isFormula(part)) throw new Error("The model prints no formulas");
          return typeof part === "string" ? part : { root: part.root, path: part.path };
        }),
      };
    case "formula":
      throw new Error("The model prints no formulas");
    case "call":
      return { kind: "call", fn: read.fn, argument: modelOf(read.argument) };
  }
}

const program = fc.record({
  variables: fc.record({ v0: expression, v1: expression }),
  properties: fc.record({ p: expression, q: expression }),
  outputs: fc.record({ o: expression, "p q": expression }),
});

function sourceOf(given: { variables: object; properties: object; outputs: object }): Json {
  const all = (models: object) =>
    Object.fromEntries(Object.entries(models).map(([name, model]) => [name, printed(model)]));
  return {
    config: { c0: 1, c1: { type: "string", secret: true } },
    variables: all(given.variables),
    resources: {
      r0: { type: "t:R", properties: all(given.properties) },
      r1: { type: "t:S", options: { dependsOn: ["${r0}"] } },
    },
    outputs: all(given.outputs),
  };
}

const readBack = (source: string): Template => {
  const { template, diagnostics } = parseTemplate(source);
  if (template === undefined) throw new Error(`${JSON.stringify(diagnostics)}\n${source}`);
  return template;
};

it("parses printed templates, as JSON and as any style of YAML", () => {
  fc.assert(
    fc.property(program, fc.constantFrom("json", "block", "flow", "quoted"), (given, style) => {
      const json = sourceOf(given);
      const source =
        style === "json"
          ? JSON.stringify(json)
          : stringify(json, {
              collectionStyle: style === "flow" ? "flow" : "any",
              ...(style === "quoted" ? { defaultStringType: "QUOTE_DOUBLE" } : {}),
              aliasDuplicateObjects: false,
              // The library's folded strings lose line breaks, and its quoted multi-line strings lose blanks.
              lineWidth: 0,
              doubleQuotedMinMultiLineLength: 1_000_000,
              // A multi-line string in a flow collection may be parsed as a key.
              ...(style === "flow" ? { defaultStringType: "QUOTE_DOUBLE" as const } : {}),
            });
      // The library does not print every string of blanks and line breaks so that it can read it itself.
      fc.pre(JSON.stringify(parse(source)) === JSON.stringify(json));
      const { variables, resources, outputs } = readBack(source);
      const sections = [
        [given.variables, variables],
        [given.properties, resources["r0"]?.properties ?? {}],
        [given.outputs, outputs],
      ] as const;
      for (const [models, expressions] of sections)
        for (const [name, model] of Object.entries(models))
          // Compared as printed: printing drops parts that neither side can write.
          expect(expressions[name] && printed(modelOf(expressions[name]))).toEqual(printed(model));
    }),
    { numRuns: 300 },
  );
});

const catalog: TemplateCatalog = {
  facts: () => ({ immutable: [], writeOnly: ["p"], required: ["p"], deleteBeforeReplace: false }),
  types: () => ["t:R", "t:S"],
  openProviders: new Set(),
};

it("checks any template without throwing and with the same result each time", () => {
  fc.assert(
    fc.property(program, (given) => {
      const template = readBack(JSON.stringify(sourceOf(given)));
      expect(checkTemplate(template, catalog)).toEqual(checkTemplate(template, catalog));
    }),
    { numRuns: 200 },
  );
});

const control = {
  instance: { id: "i", name: "n" },
  tenant: { id: "t", slug: "s" },
  target: { name: "g", region: "r", environment: "e" },
};
const givenValues: { [name: string]: Value } = { c0: [1, { a: "x" }], c1: "text" };
const outputsOf = (name: string): Value =>
  name === "r0" ? { id: "r-0", a: [1, "b"], b: unknown } : unknown;

function attempt(compute: () => unknown): unknown {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error;
    return [error.code, error.message];
  }
}

function backwards<T>(section: { [name: string]: T }): { [name: string]: T } {
  return Object.fromEntries(Object.entries(section).toReversed());
}

it("computes the same values in any order of declaration and evaluation", () => {
  let known = 0;
  fc.assert(
    fc.property(program, (given) => {
      const template = readBack(JSON.stringify(sourceOf(given)));
      const scope = { config: givenValues, control, outputsOf };
      const one = createResolver(template, scope);
      const other = createResolver(
        {
          ...template,
          config: backwards(template.config),
          variables: backwards(template.variables),
          resources: backwards(template.resources),
          outputs: template.outputs,
        },
        scope,
      );
      const asked = [
        (of: typeof one) => attempt(() => of.outputs()),
        (of: typeof one) => attempt(() => of.properties("r0")),
        (of: typeof one) => attempt(() => of.variable("v0")),
        (of: typeof one) => attempt(() => of.variable("v1")),
      ];
      const forth = asked.map((ask) => ask(one));
      const back = asked
        .toReversed()
        .map((ask) => ask(other))
        .toReversed();
      const cyclic = checkTemplate(template, catalog).some(({ code }) => /cycle|self/.test(code));
      // The name reported for a cycle depends on the starting point; such templates are never resolved.
      if (cyclic) return;
      expect(back).toEqual(forth);
      expect(asked.map((ask) => ask(one))).toEqual(forth);
      if (forth.some((value) => !(value instanceof Unknown))) known++;
    }),
    { numRuns: 200 },
  );
  expect(known).toBeGreaterThan(40);
});
