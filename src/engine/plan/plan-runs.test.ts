import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepare } from "#engine/schedule.ts";
import {
  type InstanceState,
  knownObject,
  type KnownResource,
  objectKey,
} from "#engine/state/state.ts";
import { unknown } from "#engine/value.ts";
import {
  emptyState,
  ModelInstance,
  modelDependencies,
  modelOrder,
  modelPlan,
  modelProperties,
  reference,
  type Fault,
  type ModelProgram,
} from "#test/support/model-instance.ts";
import { storedOutputs } from "./planned-outputs.ts";
import type { Step } from "./steps.ts";

const names = ["a", "b", "c", "d", "e", "f"];

interface Links {
  to: number;
  as: "fixed" | "link" | "dependsOn";
  key: "id" | "computed" | "stable" | "size";
}

const link = fc.record<Links>({
  to: fc.nat(names.length - 1),
  as: fc.constantFrom("fixed", "link", "link", "dependsOn"),
  key: fc.constantFrom("id", "id", "computed", "stable", "size"),
});

const resource = fc.record({
  present: fc.nat(4).map((n) => n > 0),
  type: fc.constantFrom("model:Plain", "model:Plain", "model:Unique", "model:Rigid"),
  size: fc.nat(1),
  at: fc.nat(9).map((n) => (n === 0 ? 1 : 0)),
  links: fc.array(link, { maxLength: 3 }),
  deleteBeforeReplace: fc.nat(5).map((n) => n === 0),
});

/** A resource may depend only on resources of a lower rank in `ranks`. */
function programOf(
  resources: readonly (typeof resource extends fc.Arbitrary<infer T> ? T : never)[],
  ranks: readonly number[],
): ModelProgram {
  const program: ModelProgram = {};
  for (const [i, name] of names.entries()) {
    const made = resources[i];
    if (made?.present !== true) continue;
    const dependsOn: string[] = [];
    const properties: NonNullable<ModelProgram[string]["properties"]> = {
      size: made.size,
      at: made.at,
    };
    for (const { to, as, key } of made.links) {
      const other = names[to];
      if (other === undefined || resources[to]?.present !== true) continue;
      if ((ranks[to] ?? 0) >= (ranks[i] ?? 0)) continue;
      if (as === "dependsOn") dependsOn.push(other);
      else properties[as === "fixed" ? "fixed" : `link_${other}`] = reference(other, key);
    }
    const { type, deleteBeforeReplace } = made;
    program[name] = { type, properties, options: { dependsOn, deleteBeforeReplace } };
  }
  return program;
}

const resources = fc.array(resource, { minLength: names.length, maxLength: names.length });
const upright = resources.map((made) => programOf(made, [...names.keys()]));
const turned = fc
  .tuple(resources, fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }))
  .map(([made, ranks]) => programOf(made, ranks));

interface Deployment {
  program: ModelProgram;
  picks: number[];
  faults: [number, Fault][];
}

const deployments = (program: fc.Arbitrary<ModelProgram>): fc.Arbitrary<Deployment[]> =>
  fc.array(
    fc.record({
      program,
      picks: fc.array(fc.nat(50), { minLength: 1, maxLength: 12 }),
      faults: fc.array(fc.tuple(fc.nat(11), fc.constantFrom<Fault>("before", "after")), {
        maxLength: 2,
      }),
    }),
    { minLength: 1, maxLength: 4 },
  );

function chooser(picks: readonly number[]): (ready: readonly Step[]) => Step | undefined {
  let turn = 0;
  return (ready) => {
    turn += 1;
    return ready[(picks[turn % picks.length] ?? 0) % Math.max(1, ready.length)];
  };
}

function deploy(instance: ModelInstance, { program, picks, faults }: Deployment): void {
  const { steps } = modelPlan(program, instance.state);
  const failing = faults.flatMap(([i, fault]): [string, Fault][] => {
    const step = steps[i % Math.max(1, steps.length)];
    return step === undefined ? [] : [[step.id, fault]];
  });
  // A delete that took effect but was reported as failed finds the object gone on retry.
  const reported = failing.filter(([id, fault]) => fault === "before" || id.startsWith("apply:"));
  instance.run(program, chooser(picks), new Map(reported));
}

function expectDesired(instance: ModelInstance, program: ModelProgram): void {
  const { current, pendingDeletes } = instance.state;
  expect(pendingDeletes).toEqual([]);
  expect([...current.keys()].sort()).toEqual(Object.keys(program).sort());
  for (const [name, stored] of current) {
    const outputsOf = (other: string) => {
      const dependency = knownObject(current.get(other));
      return dependency === undefined ? unknown : storedOutputs(dependency);
    };
    expect(stored.inputs).toEqual(modelProperties(program, name, outputsOf));
    expect(stored.state).toBe("ready");
    expect(instance.objects.get(objectKey(stored))).toEqual(stored.inputs);
  }
  expect(instance.objects.size).toBe(current.size);
  expect(modelPlan(program, instance.state).steps).toEqual([]);
}

describe("plans run against a model cloud", () => {
  it("create exactly the desired objects, in any valid order and after any failures", () => {
    fc.assert(
      fc.property(deployments(upright), (history) => {
        const instance = new ModelInstance();
        for (const deployment of history) deploy(instance, deployment);
        const last = history.at(-1);
        if (last === undefined) return;
        instance.run(last.program, chooser(last.picks));
        expectDesired(instance, last.program);
        expect(instance.violations).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });

  it("create exactly the desired objects when a template reverses dependencies", () => {
    fc.assert(
      fc.property(deployments(turned), (history) => {
        const instance = new ModelInstance();
        for (const deployment of history) deploy(instance, deployment);
        const last = history.at(-1);
        if (last === undefined) return;
        instance.run(last.program, chooser(last.picks));
        expectDesired(instance, last.program);
        expect(instance.state.pendingDeletes).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("leave nothing after a destroy and delete no object before its dependents", () => {
    fc.assert(
      fc.property(deployments(upright), (history) => {
        const instance = new ModelInstance();
        for (const deployment of history) deploy(instance, deployment);
        instance.run(undefined, chooser(history[0]?.picks ?? []));
        expect(instance.violations).toEqual([]);
        expect(instance.objects.size).toBe(0);
        expect(modelPlan(undefined, instance.state).steps).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

it("deletes a dependent first after an update that may have created the dependency", () => {
  const instance = new ModelInstance();
  instance.run({ used: {}, user: {} });
  const tied = { used: {}, user: { properties: { link: reference("used") } } };
  instance.run(tied, undefined, new Map([["apply:user", "after"]]));
  instance.run(undefined);
  expect(instance.violations).toEqual([]);
  expect(instance.objects.size).toBe(0);
});

describe("steps", () => {
  const stored = (name: string) =>
    fc.record<KnownResource>({
      name: fc.constant(name),
      type: fc.constantFrom("model:Plain", "model:Unique", "model:Rigid", "model:Lost"),
      id: fc.uuid(),
      objectName: fc.constant(name),
      inputs: fc.record({ size: fc.nat(1), at: fc.nat(1) }),
      outputs: fc.record({ size: fc.nat(1), computed: fc.nat(1), stable: fc.constant(1) }),
      dependsOn: fc.subarray([...names, "x"]),
      protect: fc.boolean(),
      retainOnDelete: fc.boolean(),
      deleteSeconds: fc.constant(null),
      state: fc.constantFrom("ready", "ready", "ready", "tainted", "unsure"),
    });
  const anyState: fc.Arbitrary<InstanceState> = fc
    .tuple(
      fc.subarray([...names, "x"]).chain((kept) => fc.tuple(...kept.map(stored))),
      fc.array(fc.constantFrom(...names, "x").chain(stored), { maxLength: 4 }),
    )
    .map(([current, pendingDeletes]) => ({
      serial: 1,
      current: new Map(current.map((resource) => [resource.name, resource])),
      pendingDeletes,
    }));

  it("never form a cycle, whatever dependencies the state records", () => {
    fc.assert(
      fc.property(turned, anyState, (program, state) => {
        const plan = modelPlan(program, state);
        prepare(plan.steps);
        const dependencies = modelDependencies(program);
        const ids = new Set(plan.steps.map(({ id }) => id));
        for (const { resource, dependsOn } of plan.steps.filter(({ kind }) => kind === "apply")) {
          const needed = (dependencies.get(resource) ?? []).map((name) => `apply:${name}`);
          expect(dependsOn).toEqual(expect.arrayContaining(needed.filter((id) => ids.has(id))));
        }
        const expected = plan.changes.filter(
          ({ action }) => action === "delete" || action === "replace",
        );
        expect(plan.steps.filter(({ kind }) => kind === "delete")).toHaveLength(expected.length);
        prepare(modelPlan(undefined, state).steps);
      }),
      { numRuns: 500 },
    );
  });

  it("are the same for the same program and state", () => {
    fc.assert(
      fc.property(upright, anyState, (program, state) => {
        expect(modelPlan(program, state)).toEqual(modelPlan(program, state));
      }),
      { numRuns: 50 },
    );
  });

  it("planned from an empty state, depend only on earlier steps", () => {
    fc.assert(
      fc.property(turned, (program) => {
        const { steps } = modelPlan(program, emptyState);
        prepare(steps);
        expect(steps.map(({ resource }) => resource).sort()).toEqual(modelOrder(program).sort());
      }),
      { numRuns: 100 },
    );
  });
});
