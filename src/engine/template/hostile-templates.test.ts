/** Templates within the size limits, built to be slow. Without its bound, each took seconds to many minutes. */
import { expect, it } from "vitest";
import { processorTime } from "#test/support/processor-time.ts";
import type { TemplateCatalog } from "./check.ts";
import { describeTemplate } from "./describe.ts";
import { parseTemplate } from "./parse.ts";
import { configValues } from "./resolve.ts";

const catalog: TemplateCatalog = {
  facts: () => ({ immutable: [], writeOnly: [], required: [], deleteBeforeReplace: false }),
  types: () => [],
  openProviders: new Set(),
};

const keys = JSON.stringify(Array.from({ length: 490 }, (_, i) => `k${i}`));
const loop = (properties: string) =>
  `resources:\n  node: { type: a:B, forEach: ${keys}, properties: { ${properties} } }\n`;
const fill = (unit: string, length: number) => unit.repeat(Math.floor(length / unit.length));
const text = fill("a", 60_000);
const key = "k".repeat(60);

it.for<[string, string, string]>([
  [
    "a schema of thousands of parts and a list of thousands of items",
    `config: { a: { type: array, allOf: [${fill("{items: {type: string}}, ", 90_000)}], default: [${fill("a, ", 90_000)}] } }`,
    "invalid_default",
  ],
  [
    "thousands of patterns of the maximum size",
    `config: { a: { type: string, allOf: [${fill("{pattern: '(a?){900}b'}, ", 90_000)}], default: '${fill("a", 90_000)}' } }`,
    "invalid_schema",
  ],
  [
    "hundreds of declarations with such patterns each",
    `config:\n${Array.from({ length: 300 }, (_, i) => `  a${i}: { type: string, pattern: '(a?){400}b', default: '${fill("a", 500)}' }\n`).join("")}`,
    "invalid_default",
  ],
  [
    "a long string and a large pattern",
    `config: { a: { type: string, pattern: '(a?){400}b', default: '${fill("a", 190_000)}' } }`,
    "invalid_default",
  ],
  [
    "thousands of function calls on a long list",
    `variables: { v: [${fill("a, ", 60_000)}] }\noutputs: { o: [${fill("{'fn::toJSON': '${v}'}, ", 120_000)}] }`,
    "value_too_large",
  ],
  [
    "thousands of function calls on a long string with short results",
    `variables: { v: ${text} }\noutputs: { o: [${fill("{'fn::sha1': '${v}'}, ", 120_000)}] }`,
    "value_too_large",
  ],
  [
    "thousands of strings that contain a long one",
    `variables: { v: ${text} }\noutputs: { o: [${fill("'x${v}', ", 120_000)}] }`,
    "value_too_large",
  ],
  [
    "hundreds of misspelled members of a large map",
    `variables: { v: { ${Array.from({ length: 800 }, (_, i) => `${key}${i}: 1`).join(", ")} } }\noutputs:\n${Array.from({ length: 480 }, (_, i) => `  o${i}: '\${v.${key}x}'\n`).join("")}`,
    "path_not_found",
  ],
  [
    "thousands of comments without an end in one string",
    `outputs: { o: "${fill("${//}", 190_000)}" }`,
    "too_many_diagnostics",
  ],
  [
    "thousands of broken expressions",
    `outputs: { o: "${fill("${a +}", 190_000)}" }`,
    "too_many_diagnostics",
  ],
  [
    "hundreds of expressions in each of hundreds of turns",
    loop(Array.from({ length: 490 }, (_, i) => `p${i}: "\${each.key + 'a'}"`).join(", ")),
    "too_much_work",
  ],
  [
    "thousands of parts of a text in each of hundreds of turns",
    `config: { e: { type: string } }\n${loop(`p: "${fill("${e}", 150_000)}"`)}`,
    "value_too_large",
  ],
  [
    "a list of tens of thousands of lists",
    `outputs: { o: [${fill("[],", 190_000)}] }`,
    "source_too_long",
  ],
  [
    "a list of tens of thousands of texts",
    `outputs: { o: [${fill("a,", 190_000)}] }`,
    "source_too_long",
  ],
  [
    "thousands of former names in each of hundreds of turns",
    `resources:\n  node: { type: a:B, forEach: ${keys}, options: { aliases: [${fill("abc, ", 100_000)}] } }\n`,
    "invalid_option",
  ],
])("%s is rejected in bounded time", { timeout: 60_000 }, ([, source, code]) => {
  expect(source.length).toBeLessThanOrEqual(200_000);
  const spentMs = processorTime();
  const { diagnostics } = describeTemplate(source, catalog);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  // Each takes less than a second.
  expect(spentMs()).toBeLessThan(20_000);
});

it.for<[string, string, string]>([
  ["a chain", "v0: x", "nesting_too_deep"],
  ["a circle", "v0: '${v499}'", "dependency_cycle"],
])("%s of 500 variables, each nested 30 levels, does not overflow the stack", ([, first, code]) => {
  const nested = (i: number) => `  v${i}: ${"[".repeat(29)}{ a: "\${v${i - 1}}" }${"]".repeat(29)}`;
  const links = Array.from({ length: 499 }, (_, i) => nested(i + 1)).join("\n");
  const source = `variables:\n  ${first}\n${links}\noutputs: { o: "\${v499}" }\n`;
  const codes = describeTemplate(source, catalog).diagnostics.map((diagnostic) => diagnostic.code);
  expect(codes).toEqual([code]);
});

it("checks thousands of reads of a loop with hundreds of turns in bounded time", () => {
  const spentMs = processorTime();
  const source = `${loop("")}outputs: { o: [${fill('"${node.k1.id}", ', 120_000)}] }`;
  expect(describeTemplate(source, catalog).diagnostics).toEqual([]);
  // It takes less than 200 ms.
  expect(spentMs()).toBeLessThan(5_000);
});

it("checks an instance's values in bounded time", () => {
  const { template } = parseTemplate(
    "config: { a: { type: array, items: { type: string, pattern: '^(a?){100}$' } } }\noutputs: { o: '${a}' }",
  );
  if (template === undefined) throw new Error("The template cannot be read");
  const few = configValues(template, { a: Array.from({ length: 100 }, () => "a".repeat(100)) });
  expect(few.problems).toEqual([]);
  const many = configValues(template, { a: Array.from({ length: 5_000 }, () => "a".repeat(100)) });
  expect(many.problems[0]?.message).toContain("too long to check");
});
