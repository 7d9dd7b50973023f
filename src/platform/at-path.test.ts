import { describe, expect, it } from "vitest";
import { changedAt, jsonAt, omitted, placesIn } from "./at-path.ts";
import type { Json, JsonMap } from "./json.ts";

const object: JsonMap = {
  settings: { tier: "a", labels: { x: "1" } },
  disks: [{ type: "ssd", gb: 1 }, { type: "hdd" }],
  "a.b": { c: 1 },
};

describe("the value at a path", () => {
  it.for<[string, Json | undefined]>([
    ["settings.tier", "a"],
    ["settings.labels.x", "1"],
    ["disks[1].type", "hdd"],
    ["disks[*].type", ["ssd", "hdd"]],
    ["disks[*].gb", [1]],
    ['["a.b"].c', 1],
    ["settings.none", undefined],
    ["disks[*].none", undefined],
    ["settings.constructor", undefined],
    ["disks.length", undefined],
    ["settings.tier.length", undefined],
  ])("%s is found", ([path, value]) => {
    expect(jsonAt(object, path)).toEqual(value);
  });

  it("is refused for a text that is not a path", () => {
    expect(() => jsonAt(object, "a..b")).toThrow("not a property path");
  });
});

it("a path with wildcards means the existing places", () => {
  expect(placesIn(object, "disks[*].gb")).toEqual(["disks[0].gb"]);
  expect(placesIn(object, "settings.*")).toEqual(["settings.tier", "settings.labels"]);
  expect(placesIn(object, '["a.b"].*')).toEqual(['["a.b"].c']);
  expect(placesIn(object, "settings.none")).toEqual([]);
});

describe("a change at a path", () => {
  it("leaves out members at any depth, in every item of a list, and the maps that become empty", () => {
    const paths = ["settings.labels.x", "disks[*].type", "none.at.all"];
    expect(omitted(object, paths)).toEqual({
      settings: { tier: "a" },
      disks: [{ gb: 1 }],
      "a.b": { c: 1 },
    });
  });

  it("keeps a map that was empty before", () => {
    expect(omitted({ settings: { labels: {} } }, ["settings.labels.x"])).toEqual({
      settings: { labels: {} },
    });
  });

  it("creates the maps on the way", () => {
    const set = (): Json => "2";
    expect(changedAt({ a: 1 }, "b.c.d", set)).toEqual({ a: 1, b: { c: { d: "2" } } });
    expect(changedAt({ a: 1 }, "a.b", set)).toEqual({ a: 1 });
    expect(changedAt({ l: [{ v: 1 }, 5] }, "l[*].v", set)).toEqual({ l: [{ v: "2" }, 5] });
  });

  it("treats __proto__ like any other name", () => {
    const changed = changedAt({}, "__proto__.polluted", () => true);
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
