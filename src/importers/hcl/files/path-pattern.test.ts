import { describe, expect, it } from "vitest";
import { literal } from "#importers/expression.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { globOf, hasPieces } from "./path-pattern.ts";

describe("a pattern of fileset", () => {
  it.each([
    ["*.json", "a.json", true],
    ["*.json", "a/b.json", false],
    ["*.json", "a.json.bak", false],
    ["**", "a/b/c", true],
    ["**/*.json", "a.json", true],
    ["**/*.json", "a/b/c.json", true],
    ["a/**/c", "a/c", true],
    ["a/**/c", "a/b/b/c", true],
    ["a/**/c", "a/b", false],
    ["./a?.txt", "ab.txt", true],
    ["a?.txt", "a.txt", false],
    ["{a,b}/*.{json,yaml}", "b/x.yaml", true],
    ["{a,b}/*.{json,yaml}", "c/x.yaml", false],
    ["[a-c]x", "bx", true],
    ["[^a-c]x", "bx", false],
    ["*a*b*", "xxaxxbxx", true],
    ["*a*b*", "xxbxxaxx", false],
  ])("%s and the path %s: %s", (pattern, path, expected) => {
    expect(globOf(pattern)?.matches(path)).toBe(expected);
  });

  it.each(["[a", "{a,{b,c}}", "a\\*", "{a,b}".repeat(10), "x".repeat(501)])(
    "is not read if it is not simple: %s",
    (pattern) => {
      expect(globOf(pattern)).toBeUndefined();
    },
  );

  it("takes time linear to the path", () => {
    const glob = globOf(`${"*a".repeat(200)}b`);
    const taken = processorTime();
    expect(glob?.matches("a".repeat(10_000))).toBe(false);
    expect(taken()).toBeLessThan(300);
  });
});

it.each([
  ["scripts/init-prod.sh", true],
  ["scripts/init-.sh", true],
  ["scripts/init.sh", false],
  ["scripts/init-prod.sh.bak", false],
  ["a/scripts/init-prod.sh", false],
])("a path with a computed part between two texts: %s", (path, expected) => {
  const part = { kind: "opaque", text: "x", references: [], line: 1 } as const;
  expect(hasPieces(path, [literal("scripts/init-"), part, literal(".sh")])).toBe(expected);
});
