/**
 * A minimal instance and cloud for tests of plans. Properties are literals or single references, and a test can make
 * any step fail.
 */
import { decideChange } from "#engine/plan/decide-change.ts";
import { findImpliedRenames, makePlan, type PlanInput, stillDeletes } from "#engine/plan/plan.ts";
import { storedOutputs } from "#engine/plan/planned-outputs.ts";
import type { Plan, Step } from "#engine/plan/steps.ts";
import {
  type InstanceState,
  knownObject,
  objectKey,
  type StoredResource,
} from "#engine/state/state.ts";
import type {
  Expression,
  Place,
  ResourceDeclaration,
  ResourceOptions,
  Template,
} from "#engine/template/template.ts";
import {
  hasUnknown,
  isMap,
  PartlyKnown,
  Unknown,
  unknown,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";

export interface ModelReference {
  of: string;
  key: string;
}

export interface ModelResource {
  type?: string;
  properties?: { [name: string]: Value | ModelReference };
  options?: Partial<ResourceOptions>;
}

export type ModelProgram = { [name: string]: ModelResource };

const place: Place = { path: "", line: 0, column: 0 };

const facts = (immutable: string[], deleteBeforeReplace = false): TypeFacts => ({
  immutable,
  writeOnly: ["password"],
  required: [],
  deleteBeforeReplace,
});

/**
 * `fixed` and `at` are immutable everywhere; a `Unique` must be deleted before it is recreated; a `Rigid` cannot
 * change. A `Named` has a name that is unique in its `zone`, a `Keyed` is identified by two properties, a `Placed` by
 * an id made of its place, and a `Labeled` has a name that others may have; an `Inner` is in a `Unique`. A `Grown`
 * takes `seed` only when it is created, and its `flag` cannot be unset.
 */
const modelTypes = new Map([
  ["model:Plain", facts(["fixed", "at"])],
  ["model:Unique", facts(["fixed", "at"], true)],
  ["model:Rigid", facts(["*"])],
  ["model:Named", { ...facts(["fixed"]), uniqueName: "name", regionProperty: "zone" }],
  ["model:Keyed", { ...facts(["zone", "host", "fixed"]), identifier: ["zone", "host"] }],
  ["model:Placed", facts(["place", "at"])],
  ["model:Labeled", { ...facts(["fixed"]), nameProperty: "name" }],
  ["model:Inner", { ...facts(["in"]), location: ["in"], refers: { in: "Unique" } }],
  ["model:Grown", { ...facts([]), onlyAtCreate: { seed: "Sow anew." }, oneWay: ["flag"] }],
]);

export function modelFacts(type: string): TypeFacts | undefined {
  return modelTypes.get(type);
}

export function reference(of: string, key = "id"): ModelReference {
  return { of, key };
}

function isReference(value: Value | ModelReference): value is ModelReference {
  return isMap(value as Value) && Object.hasOwn(value as ValueMap, "of");
}

export function modelOptions(given: Partial<ResourceOptions> = {}): ResourceOptions {
  return {
    dependsOn: [],
    protect: false,
    retainOnDelete: false,
    deleteBeforeReplace: false,
    ignoreChanges: [],
    replaceOnChanges: [],
    customTimeouts: {},
    aliases: [],
    additionalSecretOutputs: [],
    ...given,
  };
}

export function modelTemplate(program: ModelProgram): Template {
  const literal: Expression = { kind: "literal", value: null, place };
  const resources = Object.entries(program).map(
    ([name, { type = "model:Plain", properties = {}, options }]): [string, ResourceDeclaration] => [
      name,
      {
        type,
        properties: Object.fromEntries(Object.keys(properties).map((key) => [key, literal])),
        options: modelOptions(options),
        place,
      },
    ],
  );
  return {
    name: "model",
    description: "",
    config: {},
    variables: {},
    resources: Object.fromEntries(resources),
    components: {},
    outputs: {},
  };
}

export function modelDependencies(program: ModelProgram): Map<string, string[]> {
  return new Map(
    Object.entries(program).map(([name, { properties = {}, options }]) => [
      name,
      [
        ...new Set([
          ...Object.values(properties).flatMap((value) => (isReference(value) ? [value.of] : [])),
          ...(options?.dependsOn ?? []),
        ]),
      ],
    ]),
  );
}

export function modelOrder(program: ModelProgram): string[] {
  const dependencies = modelDependencies(program);
  const order = new Set<string>();
  const visit = (name: string): void => {
    if (order.has(name)) return;
    for (const dependency of dependencies.get(name) ?? []) visit(dependency);
    order.add(name);
  };
  for (const name of Object.keys(program)) visit(name);
  return [...order];
}

function read(value: Value, key: string): Value {
  if (value instanceof Unknown) return unknown;
  if (value instanceof PartlyKnown)
    return Object.hasOwn(value.known, key) ? (value.known[key] ?? null) : unknown;
  if (isMap(value) && Object.hasOwn(value, key)) return value[key] ?? null;
  throw new Error(`There is no ${key}`);
}

export function modelProperties(
  program: ModelProgram,
  name: string,
  outputsOf: (name: string) => Value,
): ValueMap {
  const properties = Object.entries(program[name]?.properties ?? {});
  return Object.fromEntries(
    properties.map(([key, value]) => [
      key,
      isReference(value) ? read(outputsOf(value.of), value.key) : value,
    ]),
  );
}

export const emptyState: InstanceState = { serial: 0, current: new Map(), pendingDeletes: [] };

export function modelInput(program: ModelProgram | undefined, state: InstanceState): PlanInput {
  return {
    operation: program === undefined ? "destroy" : "deploy",
    template: program && modelTemplate(program),
    dependencies: program === undefined ? new Map() : modelDependencies(program),
    order: program === undefined ? [] : modelOrder(program),
    state,
    facts: modelFacts,
    resolve: (name, outputsOf) => modelProperties(program ?? {}, name, outputsOf),
    knownId: (type, { place }) =>
      type === "model:Placed" && typeof place === "string" ? place : undefined,
  };
}

/** The plan of a program; without one, of a destroy. */
export function modelPlan(program: ModelProgram | undefined, state: InstanceState): Plan {
  return makePlan(modelInput(program, state));
}

/** The renames that the program does not write. */
export function modelRenames(program: ModelProgram, state: InstanceState): Record<string, string> {
  return Object.fromEntries(findImpliedRenames(modelInput(program, state)));
}

/** The steps that each step waits for; `every apply` for one that is `last`. */
export function waitsOf(plan: Plan): Record<string, string[]> {
  return Object.fromEntries(
    plan.steps.map(({ id, dependsOn, last }) => [
      id,
      [...(last === true ? ["every apply"] : []), ...dependsOn.toSorted()],
    ]),
  );
}

/** The action for each resource, with a question mark if it is tentative. */
export function actionsOf(plan: Plan): Record<string, string> {
  return Object.fromEntries(
    plan.changes.map(({ resource, action, tentative }) => [
      resource,
      tentative ? `${action}?` : action,
    ]),
  );
}

export type Fault = "before" | "after";

/** One instance, its state, and the objects that really exist. */
export class ModelInstance {
  state: InstanceState = emptyState;
  /**
   * By id: the inputs that the object was last sent. Objects kept at the provider on purpose are not
   * included.
   */
  readonly objects = new Map<string, ValueMap>();
  /** Deletes of objects to which another object, deleted later in the same run, still pointed. */
  violations: string[] = [];
  #made = 0;
  #pointedAtGone = new Map<string, string>();

  /**
   * Executes a plan. `choose` picks among the steps that may be next; a failed step stops the steps that wait for it.
   */
  run(
    program: ModelProgram | undefined,
    choose: (ready: readonly Step[]) => Step | undefined = ([first]) => first,
    faults: ReadonlyMap<string, Fault> = new Map(),
  ): Plan {
    const plan = modelPlan(program, this.state);
    const strict = !plan.steps.some(
      ({ id, dependsOn }) =>
        id.startsWith("apply:") && dependsOn.some((d) => d.startsWith("delete:")),
    );
    this.#pointedAtGone = new Map();
    const done = new Set<string>();
    const left = new Set(plan.steps);
    const applies = plan.steps.filter(({ kind }) => kind === "apply");
    for (;;) {
      const isApplied = applies.every(({ id }) => done.has(id));
      const ready = [...left].filter(
        ({ dependsOn, last }) =>
          (last !== true || isApplied) && dependsOn.every((id) => done.has(id)),
      );
      const step = choose(ready) ?? ready[0];
      if (step === undefined) return plan;
      left.delete(step);
      if (this.#execute(plan, program, step, strict, faults.get(step.id))) done.add(step.id);
    }
  }

  #execute(
    plan: Plan,
    program: ModelProgram | undefined,
    step: Step,
    strict: boolean,
    fault: Fault | undefined,
  ): boolean {
    if (fault === "before") return false;
    if (step.kind === "delete") this.#delete(program, step, strict);
    else this.#apply(plan, program ?? {}, step, fault);
    return fault === undefined;
  }

  #apply(plan: Plan, program: ModelProgram, step: Step, fault: Fault | undefined): void {
    const name = step.resource;
    const current = new Map(this.state.current);
    const stored = knownObject(current.get(name));
    const declaration = modelTemplate(program).resources[name];
    if (declaration === undefined) throw new Error(`${name} is applied but not in the template`);
    const properties = modelProperties(program, name, (other) => {
      const dependency = knownObject(current.get(other));
      return dependency === undefined ? unknown : storedOutputs(dependency);
    });
    if (hasUnknown(properties)) throw new Error(`${name} is applied before what it depends on`);
    const { type, options } = declaration;
    const decision = decideChange(declaration, stored, properties, modelFacts(type));
    this.#checkFits(plan, step, decision.action);
    if (decision.action === "unchanged" && stored !== undefined) return;
    const keeps = decision.action === "update" && stored !== undefined;
    this.#made += 1;
    const id = keeps ? stored.id : `${name}-${this.#made}`;
    const inputs = decision.inputs;
    this.objects.set(id, inputs);
    const dependencies = modelDependencies(program).get(name) ?? [];
    if (keeps && fault === "after") {
      // It may point at its former parent and at its new one.
      const dependsOn = [...new Set([...stored.dependsOn, ...dependencies])];
      this.#store(
        current.set(name, { ...stored, dependsOn, state: "unsure" }),
        this.state.pendingDeletes,
      );
      return;
    }
    const next: StoredResource = {
      name,
      type,
      id,
      objectName: name,
      inputs,
      outputs: { ...inputs, id, computed: JSON.stringify(inputs["size"] ?? null), stable: 1 },
      dependsOn: dependencies,
      protect: options.protect,
      retainOnDelete: options.retainOnDelete,
      deleteSeconds: null,
      state: fault === "after" ? "tainted" : "ready",
    };
    current.set(name, next);
    const old = keeps || stored === undefined ? [] : [stored];
    this.#store(current, [...this.state.pendingDeletes, ...old]);
  }

  /** The final action must be among those that the plan announced. */
  #checkFits(plan: Plan, step: Step, action: string): void {
    const change = plan.changes.find(({ resource }) => resource === step.resource);
    const announced =
      step.action === "update"
        ? ["update", ...(change?.tentative === true ? ["unchanged"] : [])]
        : step.action === "replace"
          ? ["replace", "create", ...(change?.tentative === true ? ["update", "unchanged"] : [])]
          : ["create"];
    if (!announced.includes(action))
      throw new Error(`${step.id} was planned as ${step.action} and came out as ${action}`);
  }

  #delete(program: ModelProgram | undefined, step: Step, strict: boolean): void {
    if (step.tentative === true && !stillDeletes(modelPlan(program, this.state), step)) return;
    const id = step.objectId ?? "";
    const isIt = (object: StoredResource): boolean => objectKey(object) === id;
    const object = [...this.state.pendingDeletes, ...this.state.current.values()].find(isIt);
    if (object === undefined) throw new Error(`${step.id}: there is no object ${id} to delete`);
    const gone = this.#pointedAtGone.get(id);
    const inputs = this.objects.get(id);
    if (gone !== undefined && inputs !== undefined && Object.values(inputs).includes(gone))
      this.violations.push(`${gone} was deleted before ${id}, which pointed at it`);
    this.objects.delete(id);
    if (step.retain !== true)
      for (const [other, values] of this.objects)
        if (Object.values(values).includes(id)) {
          this.#pointedAtGone.set(other, id);
          if (strict) this.violations.push(`${id} was deleted while ${other} pointed at it`);
        }
    this.#store(
      new Map([...this.state.current].filter(([, stored]) => !isIt(stored))),
      this.state.pendingDeletes.filter((stored) => !isIt(stored)),
    );
  }

  #store(current: Map<string, StoredResource>, pendingDeletes: readonly StoredResource[]): void {
    this.state = { serial: this.state.serial + 1, current, pendingDeletes };
  }
}

/** An instance after these programs were deployed, one after the other. */
export function deployed(...programs: ModelProgram[]): ModelInstance {
  const instance = new ModelInstance();
  for (const program of programs) instance.run(program);
  return instance;
}
