import { describe, expect, it } from "vitest";
import { filled, type JsonObject, patchOf, setMember } from "./json-members.ts";

describe("the members of a request", () => {
  it("are sent whatever they are called", () => {
    const body: JsonObject = { name: "web" };
    for (const name of ["__proto__", "constructor", "zone"])
      setMember(body, ["variables", name], `of ${name}`);
    expect(JSON.stringify(body)).toBe(
      '{"name":"web","variables":{"__proto__":"of __proto__","constructor":"of constructor","zone":"of zone"}}',
    );
  });

  it("replace a value by the object around them", () => {
    const body: JsonObject = { config: "text" };
    setMember(body, ["config", "region", "name"], "eu-1");
    expect(body).toEqual({ config: { region: { name: "eu-1" } } });
  });

  it("are patched: null removes, and only objects are merged", () => {
    const before = { a: 1, b: { c: 1, d: 2 }, list: [1] };
    expect(patchOf(before, { b: { d: 3, e: 4 }, list: [2] })).toEqual({
      a: null,
      b: { c: null, d: 3, e: 4 },
      list: [2],
    });
    expect(patchOf({ a: 1 }, [2])).toEqual([2]);
    expect(patchOf(undefined, { a: 1 })).toEqual({ a: 1 });
  });

  it("fill a path, encoded, and only as own members", () => {
    expect(filled("/flags/{key}?v={version}", { key: "a/b", version: 3 })).toBe("/flags/a%2Fb?v=3");
    expect(filled("/{toString}/{gone}", { gone: null })).toBe("//");
  });
});
