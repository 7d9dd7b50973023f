import { describe, expect, it } from "vitest";
import type { InstanceState, KnownResource, StoredResource } from "#engine/state/state.ts";
import { Secret } from "#engine/value.ts";
import {
  actionsOf,
  deployed,
  emptyState,
  modelFacts,
  modelPlan,
  modelTemplate,
  reference,
  waitsOf,
  type ModelProgram,
} from "#test/support/model-instance.ts";
import { asLost, knownIn } from "#test/support/stored-resource.ts";
import { makePlan, protectedResources } from "./plan.ts";

function withStored(
  state: InstanceState,
  name: string,
  change: Partial<KnownResource>,
): InstanceState {
  const stored = knownIn(state, name);
  return { ...state, current: new Map(state.current).set(name, { ...stored, ...change }) };
}

function withLost(state: InstanceState, name: string): InstanceState {
  return { ...state, current: new Map(state.current).set(name, asLost(knownIn(state, name))) };
}

const net = (
  properties: NonNullable<ModelProgram[string]["properties"]> = {},
  type = "model:Plain",
) => ({
  net: { type, properties: { name: "net", ...properties } },
});

describe("a deploy", () => {
  it("creates missing objects, each after its dependencies", () => {
    const plan = modelPlan(
      {
        web: { properties: { net: reference("net"), db: reference("db", "name") } },
        db: { properties: { name: "d" } },
        ...net(),
      },
      { ...emptyState, serial: 7 },
    );
    expect(plan).toMatchObject({
      operation: "deploy",
      stateSerial: 7,
      summary: { create: 3, update: 0, replace: 0, delete: 0, unchanged: 0 },
    });
    expect(plan.changes.map(({ resource }) => resource)).toEqual(["web", "db", "net"]);
    expect(plan.changes[0]).toEqual({
      resource: "web",
      type: "model:Plain",
      action: "create",
      tentative: false,
      changes: [
        { path: "db", before: null, after: "d", replaces: false },
        { path: "net", before: null, after: "[known after apply]", replaces: false },
      ],
    });
    expect(plan.steps).toEqual([
      {
        id: "apply:db",
        kind: "apply",
        resource: "db",
        type: "model:Plain",
        action: "create",
        dependsOn: [],
      },
      {
        id: "apply:net",
        kind: "apply",
        resource: "net",
        type: "model:Plain",
        action: "create",
        dependsOn: [],
      },
      {
        id: "apply:web",
        kind: "apply",
        resource: "web",
        type: "model:Plain",
        action: "create",
        dependsOn: ["apply:db", "apply:net"],
      },
    ]);
  });

  it("has no steps when nothing changed", () => {
    const program = { ...net(), web: { properties: { net: reference("net") } } };
    const plan = modelPlan(program, deployed(program).state);
    expect(plan.steps).toEqual([]);
    expect(plan.summary).toEqual({ create: 0, update: 0, replace: 0, delete: 0, unchanged: 2 });
  });

  it("updates, and resolves references to the known id and inputs", () => {
    const program = (size: number): ModelProgram => ({
      ...net({ size }),
      byId: { properties: { net: reference("net") } },
      bySize: { properties: { size: reference("net", "size") } },
      byComputed: { properties: { link: reference("net", "computed") } },
      byFixed: { properties: { fixed: reference("net", "stable") } },
    });
    const plan = modelPlan(program(2), deployed(program(1)).state);
    expect(actionsOf(plan)).toEqual({
      net: "update",
      byId: "unchanged",
      bySize: "update",
      byComputed: "update?",
      byFixed: "replace?",
    });
    expect(plan.changes[0]).toMatchObject({
      id: "net-1",
      changes: [{ path: "size", before: 1, after: 2 }],
    });
  });

  it("omits dependencies on unchanged resources", () => {
    const program = (size: number): ModelProgram => ({
      ...net(),
      web: { properties: { net: reference("net"), size } },
    });
    expect(waitsOf(modelPlan(program(2), deployed(program(1)).state))).toEqual({ "apply:web": [] });
  });

  it("shows no secrets", () => {
    const before = deployed(net({ password: new Secret("hunter1") })).state;
    const text = JSON.stringify(modelPlan(net({ password: new Secret("hunter2") }), before));
    expect(text).toContain("[secret]");
    expect(text).not.toContain("hunter");
  });

  it("gives the import id as the reason", () => {
    const plan = modelPlan(
      {
        net: { options: { import: "vpc-1" } },
        web: { properties: { net: reference("net") } },
      },
      emptyState,
    );
    expect(plan.changes[0]).toMatchObject({ action: "create", reason: "import vpc-1" });
    expect(plan.changes[1]?.changes[0]?.after).toBe("vpc-1");
    const state = deployed({ net: { options: { import: "vpc-1" } } }).state;
    expect(modelPlan({ net: { options: { import: "vpc-1" } } }, state).steps).toEqual([]);
  });

  it("rejects two resources for one object", () => {
    const before = deployed(net()).state;
    const id = knownIn(before, "net").id;
    const importing = (options: object, type = "model:Plain"): ModelProgram => ({
      ...net(),
      lan: { type, options: { import: id, ...options } },
    });
    const renamed = { lan: { properties: { name: "net" }, options: { import: id } } };
    expect(() => modelPlan(importing({}), before)).toThrow("already belongs to net");
    expect(() => modelPlan(renamed, before)).toThrow("add the alias `net` to lan");
    const pending = { ...emptyState, pendingDeletes: [...before.current.values()] };
    expect(() => modelPlan(renamed, pending)).toThrow("already belongs to net");
    const twice = { ...importing({}), wan: { options: { import: id } } };
    expect(() => modelPlan(twice, emptyState)).toThrow("wan imports");

    expect(modelPlan(importing({}, "model:Rigid"), before).summary.create).toBe(1);
    expect(
      modelPlan({ lan: { ...renamed.lan, options: { import: id, aliases: ["net"] } } }, before)
        .steps,
    ).toEqual([]);
    // One resource releases the object without deleting it, the other imports it.
    const kept = withStored(before, "net", { retainOnDelete: true });
    expect(modelPlan(renamed, kept).summary).toMatchObject({ create: 1, delete: 1 });
  });

  it("keeps ignored properties unchanged, also for resources that refer to them", () => {
    const program = (size: number): ModelProgram => ({
      net: { properties: { size }, options: { ignoreChanges: ["size"] } },
      web: { properties: { size: reference("net", "size") } },
    });
    expect(modelPlan(program(2), deployed(program(1)).state).steps).toEqual([]);
  });

  it("finds a resource by its former name", () => {
    const before = deployed({ ...net(), web: { properties: { net: reference("net") } } }).state;
    const plan = modelPlan(
      {
        lan: { properties: { name: "net" }, options: { aliases: ["net"] } },
        web: { properties: { net: reference("lan") } },
      },
      before,
    );
    expect(plan.steps).toEqual([]);
    expect(plan.changes[0]).toMatchObject({
      resource: "lan",
      action: "unchanged",
      movedFrom: "net",
    });
    // A run that has already renamed the resource still reports it.
    const again = makePlan({
      operation: "deploy",
      template: modelTemplate({ ...net(), web: {} }),
      dependencies: new Map(),
      order: ["net", "web"],
      state: before,
      movedFrom: { net: "lan" },
      facts: modelFacts,
      resolve: () => ({}),
    });
    expect(again.changes.map(({ movedFrom }) => movedFrom)).toEqual(["lan", undefined]);
  });

  it("handles resources named like inherited members", () => {
    const program: ModelProgram = JSON.parse(
      '{"__proto__":{"properties":{"size":1}},"constructor":{"properties":{"a":{"of":"__proto__","key":"id"}}}}',
    ) as ModelProgram;
    const plan = modelPlan(program, emptyState);
    expect(plan.steps.map(({ id }) => id)).toEqual(["apply:__proto__", "apply:constructor"]);
    expect(modelPlan({}, deployed(program).state).summary.delete).toBe(2);
  });

  it("throws without a template or with a resource missing from the order", () => {
    const input = {
      dependencies: new Map(),
      order: [],
      state: emptyState,
      facts: modelFacts,
      resolve: () => ({}),
    };
    expect(() => makePlan({ ...input, operation: "deploy", template: undefined })).toThrow(
      /needs a template/,
    );
    expect(() =>
      makePlan({ ...input, operation: "deploy", template: modelTemplate(net()) }),
    ).toThrow(/Resource net/);
  });
});

describe("a resource whose last change failed", () => {
  it("is replaced when it was created only in part", () => {
    const { state } = deployed(net());
    expect(
      modelPlan(net(), withStored(state, "net", { state: "tainted" })).changes[0],
    ).toMatchObject({
      action: "replace",
      tentative: false,
      id: "net-1",
      reason: "tainted",
    });
  });

  it("is updated again when the update may not have taken effect, even if nothing differs", () => {
    const { state } = deployed(net({ at: 1 }));
    const unsure = withStored(state, "net", { state: "unsure" });
    expect(modelPlan(net({ at: 1 }), unsure).changes[0]).toMatchObject({
      action: "update",
      tentative: false,
      changes: [],
      reason: "the last update may not have taken effect",
    });
    expect(modelPlan(net({ at: 2 }), unsure).changes[0]?.action).toBe("replace");
  });

  it("is not updated again if no update can change it", () => {
    const rigid = net({}, "model:Rigid");
    const unsure = withStored(deployed(rigid).state, "net", { state: "unsure" });
    expect(modelPlan(rigid, unsure).changes[0]?.action).toBe("unchanged");
  });

  it("is read first when its create timed out, even if nothing differs, and stays protected", () => {
    const { state } = deployed(net({ at: 1 }));
    const unready = withStored(state, "net", { state: "unready", protect: true });
    const plan = modelPlan(net({ at: 1 }), unready);
    expect(plan.changes[0]).toMatchObject({
      action: "update",
      tentative: false,
      changes: [],
      reason: "its create or delete was not seen to end: read first, and kept if it is usable",
    });
    // No object is deleted before it was read.
    expect(plan.steps.map(({ id }) => id)).toEqual(["apply:net"]);
    expect(protectedResources(plan, unready, modelTemplate(net({ at: 1 })))).toEqual([]);
    const immutable = modelPlan(net({ at: 2 }), unready);
    expect(immutable.changes[0]?.action).toBe("replace");
    expect(protectedResources(immutable, unready, modelTemplate(net({ at: 2 })))).toEqual(["net"]);
  });

  it("has no id for others before it was read, when its delete was not seen to end", () => {
    const program = { net: { properties: {} }, app: { properties: { net: reference("net") } } };
    const { state } = deployed(program);
    const planOf = (as: "unready" | "deleting") =>
      modelPlan(program, withStored(state, "net", { state: as }));
    expect(planOf("unready").changes[1]).toMatchObject({ action: "unchanged" });
    const doubtful = planOf("deleting");
    expect(doubtful.changes[1]?.changes).toMatchObject([{ after: "[known after apply]" }]);
    expect(doubtful.steps.map(({ id }) => id)).toEqual(["apply:net", "apply:app"]);
  });

  it("is forgotten without a delete when it was replaced or lost, and its resource now sets retainOnDelete", () => {
    const { state } = deployed(net());
    const object = knownIn(state, "net");
    const lost = asLost(object);
    const plan = (pending: StoredResource, retainOnDelete: boolean) => {
      const program = { net: { ...net().net, options: { retainOnDelete } } };
      return modelPlan(program, { ...state, pendingDeletes: [pending] }).steps;
    };
    expect(plan(lost, true)).toMatchObject([{ id: "delete:net:t", retain: true }]);
    expect(plan(lost, false)[0]).not.toHaveProperty("retain");
    const replaced = { ...object, id: "net-0" };
    expect(plan(replaced, true)).toMatchObject([{ id: "delete:net:net-0", retain: true }]);
    expect(plan(replaced, false)[0]).not.toHaveProperty("retain");
  });

  it("is shown without an id, and is still protected, when its create was lost", () => {
    const guarded = (label: string) => ({
      net: { properties: { label }, options: { protect: true } },
    });
    const { state } = deployed(guarded("one"));
    const lost = withLost(state, "net");
    const plan = modelPlan(guarded("two"), lost);
    expect(plan.changes[0]).toMatchObject({ action: "replace" });
    expect(plan.changes[0]).not.toHaveProperty("id");
    expect(protectedResources(plan, lost, modelTemplate(guarded("two")))).toEqual(["net"]);
  });

  it("is looked for and kept when its create was lost and its properties are unchanged", () => {
    const program = (label: string, retainOnDelete = false) => ({
      net: { properties: { label }, options: { retainOnDelete } },
      app: { properties: { net: reference("net") } },
    });
    const changesOf = (lost: InstanceState, next: ModelProgram) =>
      modelPlan(next, lost).changes.map(({ resource, action, tentative }) =>
        tentative ? [resource, action, "tentative"] : [resource, action],
      );
    const lost = withLost(deployed(program("one")).state, "net");
    const plan = modelPlan(program("one"), lost);
    expect(plan.steps[0]).toMatchObject({ id: "apply:net", action: "update" });
    expect(plan.steps.filter(({ kind }) => kind === "delete")).toEqual([]);
    expect(plan.changes[0]).toMatchObject({ reason: expect.stringContaining("never answered") });
    // The planned id is not the state's.
    expect(plan.changes[1]?.changes).toMatchObject([{ after: "[known after apply]" }]);
    expect(changesOf(lost, program("two"))[0]).toEqual(["net", "replace"]);
    // An object that would stay at the provider after its replacement would be forgotten.
    const retained = withLost(deployed(program("one", true)).state, "net");
    expect(changesOf(retained, program("two", true))[0]).toEqual(["net", "update"]);
    expect(changesOf(retained, program("two"))[0]).toEqual(["net", "update"]);
    // A template that sets the option now wants the object forgotten.
    expect(changesOf(lost, program("two", true))[0]).toEqual(["net", "replace"]);
  });
});

describe("protectedResources", () => {
  const guarded = (at: number, protect: boolean): ModelProgram => ({
    net: { properties: { at }, options: { protect } },
  });

  it("lists resources that would be deleted or replaced although the old or new declaration protects them", () => {
    const { state } = deployed(guarded(1, true));
    const named = (program: ModelProgram, of = state) =>
      protectedResources(modelPlan(program, of), of, modelTemplate(program));
    expect(named({})).toEqual(["net"]);
    expect(named(guarded(2, true))).toEqual(["net"]);
    expect(named(guarded(2, false))).toEqual(["net"]);
    expect(named(guarded(1, true))).toEqual([]);
    expect(named(guarded(2, true), deployed(guarded(1, false)).state)).toEqual(["net"]);
    expect(named(guarded(2, false), deployed(guarded(1, false)).state)).toEqual([]);
    expect(protectedResources(modelPlan(undefined, state), state, undefined)).toEqual(["net"]);
  });

  it("allows replacing a tainted resource as soon as the template no longer protects it", () => {
    const tainted = withStored(deployed(guarded(1, true)).state, "net", { state: "tainted" });
    const named = (program: ModelProgram) =>
      protectedResources(modelPlan(program, tainted), tainted, modelTemplate(program));
    expect(named(guarded(1, true))).toEqual(["net"]);
    expect(named(guarded(1, false))).toEqual([]);
    expect(named({})).toEqual(["net"]);
  });

  it("does not protect an object that was already replaced", () => {
    const { state } = deployed(guarded(1, true));
    const [stored] = [...state.current.values()];
    const pending = {
      ...state,
      pendingDeletes: stored === undefined ? [] : [{ ...stored, id: "net-0" }],
    };
    const program = guarded(1, true);
    expect(
      protectedResources(modelPlan(program, pending), pending, modelTemplate(program)),
    ).toEqual([]);
  });

  it("handles a resource named like an inherited member", () => {
    const { state } = deployed({ constructor: {} });
    expect(protectedResources(modelPlan({}, state), state, modelTemplate({}))).toEqual([]);
  });

  it("follows an alias", () => {
    const { state } = deployed(guarded(1, true));
    const program = { lan: { properties: { at: 2 }, options: { aliases: ["net"] } } };
    expect(protectedResources(modelPlan(program, state), state, modelTemplate(program))).toEqual([
      "lan",
    ]);
  });
});
