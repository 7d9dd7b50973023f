import { describe, expect, it } from "vitest";
import type { StoredResource } from "#engine/state/state.ts";
import {
  actionsOf,
  deployed,
  emptyState,
  modelPlan,
  reference,
  waitsOf,
  type ModelProgram,
} from "#test/support/model-instance.ts";
import { asLost, knownIn } from "#test/support/stored-resource.ts";
import { stillDeletes } from "./plan.ts";

const net = (
  properties: NonNullable<ModelProgram[string]["properties"]> = {},
  type = "model:Plain",
) => ({
  net: { type, properties: { name: "net", ...properties } },
});

describe("a replacement", () => {
  const user = { web: { properties: { net: reference("net") } } };

  it("creates the new object, updates its dependents, then deletes the old one", () => {
    const plan = modelPlan(
      { ...net({ at: 2 }), ...user },
      deployed({ ...net({ at: 1 }), ...user }).state,
    );
    expect(actionsOf(plan)).toEqual({ net: "replace", web: "update?" });
    expect(plan.changes[0]).toMatchObject({ id: "net-1", reason: "at cannot be changed in place" });
    expect(waitsOf(plan)).toEqual({
      "apply:net": [],
      "apply:web": ["apply:net"],
      "delete:net": ["apply:net", "apply:web"],
    });
    expect(plan.steps.at(-1)).toEqual({
      id: "delete:net",
      kind: "delete",
      resource: "net",
      type: "model:Plain",
      action: "delete",
      dependsOn: ["apply:net", "apply:web"],
      objectId: "net-1",
    });
    expect(plan.summary).toEqual({ create: 0, update: 1, replace: 1, delete: 0, unchanged: 0 });
  });

  it("deletes the old object only after its former and its new dependents are applied", () => {
    const before = deployed({
      ...net({ at: 1 }),
      old: { properties: { link: reference("net") } },
      fresh: {},
    }).state;
    const plan = modelPlan(
      {
        ...net({ at: 2 }),
        old: { properties: { link: "none" } },
        fresh: { properties: { link: reference("net") } },
      },
      before,
    );
    expect(waitsOf(plan)["delete:net"]).toEqual(["apply:fresh", "apply:net", "apply:old"]);
  });

  it.for([
    ["the type", { type: "model:Unique" }, {}],
    ["the option", {}, { deleteBeforeReplace: true }],
  ] as const)(
    "deletes the old object first when %s says so, and updates its dependents afterwards",
    ([, given, options]) => {
      const program = (at: number): ModelProgram => ({
        net: { ...given, properties: { at }, options },
        ...user,
      });
      const plan = modelPlan(program(2), deployed(program(1)).state);
      expect(actionsOf(plan)).toEqual({ net: "replace", web: "update?" });
      expect(waitsOf(plan)).toEqual({
        "delete:net": [],
        "apply:net": ["delete:net"],
        "apply:web": ["apply:net"],
      });
    },
  );

  it("first deletes, in reverse order, the dependents that must be replaced with it", () => {
    const program = (at: number): ModelProgram => ({
      ...net({ at }, "model:Unique"),
      server: { properties: { fixed: reference("net") } },
      disk: { properties: { fixed: reference("server") } },
    });
    const plan = modelPlan(program(2), deployed(program(1)).state);
    expect(waitsOf(plan)).toEqual({
      "delete:disk": [],
      "delete:server": ["delete:disk"],
      "delete:net": ["delete:server"],
      "apply:net": ["delete:net"],
      "apply:server": ["apply:net", "delete:server"],
      "apply:disk": ["apply:server", "delete:disk"],
    });
    expect(plan.changes[1]).toMatchObject({
      action: "replace",
      reason:
        "fixed cannot be changed in place; deleted first because net is: if the create then fails, nothing is left",
    });
  });

  it("orders two delete-first resources that swap their dependencies", () => {
    const program = (at: number, one: string, two: string): ModelProgram => ({
      y1: { type: "model:Unique", properties: { at } },
      y2: { type: "model:Unique", properties: { at } },
      p1: { properties: { fixed: reference(one) } },
      p2: { properties: { fixed: reference(two) } },
    });
    const instance = deployed(program(1, "y1", "y2"));
    const plan = instance.run(program(2, "y2", "y1"));
    expect(instance.violations).toEqual([]);
    expect(waitsOf(plan)["delete:y1"]).toContain("delete:p1");
    expect(waitsOf(plan)["delete:y2"]).toContain("delete:p2");
  });

  it("happens when the type changes, and deletes the old object under its old type", () => {
    const { state } = deployed(net());
    expect(modelPlan(net({}, "model:Rigid"), state).changes[0]).toMatchObject({
      action: "replace",
      reason: "type: model:Plain to model:Rigid",
    });
    const steps = modelPlan(net({}, "model:Rigid"), state).steps;
    expect(steps.map(({ id, type }) => [id, type])).toEqual([
      ["apply:net", "model:Rigid"],
      ["delete:net", "model:Plain"],
    ]);
  });

  it("keeps the old object at the provider if the old or new declaration retains it", () => {
    const retained = { net: { properties: { at: 2 }, options: { retainOnDelete: true } } };
    const { state } = deployed(net({ at: 1 }));
    expect(modelPlan(retained, state).steps.at(-1)).toMatchObject({
      id: "delete:net",
      retain: true,
    });
    const before = {
      ...state,
      current: new Map(
        [...state.current].map(([name, stored]) => [name, { ...stored, retainOnDelete: true }]),
      ),
    };
    expect(modelPlan(net({ at: 2 }), before).steps.at(-1)).toMatchObject({ retain: true });
  });
});

describe("a tentative delete", () => {
  const program = (size: number, key: string): ModelProgram => ({
    ...net({ size }),
    mid: { type: "model:Unique", properties: { fixed: reference("net", key) } },
    top: { type: "model:Unique", properties: { fixed: reference("mid") } },
  });

  it("waits for the applies that decide it, through other tentative deletes", () => {
    const plan = modelPlan(program(2, "stable"), deployed(program(1, "stable")).state);
    expect(actionsOf(plan)).toEqual({ net: "update", mid: "replace?", top: "replace?" });
    expect(waitsOf(plan)).toMatchObject({
      "delete:top": ["apply:net"],
      "delete:mid": ["apply:net", "delete:top"],
    });
    expect(plan.steps.filter(({ tentative }) => tentative === true).map(({ id }) => id)).toEqual([
      "delete:top",
      "delete:mid",
    ]);
  });

  it("is skipped when the value turns out the same", () => {
    const instance = deployed(program(1, "stable"));
    const before = [...instance.objects.keys()];
    instance.run(program(2, "stable"));
    expect([...instance.objects.keys()]).toEqual(before);
  });

  it("waits for the applies that decide it, even if an object is then deleted while still in use", () => {
    const unique = "model:Unique";
    const before: ModelProgram = {
      net: { type: unique, properties: { at: 1 } },
      disk: { type: unique, properties: { at: 1 } },
      mid: { type: unique, properties: { fixed: 1, link: reference("disk") } },
      web: { properties: { link: reference("net") } },
    };
    const after: ModelProgram = {
      net: { type: unique, properties: { at: 2 } },
      disk: { type: unique, properties: { at: 2 } },
      mid: { type: unique, properties: { fixed: reference("net", "stable") } },
      web: { properties: { link: reference("disk") } },
    };
    const instance = deployed(before);
    const kept = knownIn(instance.state, "mid").id;
    expect(waitsOf(instance.run(after))).toMatchObject({
      "delete:net": [],
      "delete:mid": ["apply:net"],
      "delete:disk": ["apply:mid", "delete:mid"],
    });
    expect(knownIn(instance.state, "mid").id).toBe(kept);
  });

  it("is executed when the value turns out to differ", () => {
    const instance = deployed(program(1, "computed"));
    const [, mid, top] = [...instance.objects.keys()];
    instance.run(program(2, "computed"));
    expect(instance.objects.has(mid ?? "")).toBe(false);
    expect(instance.objects.has(top ?? "")).toBe(false);
    expect(instance.objects.size).toBe(3);
  });

  it("applies to that object only", () => {
    const plan = modelPlan({}, deployed(net()).state);
    const [step] = plan.steps;
    if (step === undefined) throw new Error("no step");
    expect(stillDeletes(plan, step)).toBe(true);
    expect(stillDeletes(plan, { ...step, objectId: "net-9" })).toBe(false);
    expect(stillDeletes(plan, { ...step, type: "model:Rigid" })).toBe(false);
  });
});

describe("a delete", () => {
  it("removes objects that left the template, in reverse order, after every create and update", () => {
    const before = deployed({
      ...net(),
      db: { properties: { net: reference("net") } },
      web: { properties: { link: reference("db") } },
    }).state;
    const plan = modelPlan({ web: { properties: { link: "none" } } }, before);
    expect(waitsOf(plan)).toEqual({
      "apply:web": [],
      "delete:db": ["every apply"],
      "delete:net": ["every apply", "delete:db"],
    });
    expect(plan.changes.slice(1)).toEqual([
      {
        resource: "db",
        type: "model:Plain",
        action: "delete",
        tentative: false,
        id: "db-2",
        changes: [],
        reason: "no longer in the template",
      },
      {
        resource: "net",
        type: "model:Plain",
        action: "delete",
        tentative: false,
        id: "net-1",
        changes: [],
        reason: "no longer in the template",
      },
    ]);
  });

  it("says that a new resource of its type has an alias which no object has", () => {
    const before = deployed({ db: {} }).state;
    const reasonOf = (alias: string, type = "model:Plain") =>
      modelPlan({ data: { type, options: { aliases: [alias] } } }, before).changes.find(
        ({ resource }) => resource === "db",
      )?.reason;
    expect(reasonOf("bd")).toBe(
      "no longer in the template; data is created, because no object has its alias bd",
    );
    expect(reasonOf("bd", "model:Rigid")).toBe("no longer in the template");
    expect(reasonOf("db")).toBeUndefined();
  });

  it("of a replaced object waits with a removed object that depended on it", () => {
    const before = deployed({
      ...net(),
      db: { properties: { net: reference("net") } },
    }).state;
    const plan = modelPlan({ net: { properties: { fixed: 2 } } }, before);
    expect(waitsOf(plan)).toEqual({
      "apply:net": [],
      "delete:db": ["every apply"],
      "delete:net": ["every apply", "apply:net", "delete:db"],
    });
  });

  it("comes before an apply only if the object's dependency is deleted first", () => {
    const unique = (fixed: number) => ({ type: "model:Unique", properties: { fixed } });
    const before = deployed({
      net: unique(1),
      db: { properties: { net: reference("net") } },
      other: {},
    }).state;
    const plan = modelPlan({ net: unique(2), web: {} }, before);
    expect(waitsOf(plan)).toEqual({
      "apply:net": ["delete:net"],
      "apply:web": [],
      "delete:db": [],
      "delete:net": ["delete:db"],
      "delete:other": ["every apply"],
    });
    expect(plan.changes.find(({ resource }) => resource === "db")?.reason).toBe(
      "no longer in the template; deleted before the creates, because what it depends on is deleted first",
    );
  });

  it("deletes the newest object first when dependencies leave the order open", () => {
    const plan = modelPlan({}, deployed({ first: {}, last: {} }).state);
    expect(Object.keys(waitsOf(plan))).toEqual(["delete:last", "delete:first"]);
    expect(plan.changes.map(({ resource }) => resource)).toEqual(["last", "first"]);
  });

  it("only removes a retained object from the state", () => {
    const before = deployed({ net: { options: { retainOnDelete: true } } }).state;
    const plan = modelPlan({}, before);
    expect(plan.steps[0]).toMatchObject({ id: "delete:net", objectId: "net-1", retain: true });
    expect(plan.changes[0]?.reason).toBe("no longer in the template; kept at the provider");
  });

  it("is pending for objects replaced earlier", () => {
    const program = { ...net({ at: 2 }), web: { properties: { net: reference("net") } } };
    const instance = deployed({
      ...net({ at: 1 }),
      web: { properties: { net: reference("net") } },
    });
    instance.run(program, undefined, new Map([["apply:web", "before"]]));
    const plan = modelPlan(program, instance.state);
    expect(waitsOf(plan)).toEqual({ "apply:web": [], "delete:net:net-1": ["apply:web"] });
    expect(plan.changes.at(-1)).toMatchObject({
      resource: "net",
      id: "net-1",
      action: "delete",
      reason: "replaced earlier",
    });
    expect(plan.summary).toEqual({ create: 0, update: 1, replace: 0, delete: 1, unchanged: 1 });
  });

  it("removes everything on destroy, including pending deletes, whatever the template says", () => {
    const { state } = deployed({ ...net(), web: { properties: { net: reference("net") } } });
    const [old] = [...state.current.values()];
    const pendingDeletes = old === undefined ? [] : [{ ...old, id: "net-0" }];
    const plan = modelPlan(undefined, { ...state, pendingDeletes });
    expect(plan.operation).toBe("destroy");
    expect(waitsOf(plan)).toEqual({
      "delete:web": [],
      "delete:net": ["delete:web"],
      "delete:net:net-0": ["delete:web"],
    });
    expect(plan.changes[0]?.reason).toBe("the instance is destroyed");
  });

  it("is pending once per object, including objects whose create was lost", () => {
    const { state } = deployed(net());
    const stored = knownIn(state, "net");
    const pendingDeletes = ["t1", "t2"].map((token) => asLost(stored, { token }));
    expect(Object.keys(waitsOf(modelPlan(net(), { ...state, pendingDeletes })))).toEqual([
      "delete:net:t1",
      "delete:net:t2",
    ]);
  });
});

describe("a plan of the maximum size", () => {
  it("is computed even if every resource contradicts the others' order", () => {
    const program = (at: number): ModelProgram =>
      Object.fromEntries(
        Array.from({ length: 500 }, (_, i) => {
          const dependsOn = i < 250 ? [] : Array.from({ length: 250 }, (_, j) => `r${j}`);
          const type = i < 250 ? "model:Unique" : "model:Plain";
          const size = i < 250 ? 0 : at;
          return [
            `r${i}`,
            { type, properties: { at: i < 250 ? at : 0, size }, options: { dependsOn } },
          ];
        }),
      );
    const fresh = modelPlan(program(1), emptyState);
    const current = fresh.steps.map(({ resource, type }, i): [string, StoredResource] => [
      resource,
      {
        name: resource,
        type,
        id: `id-${i}`,
        objectName: resource,
        inputs: { at: i < 250 ? 1 : 0, size: i < 250 ? 0 : 1 },
        outputs: {},
        dependsOn: fresh.steps[i]?.dependsOn.map((id) => id.slice("apply:".length)) ?? [],
        protect: false,
        retainOnDelete: false,
        deleteSeconds: null,
        state: "ready",
      },
    ]);
    const plan = modelPlan(program(2), { ...emptyState, current: new Map(current) });
    expect(plan.summary).toMatchObject({ replace: 250, update: 250 });
    expect(plan.steps).toHaveLength(750);
  });
});
