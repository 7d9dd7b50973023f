import * as fc from "fast-check";
import { expect, it } from "vitest";
import { processorTime } from "#test/support/processor-time.ts";
import { firstIndex, lastIndex, splitAt } from "./search-text.ts";

/** Texts of few characters, in which parts of any length occur and overlap. */
const few = (maxLength: number) => fc.string({ unit: fc.constantFrom("a", "b"), maxLength });
const repeated = fc
  .tuple(few(3), fc.nat(20), few(2))
  .map(([unit, count, end]) => unit.repeat(count) + end);
const part = fc.oneof(few(4), repeated).filter((text) => text !== "");

it("agrees with the built-in search", () => {
  fc.assert(
    fc.property(fc.oneof(few(40), repeated), part, fc.nat(45), (text, wanted, from) => {
      expect(firstIndex(text, wanted, from)).toBe(text.indexOf(wanted, from));
      expect(lastIndex(text, wanted, from)).toBe(text.lastIndexOf(wanted, from));
      expect(firstIndex(text, wanted)).toBe(text.indexOf(wanted));
      expect(lastIndex(text, wanted)).toBe(text.lastIndexOf(wanted));
      let parts = 0;
      expect(splitAt(text, wanted, () => (parts += 1))).toEqual(text.split(wanted));
      expect(parts).toBe(text.split(wanted).length);
    }),
    { numRuns: 2_000 },
  );
});

it("takes time in proportion to the texts", () => {
  const text = "x".repeat(1_000_000);
  const spentMs = processorTime();
  expect(lastIndex(text, `${"x".repeat(50_000)}y`)).toBe(-1);
  expect(firstIndex(text, `y${"x".repeat(400_000)}`)).toBe(-1);
  expect(splitAt(text, `${"x".repeat(400_000)}y`, () => {})).toEqual([text]);
  expect(spentMs()).toBeLessThan(2_000);
});
