import { adoptAliases } from "#engine/state/adopt-aliases.ts";
import type { InstanceState, StoredResource } from "#engine/state/state.ts";
import type { ResourceDeclaration, Template } from "#engine/template/template.ts";
import { unknown, type Value, type ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { PlanSummary } from "#schema/deployments.ts";
import { checkImports } from "./check-imports.ts";
import { decideChange } from "./decide-change.ts";
import { planSteps, type DesiredResource } from "./plan-steps.ts";
import { plannedOutputs } from "./planned-outputs.ts";
import type { Plan, ResourceChange, Step } from "./steps.ts";

export interface PlanInput {
  operation: "deploy" | "destroy";
  /** Not looked at when destroying. */
  template: Template | undefined;
  /** Direct dependencies of each resource of the template. */
  dependencies: ReadonlyMap<string, readonly string[]>;
  /** The template's resources, each after those it depends on. */
  order: readonly string[];
  state: InstanceState;
  facts: (type: string) => TypeFacts | undefined;
  /**
   * A resource's properties, given what the others show: called once for each resource, in `order`; what
   * `outputsOf` answers for a resource never changes once that resource has had its turn.
   */
  resolve: (resource: string, outputsOf: (name: string) => Value) => ValueMap;
}

/**
 * What a run would do: pure, and the same for the same input, whatever order maps are written in. It reads
 * the state under the names `adoptAliases` gives. Throws what `resolve` and `checkImports` throw.
 */
export function makePlan(input: PlanInput): Plan {
  const template = input.operation === "destroy" ? undefined : input.template;
  if (input.operation === "deploy" && template === undefined)
    throw new Error("A deploy is planned from a template, and none was given");
  const state = adoptAliases(input.state, template);
  const desired = template === undefined ? [] : decideAll(input, template, state);
  const wanted = new Set(desired.map(({ name }) => name));
  const removed = [...state.current.values()].filter(({ name }) => !wanted.has(name));
  const { steps, deletedWith } = planSteps({
    desired,
    dependencies: template === undefined ? new Map() : input.dependencies,
    removed,
    pendingDeletes: state.pendingDeletes,
  });
  const changes = [
    ...desired.map((resource) => changeOf(resource, input.state, deletedWith)),
    ...removed
      .toReversed()
      .map((object) =>
        deletion(
          object,
          input.operation === "destroy"
            ? "the instance is destroyed"
            : "not in the template any more",
        ),
      ),
    ...state.pendingDeletes.map((object) => deletion(object, "replaced earlier")),
  ];
  return {
    operation: input.operation,
    stateSerial: state.serial,
    summary: summaryOf(changes),
    changes,
    steps,
  };
}

/**
 * Whether a tentative delete is due, by a plan made anew when its turn has come: an object is deleted only
 * if that plan deletes the very same.
 */
export function stillDeletes(fresh: Plan, { kind, type, objectId }: Step): boolean {
  return fresh.steps.some(
    (step) => step.kind === kind && step.type === type && step.objectId === objectId,
  );
}

/**
 * Names of resources the plan would delete or replace, perhaps only, although `protect` is set, in the
 * template or when they were last applied: taking protection off counts from the deployment after, but for a
 * resource that is tainted.
 */
export function protectedResources(
  plan: Plan,
  state: InstanceState,
  template: Template | undefined,
): string[] {
  const { current } = adoptAliases(state, plan.operation === "destroy" ? undefined : template);
  return plan.changes
    .filter(({ resource, action, id }) => {
      if (action !== "delete" && action !== "replace") return false;
      const stored = current.get(resource);
      if (stored === undefined || knownId(stored).id !== id) return false;
      const wanted = declared(template, resource)?.options.protect;
      // One that was not made to the end can only be replaced: what the template says of it now counts at once.
      return wanted === true || (stored.protect && !(stored.tainted && wanted === false));
    })
    .map(({ resource }) => resource);
}

function declared(template: Template | undefined, name: string): ResourceDeclaration | undefined {
  if (template === undefined || !Object.hasOwn(template.resources, name)) return undefined;
  return template.resources[name];
}

function decideAll(input: PlanInput, template: Template, state: InstanceState): DesiredResource[] {
  checkImports(template, state);
  const outputs = new Map<string, Value>();
  const outputsOf = (name: string): Value => outputs.get(name) ?? unknown;
  const decided = new Map<string, DesiredResource>();
  for (const name of input.order) {
    const declaration = declared(template, name);
    if (declaration === undefined) continue;
    const { type, options } = declaration;
    const stored = state.current.get(name);
    const facts = input.facts(type);
    const decision = decideChange(declaration, stored, input.resolve(name, outputsOf), facts);
    outputs.set(
      name,
      plannedOutputs(decision, stored, facts, options.import, options.additionalSecretOutputs),
    );
    decided.set(name, {
      name,
      type,
      stored,
      decision,
      deleteFirst: options.deleteBeforeReplace || facts?.deleteBeforeReplace === true,
      retainOnDelete: options.retainOnDelete,
    });
  }
  return Object.keys(template.resources).map((name) => {
    const resource = decided.get(name);
    if (resource === undefined)
      throw new Error(`Resource ${name} is in the template but not in the order it was given`);
    return resource;
  });
}

function changeOf(
  { name, type, stored, decision }: DesiredResource,
  before: InstanceState,
  deletedWith: ReadonlyMap<string, string>,
): ResourceChange {
  const { action, tentative, changes } = decision;
  const leader = deletedWith.get(name);
  const reason = [
    ...(decision.reason === undefined ? [] : [decision.reason]),
    ...(leader === undefined ? [] : [`deleted first, because ${leader} is`]),
    ...(stored === undefined || before.current.has(name) ? [] : ["renamed by an alias"]),
  ].join("; ");
  return {
    resource: name,
    type,
    action,
    tentative,
    ...(stored === undefined ? {} : knownId(stored)),
    changes,
    ...(reason === "" ? {} : { reason }),
  };
}

function deletion(object: StoredResource, why: string): ResourceChange {
  return {
    resource: object.name,
    type: object.type,
    action: "delete",
    tentative: false,
    ...knownId(object),
    changes: [],
    reason: object.retainOnDelete ? `${why}; kept at the provider` : why,
  };
}

/** An object whose create was lost has no id that a reader could use. */
function knownId({ id, lostToken }: StoredResource): { id?: string } {
  return lostToken === undefined ? { id } : {};
}

function summaryOf(changes: readonly ResourceChange[]): PlanSummary {
  const summary = { create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 };
  for (const { action } of changes) summary[action] += 1;
  return summary;
}
