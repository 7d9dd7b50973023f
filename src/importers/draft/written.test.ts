import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Json } from "#platform/json.ts";
import { testSeed } from "#test/support/depth.ts";
import { leastLength, written } from "./written.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(...Array.from("ab \n\t:#-'\"")) }),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
}));

it("is at least as long as the lower bound, and not much longer", () => {
  fc.assert(
    fc.property(fc.dictionary(text, value), (given) => {
      const document = { a: { ...given, b: 1 } };
      expect(leastLength(document)).toBeLessThanOrEqual(written(document).length);
    }),
    { seed: testSeed, numRuns: 1_000 },
  );
  const plain = { a: { list: ["one", { two: "three", four: ["five"] }], six: { seven: "eight" } } };
  expect(leastLength(plain)).toBeGreaterThan(0.75 * written(plain).length);
});

it("has no empty sections", () => {
  expect(written({ name: "x", config: {}, outputs: { a: 1 } })).toBe("name: x\noutputs:\n  a: 1\n");
});

it("parses to the written document, including spaces before a line break", () => {
  const plain = fc.string({ unit: fc.constantFrom(...Array.from("ab \n:#-'\"")) });
  fc.assert(
    fc.property(fc.dictionary(plain, fc.oneof(plain, fc.array(plain))), (given) => {
      const document = { a: { ...given, b: 1 } };
      expect(parse(written(document))).toEqual(document);
    }),
    { seed: testSeed, numRuns: 1_000, examples: [[{ c: " \n" }], [{ c: [" \n a"] }]] },
  );
});
