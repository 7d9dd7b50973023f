import { describe, expect, it } from "vitest";
import { ResolveError } from "#engine/template/resolve-error.ts";
import {
  deployed,
  type ModelProgram,
  type ModelResource,
  modelRenames,
  reference,
} from "#test/support/model-instance.ts";

const of =
  (type: string) =>
  (properties: object, options = {}): ModelResource => ({
    type,
    properties: { ...properties },
    options,
  });
const named = of("model:Named");
const labeled = of("model:Labeled");
const keyed = of("model:Keyed");

const renames = (before: ModelProgram, after: ModelProgram) =>
  modelRenames(after, deployed(before).state);

function refusal(before: ModelProgram, after: ModelProgram): string {
  try {
    renames(before, after);
  } catch (error) {
    if (error instanceof ResolveError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
}

describe("a new resource with the unique name of one that leaves", () => {
  it("is that resource under another name, if the object can be kept", () => {
    const old = { old: named({ name: "data", size: 1 }) };
    expect(renames(old, { new: named({ name: "data", size: 1 }) })).toEqual({ old: "new" });
    expect(renames(old, { new: named({ name: "data", size: 2 }) })).toEqual({ old: "new" });
    expect(
      renames({ old: keyed({ zone: 1, host: "a" }) }, { new: keyed({ zone: 1, host: "a" }) }),
    ).toEqual({ old: "new" });
  });

  it("is found for several at once", () => {
    expect(
      renames(
        { a: named({ name: "1" }), b: named({ name: "2" }), c: named({ name: "3" }) },
        { x: named({ name: "2" }), y: named({ name: "1" }), c: named({ name: "3" }) },
      ),
    ).toEqual({ a: "y", b: "x" });
  });

  it("is refused if the object would have to be replaced, with the alias to write", () => {
    const old = { old: named({ name: "data", fixed: 1 }) };
    expect(refusal(old, { new: named({ name: "data", fixed: 2 }) })).toBe(
      "unclear_rename: new gets the same `name` as old, which is no longer in the template and has it until it is deleted. If new is the new name of old, add `aliases: [old]` to new. Otherwise remove old in a deployment of its own first.",
    );
    expect(
      renames(old, { new: named({ name: "data", fixed: 2 }, { deleteBeforeReplace: true }) }),
    ).toEqual({ old: "new" });
  });

  it("is refused if two objects may be meant, or only the letter case differs", () => {
    const old = { old: named({ name: "data" }) };
    expect(refusal(old, { a: named({ name: "data" }), b: named({ name: "data" }) })).toContain(
      "unclear_rename",
    );
    expect(refusal(old, { new: named({ name: "Data" }) })).toContain("aliases: [old]");
  });

  it("is refused for a resource that keeps an object of its own", () => {
    const before = { old: named({ name: "data" }), kept: named({ name: "web", fixed: 1 }) };
    expect(refusal(before, { kept: named({ name: "data", fixed: 2 }) })).toBe(
      "unclear_rename: kept gets the same `name` as old, which is no longer in the template and has it until it is deleted. Remove old in a deployment of its own first.",
    );
  });

  it("is another object in another place, of another type, or with another or an unknown name", () => {
    const old = { old: named({ name: "data", zone: "a" }) };
    for (const after of [
      { new: named({ name: "data", zone: "b" }) },
      { new: labeled({ name: "data" }) },
      { new: named({ name: "other", zone: "a" }) },
      { new: named({ zone: "a" }) },
      { net: {}, new: named({ name: reference("net"), zone: "a" }) },
      { old: named({ name: "data", zone: "a" }), new: named({ name: "data", zone: "a" }) },
    ])
      expect(renames(old, after)).toEqual({});
  });

  it("is not looked for if an alias or an import names the object", () => {
    const old = { old: named({ name: "data" }) };
    expect(renames(old, { new: named({ name: "data" }, { aliases: ["old"] }) })).toEqual({});
    const retained = { old: named({ name: "data" }, { retainOnDelete: true }) };
    expect(renames(retained, { new: named({ name: "data" }, { import: "old-1" }) })).toEqual({});
  });
});

describe("a new resource with the id of one that leaves", () => {
  const placed = of("model:Placed");
  it("is that resource", () => {
    const before = deployed({ old: placed({ place: "old-1" }) });
    expect(modelRenames({ new: placed({ place: "old-1" }) }, before.state)).toEqual({ old: "new" });
    expect(modelRenames({ new: placed({ place: "new-1" }) }, before.state)).toEqual({});
  });
});

describe("a new resource with a name that others may share", () => {
  it("is the leaving one of that name, if it is the only one and the object can be kept", () => {
    const old = { old: labeled({ name: "web", fixed: 1 }) };
    expect(renames(old, { new: labeled({ name: "web", fixed: 1 }) })).toEqual({ old: "new" });
    expect(renames(old, { new: labeled({ name: "web", fixed: 2 }) })).toEqual({});
    expect(renames(old, { new: labeled({ name: "Web", fixed: 1 }) })).toEqual({});
  });

  it("is created anew if several may be meant", () => {
    const two = { a: labeled({ name: "web" }), b: labeled({ name: "web" }) };
    expect(renames(two, { x: labeled({ name: "web" }) })).toEqual({});
    expect(renames(two, { x: labeled({ name: "web" }), y: labeled({ name: "web" }) })).toEqual({});
  });
});
