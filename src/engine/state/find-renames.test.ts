import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResolveError } from "#engine/template/resolve-error.ts";
import {
  deployed,
  emptyState,
  type ModelProgram,
  modelTemplate,
} from "#test/support/model-instance.ts";
import { knownIn } from "#test/support/stored-resource.ts";
import { adoptAliases } from "./adopt-aliases.ts";
import { findRenames } from "./find-renames.ts";
import { aliasUsers, spendAliases } from "./spend-aliases.ts";
import { type InstanceState, objectKey, type StoredResource } from "./state.ts";

/** Resources by name with their aliases. */
type Names = { [name: string]: string[] };

const program = (names: Names): ModelProgram =>
  Object.fromEntries(
    Object.entries(names).map(([name, aliases]) => [name, { options: { aliases } }]),
  );
const template = (names: Names) => modelTemplate(program(names));
const objects = (...names: string[]) =>
  deployed(program(Object.fromEntries(names.map((name) => [name, []])))).state;
let count = 0;
/** The state after these templates were deployed one after the other, each completely. */
const after = (first: InstanceState, ...versions: Names[]): InstanceState => {
  let current = first.current;
  for (const names of versions) {
    const adopted = adoptAliases({ ...first, current }, template(names)).current;
    const users = aliasUsers(template(names));
    // As a run stores the objects that it creates.
    const made = objects(...Object.keys(names));
    const created = Object.keys(names).map((name) =>
      spendAliases({ ...knownIn(made, name), id: `${name}-${count++}` }, users),
    );
    current = new Map(
      created.map(
        (one) => [one.name, adopted.get(one.name) ?? one] satisfies [string, StoredResource],
      ),
    );
  }
  return { ...first, current };
};
const renames = (state: InstanceState, names: Names) =>
  Object.fromEntries(findRenames(state, template(names)));
const refusal = (state: InstanceState, names: Names): ResolveError => {
  try {
    findRenames(state, template(names));
  } catch (error) {
    if (error instanceof ResolveError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
};

describe("aliases", () => {
  it("are one simultaneous mapping: swaps, circles and chains", () => {
    expect(renames(objects("a", "b"), { a: ["b"], b: ["a"] })).toEqual({ a: "b", b: "a" });
    expect(renames(objects("a", "b", "c"), { a: ["b"], b: ["c"], c: ["a"] })).toEqual({
      b: "a",
      c: "b",
      a: "c",
    });
    expect(renames(objects("a", "b"), { b: ["a"], c: ["b"] })).toEqual({ a: "b", b: "c" });
    expect(renames(objects("a", "b"), { c: ["b"], b: ["a"] })).toEqual({ a: "b", b: "c" });
  });

  it("take precedence over an object's present name, which a new resource may take over", () => {
    expect(renames(objects("net"), { network: ["net"], net: [] })).toEqual({ net: "network" });
  });

  it("do not mean an object that was created beside them", () => {
    const reused = { network: ["net"], net: [] };
    expect(renames(after(objects("net"), reused), reused)).toEqual({});
    const swapping = { a: ["b"], b: ["a"] };
    expect(renames(after(emptyState, swapping), swapping)).toEqual({});
    // Nor after a version without them.
    expect(renames(after(emptyState, swapping, { a: [], b: [] }), swapping)).toEqual({});
    // Nor after a crash between the creates of the two.
    const first = after(emptyState, reused);
    const [, net] = [...first.current];
    expect(renames({ ...first, current: new Map(net && [net]) }, reused)).toEqual({});
  });

  it("mean an object after all if it would be deleted and another created", () => {
    const { current, ...rest } = after(emptyState, { network: ["net"], net: [] });
    const left = { ...rest, current: new Map([...current].filter(([name]) => name === "net")) };
    expect(renames(left, { network: ["net"] })).toEqual({ net: "network" });
  });

  it("have no effect on two resources that both have their objects", () => {
    expect(renames(objects("a", "b"), { a: ["b"], b: [] })).toEqual({});
    expect(renames(objects("a", "b"), { a: ["a", "b"], b: ["nothing"] })).toEqual({});
  });

  it.for<[string, string[], Names, string]>([
    ["two resources for one object", ["net"], { a: ["net"], b: ["net"] }, "Both a and b"],
    ["two objects for one resource", ["x", "y"], { a: ["x", "y"] }, "object x and the object y"],
    ["an object beside the resource's own", ["a", "b"], { a: ["b"] }, "a has an object already"],
  ])("refuse %s, and name them", ([, existing, names, message]) => {
    const error = refusal(objects(...existing), names);
    expect(error.code).toBe("ambiguous_alias");
    expect(error.message).toContain(message);
  });
});

describe("aliases of former names", () => {
  const twice = () => after(objects("a1"), { a2: ["a1"] });

  it("mean the object that had the name", () => {
    expect(renames(twice(), { a3: ["a1"] })).toEqual({ a2: "a3" });
    expect(renames(twice(), { a3: ["a1", "a2"] })).toEqual({ a2: "a3" });
    const thrice = after(twice(), { a3: ["a2"] });
    expect(renames(thrice, { a4: ["a1", "a2"] })).toEqual({ a3: "a4" });
  });

  it("mean another object if one has the name now", () => {
    const reused = after(twice(), { a2: [], a1: [] });
    expect(renames(reused, { a3: ["a1"], a2: [] })).toEqual({ a1: "a3" });
  });

  it("take no object from a resource that stays, and none of another type", () => {
    expect(renames(twice(), { a2: [], a3: ["a1"] })).toEqual({});
    const other = modelTemplate({ a3: { type: "model:Rigid", options: { aliases: ["a1"] } } });
    expect(findRenames(twice(), other).size).toBe(0);
  });

  it("move on a chain", () => {
    const renamed = after(objects("a", "x"), { b: ["a"], c: ["x"] });
    expect(renames(renamed, { c: ["a"], d: ["x"] })).toEqual({ b: "c", c: "d" });
  });

  it("refuse two objects that both had the name", () => {
    const both = after(after(objects("x"), { y: ["x"] }), { y: [], x: [] }, { y: [], z: ["x"] });
    expect(refusal(both, { w: ["x"] }).message).toContain("the object y and the object z");
  });
});

describe("former names", () => {
  it("apply after aliases", () => {
    const forth = after(objects("net"), { network: ["net"] });
    expect(renames(forth, { net: [] })).toEqual({ network: "net" });
    expect(renames(forth, { net: [], lan: ["network"] })).toEqual({ network: "lan" });
  });

  it("undo a chain of renames, but not a swap, whose names are ambiguous", () => {
    const chained = after(objects("a", "b"), { b: ["a"], c: ["b"] });
    expect(renames(chained, { a: [], b: [] })).toEqual({ b: "a", c: "b" });
    expect(renames(after(chained, { a: [], b: [] }), { b: ["a"], c: ["b"] })).toEqual({
      a: "b",
      b: "c",
    });
    const swapped = after(objects("a", "b"), { a: ["b"], b: ["a"] });
    expect(renames(swapped, { a: [], b: [] })).toEqual({});
  });

  it("are refused when two objects had the name, or one object had both", () => {
    const once = after(objects("net"), { lan: ["net"] });
    const twice = after(once, { lan: [], net: [] }, { lan: [], wan: ["net"] });
    expect(refusal(twice, { net: [] }).message).toContain("object lan and the object wan");
    const moved = after(objects("a"), { b: ["a"] }, { c: ["b"] });
    expect(refusal(moved, { a: [], b: [] }).message).toContain("Both a and b");
  });

  it("are refused for an object that an alias would replace by another", () => {
    const reused = after(objects("a"), { b: ["a"] }, { c: ["b"], a: [] });
    const { message } = refusal(reused, { b: ["a"] });
    expect(message).toContain("the object a by an alias, and the object c");
    expect(renames(reused, { b: ["a"], c: [] })).toEqual({ a: "b" });
  });
});

it("never loses an object or gives a name twice, and is stable after one deploy", () => {
  const names = ["a", "b", "c", "d"];
  // An alias belongs to one resource, as the check of a template requires.
  const version = fc
    .tuple(
      fc.subarray(names),
      fc.array(fc.constantFrom(...names, ""), { minLength: 4, maxLength: 4 }),
    )
    .map(([declared, users]) =>
      Object.fromEntries(
        declared.map((name) => [name, names.filter((_, at) => users[at] === name)]),
      ),
    );
  fc.assert(
    fc.property(fc.subarray(names), fc.array(version, { maxLength: 4 }), (first, versions) => {
      let state = objects(...first);
      for (const next of versions) {
        let adopted: InstanceState;
        try {
          adopted = adoptAliases(state, template(next));
        } catch (error) {
          expect(error).toBeInstanceOf(ResolveError);
          continue;
        }
        expect(adopted.current.size).toBe(state.current.size);
        expect(new Set([...adopted.current.values()].map(objectKey)).size).toBe(state.current.size);
        expect(adoptAliases(adopted, template(next))).toBe(adopted);
        // A resource whose object has its name, or takes it on, is not created again.
        const kept = Object.keys(next).filter((name) => adopted.current.has(name));
        const before = Object.keys(next).filter((name) => state.current.has(name));
        expect(kept.length).toBeGreaterThanOrEqual(
          before.length - findRenames(state, template(next)).size,
        );
        state = after(state, next);
        expect(renames(state, next)).toEqual({});
      }
    }),
    { numRuns: 500 },
  );
});
