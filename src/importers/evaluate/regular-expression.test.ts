import { describe, expect, it } from "vitest";
import { processorTime } from "#test/support/processor-time.ts";
import { matchesOf, partsBetween } from "./regular-expression.ts";

const all = () => true;

describe("a regular expression of Terraform", () => {
  it.each([
    ["^[a-z]{2}-", "eu-west-1a", ["eu-"]],
    ["[a-z]$", "eu-west-1a", ["a"]],
    ["(\\w+)-(?:\\w+)-(\\d)", "eu-west-1a", [["eu", "1"]]],
    ["a|b", "abc", ["a", "b"]],
    [
      "(a|b)(c)?",
      "bac",
      [
        ["b", null],
        ["a", "c"],
      ],
    ],
    ["a+?", "aaa", ["a", "a", "a"]],
    ["(ab)+", "ababx", [["ab"]]],
    ["[^/]+$", "a/b/c", ["c"]],
    ["a{2,3}", "aaaaa", ["aaa", "aa"]],
    ["\\.[\\w-]+", "a.b-c", [".b-c"]],
    ["x", "abc", []],
  ])("that JavaScript reads alike is decided: %s", (pattern, text, found) => {
    expect(matchesOf(pattern, text, all)).toEqual(found);
  });

  it.each([
    "(?i)a",
    "(?P<n>a)",
    "(?<n>a)",
    "(?=a)",
    "(?!a)",
    "(?<=a)b",
    "\\Aa",
    "\\z",
    "\\pL",
    "[[:alpha:]]",
    "\\s",
    "[]a]",
    "[^]",
    "[z-a]",
    "[a-\\d]",
    "a{,2}",
    "a{3,2}",
    "a{200}",
    "a**",
    "^*",
    "a{2}{2}",
    "(a",
    "a)",
    "a]",
    "(a*)*",
    "(a|b)*",
    "(a+){2}",
    "((a)*)+",
    "(",
    "[",
    "\\",
    "*",
    "\\1",
    "(*a)",
    "ä",
    "a*",
    "x?",
  ])("is open where the two languages may differ, or matching could take long: %s", (pattern) => {
    expect(matchesOf(pattern, "ab", all)).toBeUndefined();
  });

  it("splits a text at its matches", () => {
    expect(partsBetween("[0-9]+", "1a22b", all)).toEqual(["", "a", "b"]);
    expect(partsBetween("x", "ab", all)).toEqual(["ab"]);
    expect(partsBetween("a*", "ab", all)).toBeUndefined();
  });

  it("spends its possible steps of a draft's work, up to a bound", () => {
    const steps: number[] = [];
    matchesOf("a", "a".repeat(99), (taken) => steps.push(taken) > 0);
    expect(steps).toEqual([10]);
    expect(matchesOf("a", "a", () => false)).toBeUndefined();
    expect(matchesOf("a", "a".repeat(1_001), all)).toBeUndefined();
    expect(matchesOf("a".repeat(201), "a", all)).toBeUndefined();
  });

  it("ends soon whatever its choices", () => {
    const time = processorTime();
    for (let length = 1; length <= 1_000; length += 1) {
      const text = "a".repeat(length);
      for (const of of ["a*b", "a*a*b", "a*a*a*b", ".*.*.*.*b", "(a|a)(a|a)(a|a)(a|a)(a|a)b"])
        matchesOf(of, text, all);
    }
    matchesOf(`[${"_".repeat(190)}`, "a", all);
    matchesOf("(".repeat(200), "a", all);
    expect(time()).toBeLessThan(3_000);
  });
});
