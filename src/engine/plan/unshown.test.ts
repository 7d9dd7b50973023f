import { describe, expect, it } from "vitest";
import { Secret, type ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { findDrift } from "./drift.ts";
import { findUnshown } from "./unshown.ts";

type Rules = Partial<TypeFacts>;
type Values = readonly [before: ValueMap, sent: ValueMap, shown: ValueMap, rules?: Rules];
const pathsOf = ([before, sent, shown, rules = {}]: Values) =>
  findUnshown(before, sent, shown, rules)?.paths ?? [];

describe("a property that an update has not changed", () => {
  it.for<[string, Values, string[]]>([
    ["the earlier value", [{ size: 10 }, { size: 50 }, { size: 10 }], ["size"]],
    [
      "the earlier value elsewhere",
      [{ size: "a" }, { size: "b" }, { size_slug: "a" }, { shownAt: { size: "size_slug" } }],
      ["size"],
    ],
    [
      "one nested value of two, among members of the cloud's own",
      [
        { spec: { a: 1, b: { c: 1 } } },
        { spec: { a: 2, b: { c: 2 } } },
        { spec: { a: 2, b: { c: 1, d: 9 }, e: 5 } },
      ],
      ["spec.b.c"],
    ],
    [
      "the earlier list, in any order and with members of the cloud's own",
      [
        { rules: [{ port: 1 }, { port: 2 }] },
        { rules: [{ port: 1 }, { port: 3 }] },
        {
          rules: [
            { port: 2, id: 7 },
            { port: 1, id: 8 },
          ],
        },
      ],
      ["rules"],
    ],
    ["a value sent for the first time", [{}, { size: 50 }, { size: 10 }], []],
    ["the sent value", [{ size: 10 }, { size: 50 }, { size: 50 }], []],
    ["an unchanged value", [{ size: 10 }, { size: 10 }, { size: 10 }], []],
    ["nothing", [{ key: "a" }, { key: "b" }, {}], []],
    ["another form of the new value", [{ cpu: "1" }, { cpu: "2" }, { cpu: 2000 }], []],
    [
      "another form, also of the earlier value",
      [{ version: "16" }, { version: "17" }, { version: "16.4" }],
      [],
    ],
    [
      "a text in another case",
      [{ tag: "a" }, { tag: "B" }, { tag: "b" }, { caseInsensitive: ["tag"] }],
      [],
    ],
    [
      "a value that is never shown",
      [{ key: "a" }, { key: "b" }, { key: "a" }, { writeOnly: ["key"] }],
      [],
    ],
    [
      "a list in another order",
      [{ tags: ["a", "b"] }, { tags: ["b", "a"] }, { tags: ["a", "b"] }],
      [],
    ],
  ])("is not told by %s", ([, values, expected]) => {
    expect(pathsOf(values)).toEqual(expected);
  });

  it("keeps a secret a secret", () => {
    const before = { key: new Secret("old", { sealed: true }), size: 1 };
    const sent = { key: new Secret("new", { sealed: true }), size: 1 };
    const unshown = findUnshown(before, sent, { key: "old", size: 1 }, {});
    expect(unshown).toEqual({
      paths: ["key"],
      observed: { key: new Secret("old", { sealed: true }), size: 1 },
    });
  });

  it("stays drift for every later check, until the cloud shows the sent value", () => {
    const inputs = { size: 50, spec: { a: 2, b: 1 }, zone: "z", rules: [{ port: 2 }] };
    const outputs = { size: 10, spec: { a: 1, b: 1, id: 5 }, zone: "Z-1", rules: [{ port: 1 }] };
    const before = { size: 10, spec: { a: 1, b: 1 }, zone: "z", rules: [{ port: 1 }] };
    const observed = findUnshown(before, inputs, outputs, {})?.observed ?? {};
    expect(observed).toEqual({ ...before, zone: "z" });
    const stored = { inputs, outputs, drift: { kind: "changed", observed } } as const;
    const rules = { ignoreChanges: [] };
    expect(findDrift(stored, outputs, rules)).toEqual({ kind: "changed", observed });
    // Otherwise the form shown after the update would count as the cloud's own.
    expect(findDrift({ inputs, outputs }, outputs, rules)).toBeUndefined();
    expect(findDrift(stored, { ...outputs, size: 50 }, rules)).toEqual({
      kind: "changed",
      observed: { ...observed, size: 50 },
    });
    const done = { ...inputs, zone: "Z-1" };
    expect(findDrift(stored, done, rules)).toBeUndefined();
  });
});

it("drift includes a property whose object the cloud shows as null", () => {
  const rules = { ignoreChanges: [], shownAt: { droplet: "droplet.id", region: "region.slug" } };
  const shown = { droplet: null, region: { slug: "a" } };
  const stored = { inputs: { droplet: 5, region: "a" }, outputs: shown };
  expect(findDrift(stored, shown, rules)).toEqual({ kind: "changed", observed: { region: "a" } });
  const ignoring = { ...rules, ignoreChanges: ["droplet"] };
  expect(findDrift(stored, shown, ignoring)).toBeUndefined();
});
