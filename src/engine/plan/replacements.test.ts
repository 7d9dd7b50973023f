import { describe, expect, it } from "vitest";
import { ResolveError } from "#engine/template/resolve-error.ts";
import {
  actionsOf,
  deployed,
  type ModelInstance,
  modelPlan,
  type ModelProgram,
  reference,
  waitsOf,
} from "#test/support/model-instance.ts";
import { knownIn } from "#test/support/stored-resource.ts";

function refusalOf(program: ModelProgram, { state }: ModelInstance): ResolveError | undefined {
  try {
    modelPlan(program, state);
    return undefined;
  } catch (error) {
    if (error instanceof ResolveError) return error;
    throw error;
  }
}

describe("an object inside one that is deleted first", () => {
  const zone = (fixed: number, more = {}): ModelProgram => ({
    zone: { type: "model:Unique", properties: { name: "shop.example", fixed }, ...more },
    www: { type: "model:Inner", properties: { in: reference("zone", "name"), data: 1 } },
    other: { properties: { about: reference("zone", "name") } },
  });

  it("is created again with it, although the container's name stays the same", () => {
    const instance = deployed(zone(1));
    const plan = modelPlan(zone(2), instance.state);
    expect(actionsOf(plan)).toEqual({ zone: "replace", www: "replace", other: "unchanged" });
    expect(plan.changes[1]?.reason).toContain("it is in zone, which is deleted first");
    expect(waitsOf(plan)).toMatchObject({
      "delete:zone": ["delete:www"],
      "apply:zone": ["delete:zone"],
      "apply:www": expect.arrayContaining(["apply:zone", "delete:www"]),
    });
    const before = knownIn(instance.state, "www").id;
    instance.run(zone(2));
    expect(knownIn(instance.state, "www").id).not.toBe(before);
    expect(actionsOf(modelPlan(zone(2), instance.state))).toMatchObject({ www: "unchanged" });
  });

  it("is found by a written-out value too, if it depends on the other", () => {
    const literal = (fixed: number): ModelProgram => ({
      ...zone(fixed),
      www: {
        type: "model:Inner",
        properties: { in: "shop.example" },
        options: { dependsOn: ["zone"] },
      },
    });
    expect(actionsOf(modelPlan(literal(2), deployed(literal(1)).state))).toMatchObject({
      www: "replace",
    });
  });

  it("stays if the other stays at the provider, or keeps its object", () => {
    const retained = (fixed: number) => zone(fixed, { options: { retainOnDelete: true } });
    expect(actionsOf(modelPlan(retained(2), deployed(retained(1)).state))).toMatchObject({
      www: "unchanged",
    });
    expect(actionsOf(modelPlan(zone(1), deployed(zone(1)).state))).toMatchObject({
      www: "unchanged",
    });
  });
});

describe("a replacement under the same unique name", () => {
  const tls = (properties: object, options = {}): ModelProgram => ({
    tls: { type: "model:Named", properties: { ...properties }, options },
  });

  it("is refused, since the old object would have to be deleted first", () => {
    const instance = deployed(tls({ name: "tls", fixed: 1 }));
    for (const name of ["tls", "TLS"]) {
      const refusal = refusalOf(tls({ name, fixed: 2 }), instance);
      expect(refusal).toMatchObject({ code: "name_in_use" });
      expect(refusal?.message).toBe(
        "tls has to be replaced (fixed cannot be changed in place), and the replacement cannot be created while the old object has the same `name`. To create the new object first, give it another `name`, or leave `name` out, so that every object gets a name of its own. To delete the old object first, with all that is in it, set `deleteBeforeReplace: true` on tls.",
      );
    }
  });

  it("is created after the old object's delete if the template allows it, and the plan names the possible loss", () => {
    const after = tls({ name: "tls", fixed: 2 }, { deleteBeforeReplace: true });
    const plan = modelPlan(after, deployed(tls({ name: "tls", fixed: 1 })).state);
    expect(waitsOf(plan)).toEqual({ "apply:tls": ["delete:tls"], "delete:tls": [] });
    expect(plan.changes[0]?.reason).toBe(
      "fixed cannot be changed in place; deleted first: if the create then fails, nothing is left",
    );
  });

  it("is refused during the run if the value was not known before", () => {
    const made = (size: number): ModelProgram => ({
      net: { properties: { size } },
      ...tls({ name: "tls", fixed: reference("net", "computed") }),
    });
    const instance = deployed(made(1));
    expect(actionsOf(modelPlan(made(2), instance.state))).toMatchObject({ tls: "replace?" });
    expect(() => instance.run(made(2))).toThrow(/has to be replaced/);
    expect(instance.objects.size).toBe(2);
  });

  it("is recognized by the id, if the cloud derives it from the properties", () => {
    const placed = (properties: object): ModelProgram => ({
      disk: { type: "model:Placed", properties: { ...properties } },
    });
    const instance = deployed(placed({ place: "disk-1", at: 1 }));
    expect(refusalOf(placed({ place: "disk-1", at: 2 }), instance)?.message).toContain(
      "the same id",
    );
    expect(refusalOf(placed({ place: "disk-2", at: 2 }), instance)).toBeUndefined();
  });

  it("is recognized by the identifying properties, if the type has no name of its own", () => {
    const keyed = (properties: object): ModelProgram => ({
      route: { type: "model:Keyed", properties: { ...properties } },
    });
    const instance = deployed(keyed({ zone: "a", host: "www", fixed: 1 }));
    expect(refusalOf(keyed({ zone: "a", host: "www", fixed: 2 }), instance)?.message).toContain(
      "the same `zone` and `host`",
    );
    expect(refusalOf(keyed({ zone: "a", host: "api", fixed: 2 }), instance)).toBeUndefined();
    expect(refusalOf(keyed({ zone: "a", fixed: 2 }), instance)).toBeUndefined();
  });

  it("is created first when its name differs, or is left to the engine", () => {
    for (const [before, after] of [
      [
        { name: "tls", fixed: 1 },
        { name: "tls-2", fixed: 2 },
      ],
      [{ fixed: 1 }, { fixed: 2 }],
      [{ name: "tls", fixed: 1 }, { fixed: 2 }],
    ] as const) {
      const plan = modelPlan(tls(after), deployed(tls(before)).state);
      expect(waitsOf(plan)).toEqual({ "apply:tls": [], "delete:tls": ["apply:tls"] });
    }
  });

  it("of an object that was not completely created comes after its delete, too", () => {
    const instance = deployed();
    instance.run(tls({ name: "tls" }), undefined, new Map([["apply:tls", "after"]]));
    expect(instance.state.current.get("tls")?.state).toBe("tainted");
    expect(waitsOf(modelPlan(tls({ name: "tls" }), instance.state))).toEqual({
      "apply:tls": ["delete:tls"],
      "delete:tls": [],
    });
  });
});

describe("create-only properties", () => {
  const grown = (properties: object, options = {}): ModelProgram => ({
    tree: { type: "model:Grown", properties: { ...properties }, options },
  });
  const planned = (before: object, after: object, options = {}): string | undefined =>
    actionsOf(modelPlan(grown(after, options), deployed(grown(before)).state))["tree"];

  it("can be left out later without a change", () => {
    expect(planned({ seed: 1 }, {})).toBe("unchanged");
  });

  it("cannot be changed: the refusal gives advice", () => {
    const refusal = refusalOf(grown({ seed: 2 }), deployed(grown({ seed: 1 })));
    expect(refusal).toMatchObject({ code: "only_at_create" });
    expect(refusal?.message).toMatch(/`seed` of tree .* Sow anew. .*replaceOnChanges/);
    expect(refusalOf(grown({ seed: 2 }), deployed(grown({})))).toMatchObject({
      code: "only_at_create",
    });
  });

  it("are ignored or replace the object if the template says so", () => {
    expect(planned({ seed: 1 }, { seed: 2 }, { ignoreChanges: ["seed"] })).toBe("unchanged");
    expect(planned({ seed: 1 }, { seed: 2 }, { replaceOnChanges: ["seed"] })).toBe("replace");
  });

  it("include a flag's other direction: set in place, unset by a replacement", () => {
    expect(planned({}, { flag: true })).toBe("update");
    expect(planned({ flag: true }, { flag: false })).toBe("replace");
    expect(planned({ flag: true }, {})).toBe("replace");
    expect(planned({ flag: false }, {})).toBe("update");
  });
});
