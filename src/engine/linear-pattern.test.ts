import * as fc from "fast-check";
import { expect, it } from "vitest";
import { compilePattern } from "./linear-pattern.ts";

function matches(source: string, text: string): boolean {
  const pattern = compilePattern(source);
  if (typeof pattern === "string") throw new Error(pattern);
  return pattern.test(text);
}

const patterns = [
  "^[a-z][a-z0-9-]{1,4}$",
  "a|bc|",
  "^(?:ab|a)(c|bcd)(d*)$",
  "x*",
  "^x*$",
  "(a*)*b",
  "^(a?){3}$",
  "^a{2,}b{0,1}$",
  "[^ab\\]]",
  "\\d+\\.\\w",
  "^\\u0061\\x62$",
  "^.$",
  "^\\p{L}+$",
  "\\$\\{",
  "a{0}b",
  "^(a|b)*?c+?$",
  "(?<year>a)b",
  "^$",
  "(^a|b$)",
  "()*",
];

it.for(patterns)("agrees with the built-in matcher on %s", (source) => {
  const native = new RegExp(source, "u");
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from("abcdx01.-]${é😀\n")), maxLength: 8 }),
      (text) => {
        expect(matches(source, text)).toBe(native.test(text));
      },
    ),
    { numRuns: 150 },
  );
});

it("stays linear on a pattern that is exponential for backtracking matchers", () => {
  const text = `${"a".repeat(20_000)}!`;
  expect(matches("^(a+)+$", text)).toBe(false);
  expect(matches("(a*)*(a*)*(a*)*b", text)).toBe(false);
});

it.for([
  ["(", "not a valid"],
  ["(?=a)", "lookaround"],
  ["(?<!a)b", "lookaround"],
  ["(a)\\1", "backreferences"],
  ["\\bword\\b", "word boundaries"],
  ["(a{1000}){1000}", "too large"],
  ["((){1000}){1000}", "too large"],
  ["a".repeat(501), "at most 500"],
])("rejects %s with a reason", ([source, reason]) => {
  expect(compilePattern(source ?? "")).toContain(reason);
});
