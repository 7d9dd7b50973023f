import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PartlyKnown, Secret, unknown, type ValueMap } from "#engine/value.ts";
import { applyIgnored, type DiffFacts, diffInputs, type DiffOptions } from "./diff.ts";

function diff(
  before: ValueMap,
  after: ValueMap,
  { immutable = [], ...options }: Partial<DiffOptions> & { immutable?: string[] } = {},
) {
  return diffInputs(
    before,
    after,
    { immutable },
    { ignoreChanges: [], replaceOnChanges: [], ...options },
  );
}

const paths = ({ changes }: ReturnType<typeof diff>) => changes.map(({ path }) => path);

describe("diffInputs", () => {
  it("lists changed, added and removed properties, sorted by path", () => {
    const before = { size: 1, rules: [{ port: 80 }, { port: 81 }], old: "x", same: { a: [null] } };
    const after = { same: { a: [null] }, rules: [{ port: 90 }], size: 2, fresh: { a: 1 } };
    expect(diff(before, after)).toEqual({
      changes: [
        { path: "fresh", before: null, after: { a: 1 }, replaces: false },
        { path: "old", before: "x", after: null, replaces: false },
        { path: "rules[0].port", before: 80, after: 90, replaces: false },
        { path: "rules[1]", before: { port: 81 }, after: null, replaces: false },
        { path: "size", before: 1, after: 2, replaces: false },
      ],
      replace: false,
      tentative: false,
    });
  });

  it("puts keys that are not identifiers in brackets", () => {
    expect(paths(diff({ "a.b": { "c-d": 1 } }, { "a.b": { "c-d": 2 } }))).toEqual([
      '["a.b"]["c-d"]',
    ]);
  });

  it("finds no changes in equal values, whatever the key order", () => {
    expect(diff({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toEqual({
      changes: [],
      replace: false,
      tentative: false,
    });
  });

  it("distinguishes a list from a map, a number from a string, and no list or map from an empty one", () => {
    const before = { list: ["a"], number: 1, tags: [], map: {} };
    const after = { list: { 0: "a" }, number: "1" };
    expect(paths(diff(before, after))).toEqual(["list", "map", "number", "tags"]);
  });

  it("takes null as no member, at any depth, but not for an item of a list", () => {
    const blank = { a: null, b: { c: null, d: 1 }, e: [{ f: null, g: 1 }], s: new Secret(null) };
    const absent = { b: { d: 1 }, e: [{ g: 1 }] };
    const immutable = ["a", "b.c", "e[*].f", "s"];
    for (const [before, after] of [
      [blank, absent],
      [absent, blank],
    ] as const)
      expect(diff(before, after, { immutable })).toEqual({
        changes: [],
        replace: false,
        tentative: false,
      });
    expect(paths(diff({ a: null }, { a: 1 }))).toEqual(["a"]);
    expect(paths(diff({ a: [null] }, { a: [] }))).toEqual(["a[0]"]);
    const facts = { immutable: ["*"], sets: ["e"] };
    const options = { ignoreChanges: [], replaceOnChanges: [] };
    expect(
      diffInputs({ e: [{ g: 1 }, { g: 2, f: null }] }, { e: [{ g: 2 }, { g: 1 }] }, facts, options)
        .changes,
    ).toEqual([]);
  });

  it("reads only own keys", () => {
    const before = JSON.parse('{"map":{}}') as ValueMap;
    const after = JSON.parse('{"map":{"__proto__":1,"constructor":2}}') as ValueMap;
    expect(diff(before, after).changes).toEqual([
      { path: "map.__proto__", before: null, after: 1, replaces: false },
      { path: "map.constructor", before: null, after: 2, replaces: false },
    ]);
  });

  it("compares a write-only field with the value last sent", () => {
    expect(paths(diff({ password: "a" }, { password: "b" }))).toEqual(["password"]);
  });

  describe("with secrets", () => {
    it("compares their contents", () => {
      expect(diff({ a: new Secret("x"), b: "y" }, { a: "x", b: new Secret("y") }).changes).toEqual(
        [],
      );
      expect(paths(diff({ a: new Secret({ b: 1 }) }, { a: new Secret({ b: 2 }) }))).toEqual(["a"]);
    });

    it("hides both sides when either is secret, and hides secrets inside a value", () => {
      const before = { a: "plain", b: new Secret("old"), c: [new Secret("in")], d: new Secret(1) };
      const after = { a: new Secret("new"), b: "open", c: "x" };
      expect(diff(before, after).changes.map((c) => [c.before, c.after])).toEqual([
        ["[secret]", "[secret]"],
        ["[secret]", "[secret]"],
        [["[secret]"], "x"],
        ["[secret]", null],
      ]);
    });

    it("keeps an unknown inside a secret hidden and tentative", () => {
      const { changes, tentative } = diff({ a: new Secret("x") }, { a: new Secret(unknown) });
      expect(changes[0]?.after).toBe("[secret]");
      expect(tentative).toBe(true);
    });
  });

  describe("with values known only after apply", () => {
    it("counts them as tentative changes", () => {
      expect(diff({ a: 1, l: [1, 2] }, { a: unknown, l: [1, unknown] })).toEqual({
        changes: [
          { path: "a", before: 1, after: "[known after apply]", replaces: false },
          { path: "l[1]", before: 2, after: "[known after apply]", replaces: false },
        ],
        replace: false,
        tentative: true,
      });
    });

    it("is certain as soon as one change is", () => {
      expect(diff({ a: 1, b: 1 }, { a: unknown, b: 2 }).tentative).toBe(false);
      expect(diff({}, { a: unknown }).tentative).toBe(false);
      expect(diff({ a: new Secret([1]) }, { a: [unknown, 2] }).tentative).toBe(false);
    });

    it("is a tentative replacement when only an unknown value would force it", () => {
      const tentatively = diff(
        { cidr: 1, size: 1 },
        { cidr: unknown, size: 2 },
        { immutable: ["cidr"] },
      );
      expect(tentatively).toMatchObject({
        replace: true,
        tentative: true,
        reason: "cidr cannot be changed in place",
      });
      const surely = diff(
        { cidr: 1, zone: 1 },
        { cidr: unknown, zone: 2 },
        { immutable: ["cidr", "zone"] },
      );
      expect(surely).toMatchObject({
        replace: true,
        tentative: false,
        reason: "cidr, zone cannot be changed in place",
      });
    });

    it("proves a difference, but not equality, by the known keys of a partly known object", () => {
      const partly = new PartlyKnown({ region: "nyc3" });
      expect(diff({ net: { region: "nyc3", id: 1 } }, { net: partly }).tentative).toBe(true);
      expect(diff({ net: { region: "fra1", id: 1 } }, { net: partly }).tentative).toBe(false);
      expect(diff({ net: "text" }, { net: partly }).tentative).toBe(false);
      expect(diff({ net: partly }, { net: partly }).tentative).toBe(true);
    });
  });

  describe("replaces", () => {
    it("for any change inside an immutable property", () => {
      const { changes, replace } = diff(
        { net: { cidr: 1 }, size: 1 },
        { net: { cidr: 2 }, size: 2 },
        {
          immutable: ["net"],
        },
      );
      expect(replace).toBe(true);
      expect(changes.map(({ path, replaces }) => [path, replaces])).toEqual([
        ["net.cidr", true],
        ["size", false],
      ]);
    });

    it("for every change when all properties are immutable", () => {
      expect(diff({ a: 1 }, { a: 2 }, { immutable: ["*"] }).replace).toBe(true);
      expect(diff({ a: 1 }, { a: 1 }, { immutable: ["*"] }).replace).toBe(false);
    });

    it.for([
      ["*", true],
      ["settings", true],
      ["settings.size", true],
      ["settings.size.deep", false],
      ["settings.colour", false],
      ["set", false],
    ] as const)("for replaceOnChanges %s: %s", ([path, replace]) => {
      const before = { settings: { size: 1, colour: 1 } };
      const result = diff(
        before,
        { settings: { size: 2, colour: 1 } },
        { replaceOnChanges: [path] },
      );
      expect(result.replace).toBe(replace);
      expect(result.reason).toBe(replace ? `replaceOnChanges: ${path}` : undefined);
    });

    it("for a path inside a value that was added, removed or became unknown as a whole", () => {
      const options = { replaceOnChanges: ["rules[*].port"] };
      expect(diff({}, { rules: [{ port: 1 }] }, options)).toMatchObject({
        replace: true,
        tentative: false,
      });
      expect(diff({}, { rules: [{ name: 1 }] }, options).replace).toBe(false);
      expect(diff({ rules: [{ port: 1 }] }, { rules: unknown }, options)).toMatchObject({
        replace: true,
        tentative: true,
      });
    });
  });

  it("omits ignored changes, at the path and below", () => {
    const before = {
      tags: { a: 1 },
      settings: { size: 1, colour: 1 },
      rules: [{ port: 1 }, { port: 2 }],
    };
    const after = { settings: { size: 2, colour: 2 }, rules: [{ port: 3 }, { port: unknown }] };
    const ignoreChanges = ["tags", "settings.size", "rules[*].port"];
    expect(paths(diff(before, after, { ignoreChanges }))).toEqual(["settings.colour"]);
    expect(diff(before, after, { ignoreChanges: ["*"] }).changes).toEqual([]);
  });

  it("throws when an option is not a property path", () => {
    expect(() => diff({}, {}, { ignoreChanges: ["a["] })).toThrow(/"a\[" is not a property path/);
  });

  it("agrees with equality on any JSON, apart from null members", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (a, b) => {
          const [before, after] = [
            JSON.parse(JSON.stringify(a)),
            JSON.parse(JSON.stringify(b)),
          ] as [ValueMap, ValueMap];
          expect(diff(before, structuredClone(before)).changes).toEqual([]);
          const same = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));
          expect(diff(before, after).changes.length === 0).toBe(same);
        },
      ),
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ["list", ...value.map(sorted)];
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .filter(([, item]) => item !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}

describe("applyIgnored", () => {
  it("keeps the old value or absence and does not change its arguments", () => {
    const before: ValueMap = { size: 1, settings: { a: 1, b: 1 } };
    const after: ValueMap = { size: 2, fresh: 1, settings: { a: 2, c: 2 } };
    const copies = structuredClone([before, after]);
    expect(
      applyIgnored(before, after, ["size", "fresh", "settings.a", "settings.b", "settings.c"]),
    ).toEqual({
      size: 1,
      settings: { a: 1, b: 1 },
    });
    expect([before, after]).toEqual(copies);
  });

  it("creates the maps that contain an old value, and leaves no empty ones", () => {
    expect(applyIgnored({ a: { b: { c: 1, d: 1 } } }, {}, ["a.b.c"])).toEqual({
      a: { b: { c: 1 } },
    });
    expect(applyIgnored({}, { a: { b: { c: 1 } } }, ["a.b.c"])).toEqual({});
    expect(applyIgnored({}, { a: {} }, ["a.b"])).toEqual({ a: {} });
  });

  it("handles list items one by one, if both lists have them", () => {
    const before = { rules: [{ port: 1 }, { port: 2 }] };
    expect(
      applyIgnored(before, { rules: [{ port: 8 }, { port: 9 }, { port: 10 }] }, ["rules[*].port"]),
    ).toEqual({
      rules: [{ port: 1 }, { port: 2 }, { port: 10 }],
    });
    expect(applyIgnored(before, { rules: [{ port: 8 }] }, ["rules[1]"])).toEqual({
      rules: [{ port: 8 }, { port: 2 }],
    });
    expect(applyIgnored({ rules: [] }, { rules: [1] }, ["rules[0]"])).toEqual({ rules: [] });
  });

  it("applies inside secrets and keeps them secret", () => {
    const secret = new Secret({ user: "u", password: "old" });
    const result = applyIgnored({ login: secret }, { login: { user: "v", password: "new" } }, [
      "login.password",
    ]);
    expect(result).toEqual({ login: { user: "v", password: new Secret("old") } });
    expect(applyIgnored({ a: { b: 1 } }, { a: new Secret({ b: 2 }) }, ["a.b"])).toEqual({
      a: new Secret({ b: 1 }),
    });
  });

  it("leaves unknown values and values without such a path unchanged", () => {
    expect(applyIgnored({ a: { b: 1 } }, { a: unknown }, ["a.b"])).toEqual({ a: unknown });
    expect(applyIgnored({ a: { b: 1 } }, { a: "text" }, ["a.b"])).toEqual({ a: "text" });
  });

  it("returns the old inputs for *", () => {
    expect(applyIgnored({ a: 1 }, { b: 2 }, ["*"])).toEqual({ a: 1 });
  });

  it("does not set a prototype", () => {
    const before = JSON.parse('{"__proto__":{"a":1}}') as ValueMap;
    const result = applyIgnored(before, {}, ["__proto__.a"]);
    expect(Object.keys(result)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});

describe("facts at any depth", () => {
  const changes = (before: ValueMap, after: ValueMap, facts: DiffFacts) =>
    diffInputs(before, after, facts, { ignoreChanges: [], replaceOnChanges: [] });

  it("replace for a nested immutable property, and for nothing beside it", () => {
    const before = { settings: { tier: "a", labels: { x: 1 } }, disks: [{ type: "ssd", size: 1 }] };
    const facts = { immutable: ["settings.tier", "disks[*].type"] };
    const beside = { settings: { tier: "a", labels: {} }, disks: [{ type: "ssd", size: 2 }] };
    expect(changes(before, beside, facts)).toMatchObject({ replace: false });
    const tier = { ...beside, settings: { tier: "b" } };
    expect(changes(before, tier, facts)).toMatchObject({
      replace: true,
      reason: "settings.tier cannot be changed in place",
    });
    const type = { ...before, disks: [{ type: "hdd", size: 1 }] };
    expect(changes(before, type, facts)).toMatchObject({
      replace: true,
      reason: "disks[*].type cannot be changed in place",
      changes: [{ path: "disks[0].type", replaces: true }],
    });
  });

  it("replace for a nested immutable property that disappears with its parent, or is known after apply", () => {
    const facts = { immutable: ["settings.tier"] };
    const before = { settings: { tier: "a" } };
    expect(changes(before, {}, facts)).toMatchObject({ replace: true, tentative: false });
    expect(changes(before, { settings: unknown }, facts)).toMatchObject({
      replace: true,
      tentative: true,
    });
    expect(changes(before, { settings: new PartlyKnown({ tier: "a" }) }, facts).tentative).toBe(
      true,
    );
  });

  it("do not replace for an item that is added or removed", () => {
    const facts = { immutable: ["disks[*].type"] };
    const one = { disks: [{ type: "ssd" }] };
    const two = { disks: [{ type: "ssd" }, { type: "hdd" }] };
    for (const [before, after] of [
      [one, two],
      [two, one],
      [{}, two],
      [two, {}],
    ] as const)
      expect(changes(before, after, facts), JSON.stringify([before, after])).toMatchObject({
        replace: false,
      });
  });

  it("see no change in the order of a set or in meaningless letter case", () => {
    const facts = {
      immutable: ["rules[*].kind"],
      sets: ["rules"],
      caseInsensitive: ["size", "zones[*]"],
    };
    const before = {
      rules: [{ kind: "a" }, { kind: "b" }],
      size: "Standard_B1s",
      zones: ["EU-1"],
      list: [1, 2],
    };
    const same = {
      rules: [{ kind: "b" }, { kind: "a" }],
      size: "standard_b1S",
      zones: ["eu-1"],
      list: [1, 2],
    };
    expect(changes(before, same, facts)).toMatchObject({ changes: [], replace: false });
    expect(changes(before, { ...same, list: [2, 1] }, facts).changes).toHaveLength(2);
    expect(paths(changes(before, { ...same, size: "other", zones: ["us-1"] }, facts))).toEqual([
      "size",
      "zones[0]",
    ]);
    // The items stay the same: one is added, and none changes its kind.
    const more = { ...same, rules: [{ kind: "c" }, { kind: "b" }, { kind: "a" }] };
    expect(changes(before, more, facts)).toMatchObject({
      replace: false,
      changes: [{ path: "rules[2]", before: null, after: { kind: "c" } }],
    });
  });
});
