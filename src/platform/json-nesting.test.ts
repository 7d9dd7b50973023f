import { describe, expect, it } from "vitest";
import { exceedsNesting, exceedsValues } from "./json-nesting.ts";

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

it.each<[string, number, boolean]>([
  ["1", 1, false],
  ["[]", 1, true],
  ["[1,2]", 3, false],
  ["[1,2,{}]", 4, true],
  ['{"a":",[{","b":1}', 3, false],
  ['"\\",[', 1, false],
])("%s has more values than %i: %s", (text, limit, expected) => {
  expect(exceedsValues(text, limit)).toBe(expected);
});
