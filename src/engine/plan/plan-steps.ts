import { objectKey, type StoredResource } from "#engine/state/state.ts";
import type { ChangeDecision } from "./decide-change.ts";
import { componentsOf, orderSteps, type OrderEdge } from "./order-steps.ts";
import type { Step } from "./steps.ts";

/** A resource of the template with its decided change. */
export interface DesiredResource {
  name: string;
  type: string;
  stored: StoredResource | undefined;
  decision: ChangeDecision;
  /** On replacement, the old object is deleted before the new one is created. */
  deleteFirst: boolean;
  retainOnDelete: boolean;
}

export interface StepsInput {
  /** In template order. */
  desired: readonly DesiredResource[];
  dependencies: ReadonlyMap<string, readonly string[]>;
  /** Objects of removed resources, in creation order. */
  removed: readonly StoredResource[];
  /** Objects that were replaced earlier and still have to be deleted. */
  pendingDeletes: readonly StoredResource[];
}

export interface PlannedSteps {
  steps: Step[];
  /** Replaced resources that are deleted first only because another one is: their names to that one's name. */
  deletedWith: ReadonlyMap<string, string>;
  /** Removed resources whose objects are deleted before an apply, because their dependencies are deleted first. */
  deletedEarly: ReadonlySet<string>;
}

interface DeletedObject {
  id: string;
  object: StoredResource;
  retain: boolean;
  tentative: boolean;
  /** Set when the object is replaced: its resource. */
  replacedBy?: DesiredResource;
  deleteFirst: boolean;
  /** Its resource left the template. */
  leaves: boolean;
}

/**
 * The strength of one step's wait for another. Stored dependencies can contradict the template: a dependency was
 * reversed, or a removed object lies between two that stay. So only the strongest edges are always kept.
 */
const strength = {
  /** A delete after the applies of the object's former dependents. */
  released: 0,
  /** A tentative delete after the applies that decide whether it is needed. */
  decided: 1,
  /** A delete after the deletes of the object's dependents. */
  dismantled: 2,
  /** An apply after its dependencies, and before or after the delete of the object it replaces. */
  required: 3,
} as const;

/**
 * The steps of a plan in dependency order, free of cycles. Deletes of removed resources come last, so that a failed
 * create or update deletes nothing. Exceptions are the deletes that an apply needs.
 */
export function planSteps({
  desired,
  dependencies,
  removed,
  pendingDeletes,
}: StepsInput): PlannedSteps {
  const applied = desired.filter(({ decision }) => decision.action !== "unchanged");
  const applyAt = new Map(applied.map(({ name }, i) => [name, i]));
  const appliedDependencies = (name: string): number[] =>
    (dependencies.get(name) ?? []).flatMap((dependency) => applyAt.get(dependency) ?? []);
  const deleted = deletedObjects(applied, removed, pendingDeletes);
  const deleteAt = (i: number): number => applied.length + i;
  const count = applied.length + deleted.length;

  const deletesByName = new Map<string, number[]>();
  for (const [i, { object }] of deleted.entries()) {
    const list = deletesByName.get(object.name);
    if (list === undefined) deletesByName.set(object.name, [i]);
    else list.push(i);
  }
  const fixed: OrderEdge[] = [];
  for (const [after, { name }] of applied.entries())
    for (const before of appliedDependencies(name))
      fixed.push({ before, after, strength: strength.required });
  for (const [i, { object }] of deleted.entries())
    for (const dependency of object.dependsOn)
      for (const other of deletesByName.get(dependency) ?? [])
        if (deleted[other]?.object.name !== object.name)
          fixed.push({
            before: deleteAt(i),
            after: deleteAt(other),
            strength: strength.dismantled,
          });

  const replacing = (): OrderEdge[] =>
    deleted.flatMap(({ replacedBy, deleteFirst }, i) => {
      const apply = replacedBy && applyAt.get(replacedBy.name);
      if (apply === undefined) return [];
      const [before, after] = deleteFirst ? [deleteAt(i), apply] : [apply, deleteAt(i)];
      return [{ before, after, strength: strength.required }];
    });

  const deletedWith = new Map<string, string>();
  let edges = [...fixed, ...replacing()];
  while (pullForward(deleted, applyAt, deleteAt, componentsOf(count, edges), deletedWith))
    edges = [...fixed, ...replacing()];

  const needed = neededBy(applied.length, count, edges);
  const leaving = deleted.flatMap(({ leaves }, i) => (leaves ? [deleteAt(i)] : []));
  const deletedEarly = new Set(
    leaving.flatMap((at) =>
      needed.has(at) ? (deleted[at - applied.length]?.object.name ?? []) : [],
    ),
  );
  const isLast = reachableFrom(
    applied.length === 0 ? [] : leaving.filter((at) => !needed.has(at)),
    count,
    edges,
  );
  const waits: OrderEdge[] = [];
  const users = usersByName(desired, dependencies, applyAt);
  for (const [i, { object, replacedBy, deleteFirst, tentative }] of deleted.entries()) {
    const after = deleteAt(i);
    // The step waits for every apply anyway.
    if (isLast.has(after)) continue;
    if (replacedBy !== undefined && deleteFirst && tentative)
      for (const before of decidingApplies(
        replacedBy.name,
        dependencies,
        applyAt,
        reachableFrom([after], count, edges),
      ))
        waits.push({ before, after, strength: strength.decided });
    for (const before of users.get(object.name) ?? [])
      waits.push({ before, after, strength: strength.released });
  }

  const { order, predecessors } = orderSteps(count, [...edges, ...waits]);
  const idOf = (i: number): string => {
    const resource = applied[i];
    return resource === undefined
      ? (deleted[i - applied.length]?.id ?? "")
      : applyId(resource.name);
  };
  const inOrder = [...order.filter((i) => !isLast.has(i)), ...order.filter((i) => isLast.has(i))];
  const steps = inOrder.flatMap((i): Step[] => {
    const dependsOn = (predecessors[i] ?? []).map(idOf);
    const resource = applied[i];
    if (resource !== undefined) return [applyStep(resource, dependsOn)];
    const item = deleted[i - applied.length];
    return item === undefined ? [] : [deleteStep(item, dependsOn, isLast.has(i))];
  });
  return { steps, deletedWith, deletedEarly };
}

/** The steps that an apply needs, and the applies, which are the first steps. */
function neededBy(applies: number, count: number, edges: readonly OrderEdge[]): Set<number> {
  return reachableFrom(
    Array.from({ length: applies }, (_, at) => at),
    count,
    edges.map(({ before, after, strength }) => ({ before: after, after: before, strength })),
  );
}

function deletedObjects(
  applied: readonly DesiredResource[],
  removed: readonly StoredResource[],
  pendingDeletes: readonly StoredResource[],
): DeletedObject[] {
  const replaced = applied.flatMap((resource): DeletedObject[] => {
    const { stored, decision, name } = resource;
    if (stored === undefined || decision.action !== "replace") return [];
    return [
      {
        id: `delete:${name}`,
        object: stored,
        retain: stored.retainOnDelete || resource.retainOnDelete,
        tentative: decision.tentative,
        replacedBy: resource,
        deleteFirst: resource.deleteFirst,
        leaves: false,
      },
    ];
  });
  const gone = [
    ...removed
      .toReversed()
      .map((object) => ({ id: `delete:${object.name}`, object, leaves: true })),
    ...pendingDeletes.map((object) => ({
      id: `delete:${object.name}:${objectKey(object)}`,
      object,
      leaves: false,
    })),
  ].map(({ id, object, leaves }): DeletedObject => ({
    id,
    object,
    retain: object.retainOnDelete,
    tentative: false,
    deleteFirst: false,
    leaves,
  }));
  const byId = new Map([...replaced, ...gone].map((item) => [item.id, item]));
  return [...byId.values()];
}

/**
 * Makes an object delete-first too when it must be deleted before a delete-first object, but its replacement can only
 * be created after that object's. Returns true after a change, which may cause new contradictions.
 */
function pullForward(
  deleted: DeletedObject[],
  applyAt: ReadonlyMap<string, number>,
  deleteAt: (i: number) => number,
  component: readonly number[],
  deletedWith: Map<string, string>,
): boolean {
  const leaders = new Map<number, string[]>();
  for (const [i, { deleteFirst, object }] of deleted.entries()) {
    const group = component[deleteAt(i)];
    if (!deleteFirst || group === undefined) continue;
    leaders.set(group, [...(leaders.get(group) ?? []), object.name]);
  }
  let changed = false;
  for (const [i, item] of deleted.entries()) {
    const apply = item.replacedBy && applyAt.get(item.replacedBy.name);
    const group = component[deleteAt(i)];
    if (item.deleteFirst || apply === undefined || group === undefined) continue;
    if (component[apply] !== group) continue;
    const names = leaders.get(group) ?? [];
    const leader = names.find((name) => item.object.dependsOn.includes(name)) ?? names[0];
    if (leader !== undefined) deletedWith.set(item.object.name, leader);
    deleted[i] = { ...item, deleteFirst: true };
    changed = true;
  }
  return changed;
}

/**
 * The applies that decide whether a tentative delete-first is needed: those of the resource's dependencies. A
 * dependency that can only be applied after the delete is replaced by the applies that decide it.
 */
function decidingApplies(
  name: string,
  dependencies: ReadonlyMap<string, readonly string[]>,
  applyAt: ReadonlyMap<string, number>,
  after: ReadonlySet<number>,
): Set<number> {
  const deciding = new Set<number>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const dependency of dependencies.get(name) ?? []) {
      const apply = applyAt.get(dependency);
      if (apply === undefined) continue;
      if (after.has(apply)) visit(dependency);
      else deciding.add(apply);
    }
  };
  visit(name);
  return deciding;
}

function reachableFrom(
  starts: readonly number[],
  count: number,
  edges: readonly OrderEdge[],
): Set<number> {
  const successors = Array.from({ length: count }, (): number[] => []);
  for (const { before, after } of edges) successors[before]?.push(after);
  const reached = new Set(starts);
  for (const node of reached) for (const next of successors[node] ?? []) reached.add(next);
  return reached;
}

/** By name, the applies of its former and new dependents. Only after these does no object refer to the old one. */
function usersByName(
  desired: readonly DesiredResource[],
  dependencies: ReadonlyMap<string, readonly string[]>,
  applyAt: ReadonlyMap<string, number>,
): Map<string, Set<number>> {
  const users = new Map<string, Set<number>>();
  for (const { name, stored } of desired) {
    const apply = applyAt.get(name);
    if (apply === undefined) continue;
    for (const used of [...(stored?.dependsOn ?? []), ...(dependencies.get(name) ?? [])]) {
      const known = users.get(used);
      if (known === undefined) users.set(used, new Set([apply]));
      else known.add(apply);
    }
  }
  return users;
}

function applyId(resource: string): string {
  return `apply:${resource}`;
}

function applyStep({ name, type, decision }: DesiredResource, dependsOn: string[]): Step {
  const action = decision.action === "unchanged" ? "update" : decision.action;
  return { id: applyId(name), kind: "apply", resource: name, type, action, dependsOn };
}

function deleteStep(
  { id, object, retain, tentative }: DeletedObject,
  dependsOn: string[],
  last: boolean,
): Step {
  return {
    id,
    kind: "delete",
    resource: object.name,
    type: object.type,
    action: "delete",
    dependsOn,
    objectId: objectKey(object),
    ...(retain ? { retain: true } : {}),
    ...(tentative ? { tentative: true } : {}),
    ...(last ? { last: true } : {}),
  };
}
