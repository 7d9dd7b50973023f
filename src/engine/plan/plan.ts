import { plannedObject } from "#engine/output-types.ts";
import { adoptAliases } from "#engine/state/adopt-aliases.ts";
import { findRenames } from "#engine/state/find-renames.ts";
import {
  type InstanceState,
  knownObject,
  type KnownResource,
  type StoredResource,
} from "#engine/state/state.ts";
import { turnedLoop } from "#engine/template/levels/address.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration, Template } from "#engine/template/template.ts";
import { unknown, type Value, type ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { isSameType } from "#providers/type-name.ts";
import type { PlanSummary } from "#schema/deployments.ts";
import { checkGets, idOfGet, requireNotManaged } from "./check-gets.ts";
import { checkImports } from "./check-imports.ts";
import { type ChangeDecision, decideChange } from "./decide-change.ts";
import { impliedRenames, type NewObject } from "./implied-renames.ts";
import { leftBehind } from "./left-behind.ts";
import { lostWithParent } from "./lost-with-parent.ts";
import { requireNotOnlyAtCreate } from "./one-way-changes.ts";
import { planSteps, type DesiredResource } from "./plan-steps.ts";
import { markSecret, plannedOutputs } from "./planned-outputs.ts";
import { whyRemoved } from "./removal-reason.ts";
import type { Plan, ResourceChange, Step } from "./steps.ts";
import { keepsUniqueName, nameStaysTaken } from "./unique-name.ts";

export interface PlanInput {
  operation: "deploy" | "destroy";
  /** Ignored by a destroy. */
  template: Template | undefined;
  /** The addresses that a false condition leaves out. Default: none. */
  leftOut?: ReadonlySet<string>;
  /** Aliases by which no resource takes an object, as `writeOut` gives them. Default: none. */
  unmet?: ReadonlyMap<string, string>;
  /** Direct dependencies of each resource of the template. */
  dependencies: ReadonlyMap<string, readonly string[]>;
  /** The template's resources in dependency order. */
  order: readonly string[];
  state: InstanceState;
  /** Former names of the resources that this run has already renamed. Default: none. */
  movedFrom?: { readonly [resource: string]: string };
  facts: (type: string) => TypeFacts | undefined;
  /**
   * Computes a resource's properties from the outputs of others. Called for each resource, in `order`; the outputs of a
   * resource do not change after its first call. `stored`: the properties of its existing object.
   */
  resolve: (
    resource: string,
    outputsOf: (name: string) => Value,
    stored: StoredResource | undefined,
  ) => ValueMap;
  /** Computes the id that a resource with `get` reads. Default: unknown. */
  idToRead?: (resource: string, outputsOf: (name: string) => Value) => Value;
  /** The id that an object gets, if the cloud derives it from the properties. Default: unknown. */
  knownId?: (type: string, inputs: ValueMap) => string | undefined;
  /** The one spelling of an id that the cloud accepts in several. Default: each spelling is another id. */
  spelledId?: (type: string, id: string) => string;
  /** The outputs of an object that was read; undefined: it was not read yet. Default: none was read. */
  found?: (object: ObjectToRead) => ValueMap | undefined;
  /** Throws for inputs that a new object must not have. Default: all are allowed. */
  requireAllowed?: (resource: string, inputs: ValueMap) => void;
  /** Computes the template's outputs as `resolve` computes properties; called last. Default: they are not computed. */
  outputs?: (outputsOf: (name: string) => Value) => ValueMap;
  /** A sentence about an object that another instance manages; undefined: none does. Default: none. */
  claimed?: (object: { type: string; id: string }) => string | undefined;
}

/** An object that the template reads with `get`. */
export interface ObjectToRead {
  resource: string;
  type: string;
  /** In its one spelling. */
  id: string;
  /** In the template's spelling, with which the cloud is asked. */
  written: string;
}

/**
 * The changes and steps of a run. Pure and deterministic, independent of key order. Reads the state under the names
 * from `adoptAliases`; renames from `findImpliedRenames` must be in the template as aliases. Throws the errors of both,
 * of `resolve`, `requireAllowed`, `outputs` and `checkImports`, and `ResolveError` for a replacement that needs an
 * earlier delete.
 */
export function makePlan(input: PlanInput): Plan {
  const template = input.operation === "destroy" ? undefined : input.template;
  if (input.operation === "deploy" && template === undefined)
    throw new Error("A deploy needs a template");
  const state = adoptAliases(input.state, template);
  const { desired, reads } =
    template === undefined
      ? { desired: [], reads: new Map<string, ResourceChange>() }
      : decideAll(input, template, state);
  const movedFrom = new Map(Object.entries(input.movedFrom ?? {}));
  for (const [from, to] of findRenames(input.state, template)) movedFrom.set(to, from);
  const removed =
    template === undefined ? [...state.current.values()] : leavingObjects(state, template);
  requireMet(removed, template, input.unmet);
  const pendingDeletes = state.pendingDeletes.map((object) => orGivenUp(object, template));
  const { steps, deletedWith, deletedEarly } = planSteps({
    desired,
    dependencies: template === undefined ? new Map() : input.dependencies,
    removed,
    pendingDeletes,
  });
  const arriving = new Map(
    desired.flatMap(({ name, stored }) => {
      const declaration = stored === undefined ? declared(template, name) : undefined;
      return declaration === undefined ? [] : [[name, declaration]];
    }),
  );
  const changes = [
    ...inTemplateOrder(
      template,
      new Map([
        ...reads,
        ...desired.map((resource): [string, ResourceChange] => [
          resource.name,
          changeOf(resource, movedFrom, deletedWith, input.facts(resource.type)),
        ]),
      ]),
    ),
    ...removed.toReversed().map((object) =>
      deletion(
        object,
        template === undefined
          ? "the instance is destroyed"
          : whyRemoved(object, {
              leftOut: input.leftOut ?? new Set(),
              early: deletedEarly.has(object.name),
              arriving,
            }),
        input.facts(object.type),
      ),
    ),
    ...pendingDeletes.map((object) =>
      deletion(object, "replaced earlier", input.facts(object.type)),
    ),
  ];
  return {
    operation: input.operation,
    stateSerial: state.serial,
    summary: summaryOf(changes),
    changes,
    steps,
  };
}

/** Throws for an object that an alias is to keep, and that would be deleted because nothing has the alias's address. */
function requireMet(
  removed: readonly StoredResource[],
  template: Template | undefined,
  unmet: PlanInput["unmet"] = new Map(),
): void {
  if (template === undefined) return;
  for (const { name } of removed) {
    const to = unmet.get(name) ?? unmet.get(turnedLoop(name) ?? "");
    if (to !== undefined)
      throw new ResolveError(
        "unmet_alias",
        `An alias moves the object ${name} to ${to}, and no resource takes it there, so it would be deleted. Correct \`to\`, or remove the alias.`,
        { path: "/resources", line: 0, column: 0 },
        "`to` is a key of the loop, or an address inside the component, as in `subnet`. In a loop of components, that address begins with the key, as in `'[\"a\"]/subnet'`.",
      );
  }
}

/**
 * The renames that the template does not write as aliases: from the names in the state to those in the template. Throws
 * the errors of `makePlan`, and `ResolveError` if a rename is not certain.
 */
export function findImpliedRenames(input: PlanInput): Map<string, string> {
  const { template } = input;
  if (input.operation === "destroy" || template === undefined) return new Map();
  const state = adoptAliases(input.state, template);
  const leaving = leavingObjects(state, template);
  const comes = Object.values(template.resources).some(
    ({ type, get }) => get === undefined && leaving.some((object) => isSameType(object.type, type)),
  );
  if (!comes) return new Map();
  const decided = decideAll(input, template, state).desired;
  const arriving = decided.flatMap(({ name, stored, decision }): NewObject[] => {
    const declaration = declared(template, name);
    if (declaration === undefined || declaration.options.import !== undefined) return [];
    if (decision.action !== "create" && decision.action !== "replace") return [];
    const { type } = declaration;
    return [
      {
        name,
        declaration,
        inputs: decision.inputs,
        facts: input.facts(type),
        knownId: input.knownId?.(type, decision.inputs),
        replaces: stored !== undefined,
      },
    ];
  });
  return impliedRenames(arriving, leaving, ({ name, declaration }, object) => {
    const properties = input.resolve(name, () => unknown, object);
    return decideChange(declaration, object, properties, input.facts(declaration.type)).action;
  });
}

/** The objects whose resources left the template. `state` uses the template's names (`adoptAliases`). */
export function leavingObjects(state: InstanceState, template: Template): StoredResource[] {
  return [...state.current.values()].filter(({ name }) => {
    const declaration = declared(template, name);
    return declaration === undefined || declaration.get !== undefined;
  });
}

/** True when a tentative delete is due: a plan made again at its turn deletes the same object. */
export function stillDeletes(fresh: Plan, { kind, type, objectId }: Step): boolean {
  return fresh.steps.some(
    (step) => step.kind === kind && step.type === type && step.objectId === objectId,
  );
}

/**
 * Names of resources that the plan would delete or replace, even tentatively, although `protect` is set in the
 * template or was set when last applied. Removing `protect` takes effect with the next deployment, and at once
 * for a tainted resource.
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
      // A tainted resource can only be replaced, so its protection follows the template at once.
      return wanted === true || (stored.protect && !(isBroken(stored) && wanted === false));
    })
    .map(({ resource }) => resource);
}

/**
 * Retains a replaced object at the provider once its resource sets `retainOnDelete`. There is no other way to give up
 * an object that cannot be found, or that the provider does not delete.
 */
function orGivenUp(object: StoredResource, template: Template | undefined): StoredResource {
  const retains = declared(template, object.name)?.options.retainOnDelete === true;
  return retains ? { ...object, retainOnDelete: true } : object;
}

function declared(template: Template | undefined, name: string): ResourceDeclaration | undefined {
  if (template === undefined || !Object.hasOwn(template.resources, name)) return undefined;
  return template.resources[name];
}

interface Decided {
  desired: DesiredResource[];
  /** The reads, by resource. */
  reads: Map<string, ResourceChange>;
}

function decideAll(input: PlanInput, template: Template, state: InstanceState): Decided {
  checkGets(template, state);
  checkImports(template, state, input.claimed ?? (() => undefined));
  const reads = new Map<string, ResourceChange>();
  const outputs = new Map<string, Value>();
  const outputsOf = (name: string): Value => outputs.get(name) ?? unknown;
  const decided = new Map<string, DesiredResource>();
  for (const name of input.order) {
    const declaration = declared(template, name);
    if (declaration === undefined) continue;
    const { type, options } = declaration;
    const facts = input.facts(type);
    if (declaration.get !== undefined) {
      const value = input.idToRead?.(name, outputsOf) ?? unknown;
      const written = idOfGet(name, declaration, value);
      const id = written && (input.spelledId?.(type, written) ?? written);
      if (id !== undefined) requireNotManaged(name, { type, id }, template, state);
      const waits = options.dependsOn.some((other) => {
        const action = decided.get(other)?.decision.action ?? reads.get(other)?.reason;
        return action !== undefined && action !== "unchanged";
      });
      const found =
        id === undefined || written === undefined || waits
          ? undefined
          : input.found?.({ resource: name, type, id, written });
      const later = plannedObject(id === undefined ? {} : { id }, facts);
      outputs.set(
        name,
        found === undefined ? later : markSecret(found, options.additionalSecretOutputs),
      );
      reads.set(name, readOf(name, type, id, found !== undefined));
      continue;
    }
    const stored = state.current.get(name);
    const properties = input.resolve(name, outputsOf, stored);
    requireNotOnlyAtCreate(name, declaration, stored, properties, facts);
    const parents = (input.dependencies.get(name) ?? []).flatMap((one) => decided.get(one) ?? []);
    const alone = decideChange(declaration, stored, properties, facts);
    const parent =
      stored && alone.action !== "create" ? lostWithParent(stored, facts, parents) : undefined;
    const decision = parent === undefined ? alone : replacedWith(parent, alone);
    const namesake =
      decision.action === "replace" &&
      stored !== undefined &&
      isSameType(stored.type, type) &&
      keepsUniqueName(stored, decision.inputs, facts, input.knownId?.(type, decision.inputs));
    const isMeant = options.deleteBeforeReplace || facts?.deleteBeforeReplace === true;
    // A tainted object was never usable, so its replacement loses nothing.
    if (namesake && !isMeant && !decision.tentative && parent === undefined && !isBroken(stored))
      throw nameStaysTaken(name, declaration, facts, decision.reason);
    if (decision.action === "create" || decision.action === "replace")
      input.requireAllowed?.(name, decision.inputs);
    // Their ids become known once the run has looked for them. A missing object is created again.
    outputs.set(
      name,
      plannedOutputs(
        decision,
        withoutDoubt(stored),
        facts,
        options.import,
        options.additionalSecretOutputs,
      ),
    );
    decided.set(name, {
      name,
      type,
      stored,
      decision,
      deleteFirst: isMeant || namesake || parent !== undefined,
      retainOnDelete: options.retainOnDelete,
    });
  }
  input.outputs?.(outputsOf);
  const desired = Object.entries(template.resources).flatMap(([name, { get }]) => {
    const resource = decided.get(name);
    if (resource === undefined && get === undefined)
      throw new Error(`Resource ${name} of the template is missing from the order`);
    return resource ?? [];
  });
  return { desired, reads };
}

/** The object, unless its existence is uncertain: its create or delete was not seen to end. */
function withoutDoubt(stored: StoredResource | undefined): KnownResource | undefined {
  return stored?.state === "deleting" ? undefined : knownObject(stored);
}

/** Whether the object is known never to have been usable. */
function isBroken({ state }: StoredResource): boolean {
  return state === "tainted" || state === "lost";
}

/** The decision for an object that is replaced with the one that contains it. */
function replacedWith(parent: DesiredResource, alone: ChangeDecision): ChangeDecision {
  if (alone.action === "replace" && !alone.tentative) return alone;
  const { keptDrift: _, ...decision } = alone;
  return {
    ...decision,
    action: "replace",
    tentative: parent.decision.tentative,
    reason: `it is in ${parent.name}, which is deleted first`,
  };
}

function readOf(
  resource: string,
  type: string,
  id: string | undefined,
  isRead: boolean,
): ResourceChange {
  return {
    resource,
    type,
    action: "read",
    tentative: false,
    ...(id === undefined ? {} : { id }),
    changes: [],
    ...(isRead ? {} : { reason: "read after what it depends on" }),
  };
}

function inTemplateOrder(
  template: Template | undefined,
  changes: ReadonlyMap<string, ResourceChange>,
): ResourceChange[] {
  return Object.keys(template?.resources ?? {}).flatMap((name) => changes.get(name) ?? []);
}

function changeOf(
  { name, type, stored, decision, deleteFirst, retainOnDelete }: DesiredResource,
  movedFrom: ReadonlyMap<string, string>,
  deletedWith: ReadonlyMap<string, string>,
  facts: TypeFacts | undefined,
): ResourceChange {
  const { action, tentative, changes } = decision;
  const leader = deletedWith.get(name);
  const isFirst =
    action === "replace" &&
    stored !== undefined &&
    !isBroken(stored) &&
    (deleteFirst || leader !== undefined);
  const leaves =
    action === "replace" && stored !== undefined && !retainOnDelete
      ? leftBehind(stored, facts)
      : undefined;
  const formerName = stored === undefined ? undefined : movedFrom.get(name);
  const reason = [
    ...(decision.reason === undefined ? [] : [decision.reason]),
    ...(isFirst
      ? [
          `deleted first${leader === undefined ? "" : ` because ${leader} is`}: if the create then fails, nothing is left`,
        ]
      : []),
  ].join("; ");
  return {
    resource: name,
    type,
    action,
    tentative,
    ...(stored === undefined ? {} : knownId(stored)),
    changes,
    ...(formerName === undefined ? {} : { movedFrom: formerName }),
    ...(leaves === undefined ? {} : { leaves }),
    ...(reason === "" ? {} : { reason }),
  };
}

function deletion(
  object: StoredResource,
  why: string,
  facts: TypeFacts | undefined,
): ResourceChange {
  const leaves = leftBehind(object, facts);
  return {
    resource: object.name,
    type: object.type,
    action: "delete",
    tentative: false,
    ...knownId(object),
    changes: [],
    ...(leaves === undefined ? {} : { leaves }),
    reason: object.retainOnDelete ? `${why}; kept at the provider` : why,
  };
}

function knownId(object: StoredResource): { id?: string } {
  return object.state === "lost" ? {} : { id: object.id };
}

function summaryOf(changes: readonly ResourceChange[]): PlanSummary {
  const summary = { create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 };
  for (const { action } of changes) if (action !== "read") summary[action] += 1;
  return summary;
}
