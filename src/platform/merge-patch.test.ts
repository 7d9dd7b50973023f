import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonMap } from "./json.ts";
import { mergePatch, mergePatchBetween } from "./merge-patch.ts";

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

describe("mergePatchBetween", () => {
  it("has null for removed members, at every depth, and nothing for unchanged ones", () => {
    const before = { a: 1, gone: 1, map: { x: "1", y: "2", deep: { z: 1 } }, list: [1] };
    const after = { a: 1, map: { x: "2", deep: {} }, list: [2], new: { n: 1 } };
    expect(mergePatchBetween(before, after)).toEqual({
      gone: null,
      map: { x: "2", y: null, deep: { z: null } },
      list: [2],
      new: { n: 1 },
    });
    expect(mergePatchBetween(before, before)).toEqual({});
  });

  it("turns any object into any other", () => {
    const leaf = fc.oneof(fc.integer({ max: 3, min: 0 }), fc.array(fc.integer({ max: 2 })));
    const key = fc.constantFrom("a", "b", "__proto__");
    const object = fc.letrec<{ map: JsonMap }>((tie) => ({
      map: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, leaf, tie("map"))),
    })).map;
    fc.assert(
      fc.property(object, object, (before, after) => {
        expect(mergePatch(before, mergePatchBetween(before, after))).toEqual(after);
      }),
    );
  });
});
