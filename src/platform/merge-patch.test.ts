import { describe, expect, it } from "vitest";
import type { JsonMap } from "./json.ts";
import { mergePatch } from "./merge-patch.ts";

describe("mergePatch", () => {
  it.each<[string, JsonMap, JsonMap, JsonMap]>([
    ["replaces a member", { a: "b" }, { a: "c" }, { a: "c" }],
    ["adds a member", { a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    ["removes a member by null", { a: "b", b: "c" }, { a: null }, { b: "c" }],
    ["replaces a whole list", { a: ["b"] }, { a: ["c"] }, { a: ["c"] }],
    ["merges maps", { a: { b: "c", d: 1 } }, { a: { b: "d", d: null } }, { a: { b: "d" } }],
    ["replaces a non-map by a map", { a: "foo" }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
  ])("%s", (_, target, patch, merged) => {
    expect(mergePatch(target, patch)).toEqual(merged);
  });

  it("treats __proto__ like any other name", () => {
    const patch = JSON.parse('{"__proto__": {"polluted": true}}') as JsonMap;
    const merged = mergePatch({}, patch);
    expect(Object.hasOwn(merged, "__proto__")).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
