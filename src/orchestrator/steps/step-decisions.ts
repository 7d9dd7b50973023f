/** Decides the next action of each step of one run from the template, the state and the calls so far. */
import { requireNotLeaving } from "#engine/plan/implied-renames.ts";
import { leavingObjects, makePlan, stillDeletes } from "#engine/plan/plan.ts";
import type { Step } from "#engine/plan/steps.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { reveal } from "#engine/value.ts";
import { namedValues } from "#orchestrator/claims/named-values.ts";
import type { Program } from "#orchestrator/program/program.ts";
import { separatesByRows } from "#orchestrator/program/require-shareable.ts";
import type { OpenCall, StepRecord } from "#orchestrator/storage/journal.ts";
import type { ResourceState } from "#orchestrator/storage/resource-state.ts";
import type { JsonMap } from "#platform/json.ts";
import { isSameType } from "#providers/type-name.ts";
import type { CallPlace } from "./claim-objects.ts";
import {
  type Create,
  decideApply,
  decideDelete,
  type Decision,
  decideRead,
  type DueCall,
  type Find,
  storedOf,
} from "./decide-step.ts";
import { nextAttempt, type NextAttempt } from "./next-attempt.ts";

/** A step would exceed its plan, which may have been approved. */
export class PlanExceeded extends Error {
  readonly code = "plan_exceeded";
  constructor(resource: string) {
    super(
      `${resource} would have to be replaced, which is not in the plan. Plan again: its values are now known`,
    );
  }
}

export class StepDecisions {
  readonly #program: Program;
  readonly #resources: ResourceState;

  constructor(program: Program, resources: ResourceState) {
    this.#program = program;
    this.#resources = resources;
  }

  /** Throws `ResolveError` and `PlanExceeded`. Pure. */
  decide(step: Step, record: StepRecord): Decision {
    const state = this.#resources.view;
    if (step.kind === "read")
      return decideRead(
        this.#resources.find(step.resource, step.objectId),
        this.#program.declaration(step.resource),
      );
    if (step.kind === "delete") {
      if (step.tentative === true) {
        const fresh = makePlan(this.#program.planInput(state));
        if (!stillDeletes(fresh, step)) return { does: "nothing" };
      }
      const object = this.#resources.find(step.resource, step.objectId);
      const options = this.#program.declaration(step.resource)?.options;
      const { foundId } = record;
      return decideDelete(object, step.retain === true, foundId, {
        deleteSeconds: options?.customTimeouts.deleteSeconds,
        isAnothers: foundId !== undefined && this.isAnothers(step.type, foundId, object),
        isCurrent: object !== undefined && object === state.current.get(step.resource),
      });
    }
    const declaration = this.#program.declaration(step.resource);
    if (declaration === undefined)
      throw new Error(`The plan applies ${step.resource}, which the template does not have`);
    const decision = decideApply(
      step.resource,
      declaration,
      state.current.get(step.resource),
      this.#program.properties(step.resource, state),
      this.#program.dependenciesOf(step.resource),
      this.#program.provider,
    );
    if (decision.does === "create") {
      const { inputs, stored } = decision;
      if (stored !== undefined && step.action !== "replace") throw new PlanExceeded(step.resource);
      this.#program.requireAllowed(step.resource, inputs);
      const { template, provider } = this.#program;
      const { type } = declaration;
      requireNotLeaving(
        {
          name: step.resource,
          declaration,
          inputs,
          facts: provider.facts(type),
          knownId: this.#program.knownId(type, inputs),
          replaces: stored !== undefined,
        },
        leavingObjects(state, template),
      );
    }
    return decision;
  }

  /** The next attempt of a create; undefined: the provider is working on it. */
  attempt(due: Create | Find, call: OpenCall, nowMs: number): NextAttempt | undefined {
    if (call.pending !== undefined) return undefined;
    if (due.does === "find" && due.stored.sealedInputs !== undefined) return "cannot_tell";
    const { provider, context } = this.#program;
    return nextAttempt(call, provider.repeats(context, due.type), nowMs);
  }

  /** The objects that a call touches, as far as known before the call. `name`: the object's name. */
  placeOf(due: DueCall, name: string): CallPlace {
    const { does, type, inputs } = due;
    const stored = storedOf(due);
    const { provider, context } = this.#program;
    const properties = reveal(inputs) as JsonMap;
    return {
      provider: provider.name,
      isShared: context.ownAccount !== true,
      isAnothers: (id) => this.isAnothers(type, id, stored),
      ...(does === "create" || does === "find"
        ? { knownId: provider.knownId?.(context, { type, name, properties }) }
        : {}),
      ...(context.ownAccount === true
        ? {}
        : {
            refers: provider.facts(type)?.refers,
            own: this.#setByTarget(type),
            named: provider.namedObjects?.(context, { type, name, properties }) ?? [],
            ...(separatesByRows(provider.name, context.config)
              ? { all: namedValues(provider.name, provider.facts(type), properties) }
              : {}),
          }),
    };
  }

  #setByTarget(type: string): JsonMap {
    const { provider, context } = this.#program;
    return Object.fromEntries(
      Object.entries(provider.facts(type)?.defaults ?? {}).flatMap(([path, source]) => {
        const value = "config" in source ? context.config[source.config] : undefined;
        return typeof value === "string" ? [[path, value]] : [];
      }),
    );
  }

  /** The ids of the instance's objects of this type, and of the objects that it imports. */
  knownIds(type: string, except?: StoredResource): string[] {
    const { current, pendingDeletes } = this.#resources.view;
    const ids = [...current.values(), ...pendingDeletes].flatMap((object) =>
      object !== except && object.state !== "lost" && isSameType(object.type, type)
        ? [object.id]
        : [],
    );
    return [...ids, ...this.#program.importedIds(type)];
  }

  /** Whether the id belongs, or is going to belong, to an object other than `object`. */
  isAnothers(type: string, id: string, object: StoredResource | undefined): boolean {
    return this.knownIds(type, object).includes(id);
  }
}
