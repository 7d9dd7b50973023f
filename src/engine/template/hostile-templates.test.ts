/** Templates that are legal in size and made to be slow. Each took from seconds to many minutes without its bound. */
import { expect, it } from "vitest";
import type { TemplateCatalog } from "./check.ts";
import { describeTemplate } from "./describe.ts";
import { parseTemplate } from "./parse.ts";
import { configValues } from "./resolve.ts";

const catalog: TemplateCatalog = {
  facts: () => ({ immutable: [], writeOnly: [], required: [], deleteBeforeReplace: false }),
  types: () => [],
  openProviders: new Set(),
};

const fill = (unit: string, length: number) => unit.repeat(Math.floor(length / unit.length));
const text = fill("a", 60_000);
const key = "k".repeat(60);

it.for<[string, string, string]>([
  [
    "a schema of thousands of parts for a list of thousands of items",
    `config: { a: { type: array, allOf: [${fill("{items: {type: string}}, ", 90_000)}], default: [${fill("a, ", 90_000)}] } }`,
    "invalid_default",
  ],
  [
    "thousands of patterns of the greatest size",
    `config: { a: { type: string, allOf: [${fill("{pattern: '(a?){900}b'}, ", 90_000)}], default: '${fill("a", 90_000)}' } }`,
    "invalid_schema",
  ],
  [
    "hundreds of declarations with such patterns each",
    `config:\n${Array.from({ length: 300 }, (_, i) => `  a${i}: { type: string, pattern: '(a?){400}b', default: '${fill("a", 500)}' }\n`).join("")}`,
    "invalid_default",
  ],
  [
    "a long text for a large pattern",
    `config: { a: { type: string, pattern: '(a?){400}b', default: '${fill("a", 190_000)}' } }`,
    "invalid_default",
  ],
  [
    "thousands of functions of a long list",
    `variables: { v: [${fill("a, ", 60_000)}] }\noutputs: { o: [${fill("{'fn::toJSON': '${v}'}, ", 120_000)}] }`,
    "value_too_large",
  ],
  [
    "thousands of functions of a long text with short results",
    `variables: { v: ${text} }\noutputs: { o: [${fill("{'fn::sha1': '${v}'}, ", 120_000)}] }`,
    "value_too_large",
  ],
  [
    "thousands of texts around a long one",
    `variables: { v: ${text} }\noutputs: { o: [${fill("'x${v}', ", 120_000)}] }`,
    "value_too_large",
  ],
  [
    "hundreds of misspelt members of a large map",
    `variables: { v: { ${Array.from({ length: 800 }, (_, i) => `${key}${i}: 1`).join(", ")} } }\noutputs:\n${Array.from({ length: 480 }, (_, i) => `  o${i}: '\${v.${key}x}'\n`).join("")}`,
    "path_not_found",
  ],
])("%s are refused in bounded time", { timeout: 60_000 }, ([, source, code]) => {
  expect(source.length).toBeLessThanOrEqual(200_000);
  const startedMs = performance.now();
  const { diagnostics } = describeTemplate(source, catalog);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  // Each takes less than a second; a machine that does much else is forgiven.
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});

it.for<[string, string, string]>([
  ["a chain", "v0: x", "nesting_too_deep"],
  ["a circle", "v0: '${v499}'", "dependency_cycle"],
])("%s of 500 variables that nest 30 levels each fits the stack", ([, first, code]) => {
  const nested = (i: number) => `  v${i}: ${"[".repeat(29)}{ a: "\${v${i - 1}}" }${"]".repeat(29)}`;
  const links = Array.from({ length: 499 }, (_, i) => nested(i + 1)).join("\n");
  const source = `variables:\n  ${first}\n${links}\noutputs: { o: "\${v499}" }\n`;
  const codes = describeTemplate(source, catalog).diagnostics.map((diagnostic) => diagnostic.code);
  expect(codes).toEqual([code]);
});

it("what an instance gives is checked in bounded time too", () => {
  const { template } = parseTemplate(
    "config: { a: { type: array, items: { type: string, pattern: '^(a?){100}$' } } }\noutputs: { o: '${a}' }",
  );
  if (template === undefined) throw new Error("The template cannot be read");
  const few = configValues(template, { a: Array.from({ length: 100 }, () => "a".repeat(100)) });
  expect(few.problems).toEqual([]);
  const many = configValues(template, { a: Array.from({ length: 5_000 }, () => "a".repeat(100)) });
  expect(many.problems[0]?.message).toContain("too long to be checked");
});
