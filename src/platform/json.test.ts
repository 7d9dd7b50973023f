import { describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "./json.ts";

describe("canonicalJson", () => {
  it.each<[string, string]>([
    [
      '{"b":1,"a":{"d":[2,{"z":null,"y":true}],"c":"x"}}',
      '{"a":{"c":"x","d":[2,{"y":true,"z":null}]},"b":1}',
    ],
    ["[3,1,2]", "[3,1,2]"],
    ['{"10":1,"9":2,"":3}', '{"":3,"10":1,"9":2}'],
    ['{"__proto__":{"b":1,"a":2},"constructor":1}', '{"__proto__":{"a":2,"b":1},"constructor":1}'],
    ['{"é":1,"z":2,"€":3}', '{"z":2,"é":1,"€":3}'],
    ["1.0", "1"],
    ['"\\u000a\\"é"', '"\\n\\"é"'],
    ["null", "null"],
  ])("formats %s as %s", (given, expected) => {
    expect(canonicalJson(JSON.parse(given) as Json)).toBe(expected);
  });

  it("distinguishes different values", () => {
    const values: Json[] = [[], {}, null, "", 0, false, [[]], [{}], { a: null }, { a: [] }, "[]"];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  });
});
