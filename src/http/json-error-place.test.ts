import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorTime } from "#test/support/processor-time.ts";
import { jsonErrorPlace } from "./json-error-place.ts";

describe("the place where a text stops being JSON", () => {
  it.each<[string, number, number]>([
    ['{"name":', 1, 9],
    ['{"name":"x",}', 1, 13],
    ["hello", 1, 1],
    ["{}{}", 1, 3],
    ['{"x":NaN}', 1, 6],
    ['{"x":01}', 1, 6],
    ['{"x":1.}', 1, 6],
    ["[1 2]", 1, 4],
    ["[1,]", 1, 4],
    ["{'x':1}", 1, 2],
    ['{"x" 1}', 1, 6],
    ['{"x":1', 1, 7],
    ['{"x":[}', 1, 7],
    ['{"x":"a\u0001"}', 1, 8],
    [String.raw`{"x":"\q"}`, 1, 7],
    ['{\n  "a": 1,\n  "b": 2,,\n}', 3, 10],
    ['{\r\n  "🚀": x}', 2, 8],
    ["", 1, 1],
    ["\ufeff{}", 1, 1],
  ])("of %j is line %i, column %i", (text, line, column) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(jsonErrorPlace(text)).toEqual({ line, column });
  });

  it("is the end of every text that is JSON", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonErrorPlace(text)).toEqual({ line: 1, column: Array.from(text).length + 1 });
      }),
    );
  });

  it("is found in a long text at once", () => {
    const text = `{"x":"${"a\\n".repeat(1_000_000)}`;
    const spentMs = processorTime();
    expect(jsonErrorPlace(text).column).toBe(text.length + 1);
    expect(spentMs()).toBeLessThan(2_000);
  });
});
