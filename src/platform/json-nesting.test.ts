import { describe, expect, it } from "vitest";
import { exceedsNesting } from "./json-nesting.ts";

describe("exceedsNesting", () => {
  it.each<[string, number, boolean]>([
    ["", 0, false],
    ["1", 0, false],
    ["[]", 0, true],
    ["[]", 1, false],
    ['{"a":[1]}', 2, false],
    ['{"a":[1]}', 1, true],
    ["[[],[],[]]", 2, false],
    ['"[[[["', 0, false],
    ['["[[[[\\"[[[["]', 1, false],
    ['["\\\\",[]]', 1, true],
    ['["\\\\\\"",[]]', 1, true],
    ['"open [[[', 0, false],
    ["]]]][[", 0, false],
  ])("%s deeper than %i: %s", (text, limit, expected) => {
    expect(exceedsNesting(text, limit)).toBe(expected);
  });

  it("handles a million levels without recursion", () => {
    expect(exceedsNesting("[".repeat(1_000_000), 32)).toBe(true);
    expect(exceedsNesting("[]".repeat(1_000_000), 32)).toBe(false);
  });
});
