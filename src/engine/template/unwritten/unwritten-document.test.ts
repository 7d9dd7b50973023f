import * as fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { checkUnwritten, describeTemplate } from "#engine/template/describe.ts";
import { readDocument } from "#engine/template/document.ts";
import { Report } from "#engine/template/report.ts";
import type { JsonMap } from "#platform/json.ts";
import { countFor, testSeed } from "#test/support/depth.ts";
import { unwrittenDocument } from "./unwritten-document.ts";

const catalog = {
  facts: () => undefined,
  types: () => [],
  openProviders: new Set<string>(),
  unavailableProviders: new Set<string>(),
};
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(...Array.from("ab${}$\"'\\: #-\r\n\t{{|>&*!%@`[],0<~")) }),
  fc.constantFrom(
    "<<",
    "{{ a }}",
    "---",
    "...",
    "null",
    "1e3",
    "0x1",
    "${a}",
    "${b.c}",
    "- ",
    "? ",
  ),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3 }),
  ),
}));
const document = fc.record({
  config: fc.dictionary(text, value, { maxKeys: 2 }),
  resources: fc.dictionary(
    text,
    fc.record({
      type: text,
      properties: fc.dictionary(text, value, { maxKeys: 3 }),
      options: value,
    }),
    { maxKeys: 2 },
  ),
  outputs: fc.dictionary(text, value, { maxKeys: 2 }),
});

const deep = (levels: number): JsonMap => ({
  outputs: { a: JSON.parse("[".repeat(levels) + "]".repeat(levels)) as [] },
});

it("has the values that its text would give", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(document, (given) => {
      const source = stringify(given, { lineWidth: 0, aliasDuplicateObjects: false });
      // The library writes a text such as " \n" as another text.
      fc.pre(isDeepStrictEqual(parse(source), given));
      const [read, unwritten] = [new Report(), new Report()];
      const written = readDocument(source, read);
      if (read.failed) return;
      expect(withoutPlaces(unwrittenDocument(given as JsonMap, unwritten))).toEqual(
        withoutPlaces(written),
      );
    }),
    { seed: testSeed, numRuns: countFor({ ordinary: 60, deep: 300 }) },
  );
});

it("is refused if its text would be", () => {
  fc.assert(
    fc.property(fc.oneof(document, fc.constantFrom(deep(29), deep(31), deep(60))), (given) => {
      const source = stringify(given, { lineWidth: 0, aliasDuplicateObjects: false });
      expect(checkUnwritten(given as JsonMap, catalog).failed).toBe(
        !describeTemplate(source, catalog).valid,
      );
    }),
    { seed: testSeed, numRuns: 300 },
  );
});

it("has a line for each value, in the order of the text", () => {
  const { diagnostics } = checkUnwritten(
    { outputs: { a: ["${x}", { b: "${y}" }], c: "${z}" } },
    catalog,
  );
  expect(diagnostics.map(({ path, line }) => [path, line])).toEqual([
    ["/outputs/a/0", 4],
    ["/outputs/a/1/b", 6],
    ["/outputs/c", 7],
  ]);
});

function withoutPlaces(node: unknown): unknown {
  return JSON.parse(
    JSON.stringify(node, (name, one: unknown) =>
      name === "place" || name === "keyPlace" || name === "placeAt" ? undefined : one,
    ),
  );
}
