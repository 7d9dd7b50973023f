import { describe, expect, it } from "vitest";
import { cutEscaped } from "./cut.ts";

const escape = (character: string) => (character === "&" ? "&amp;" : character);

describe("a text cut to a vendor's limit", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["", 3, ""],
    ["&", 5, "&amp;"],
    ["&&", 10, "&amp;&amp;"],
    ["&&&", 12, "&amp;&amp;…"],
    ["a&", 5, "a…"],
    ["😀😀", 4, "😀😀"],
    ["😀😀a", 4, "😀…"],
    ["x😀", 2, "x…"],
  ])("%j to %i is %j", (text, most, cut) => {
    const result = cutEscaped(text, most, escape);
    expect(result).toBe(cut);
    expect(result.length).toBeLessThanOrEqual(most);
  });
});
