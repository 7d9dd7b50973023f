import { expressionsIn, expressionsOf, partsOf, readsIn } from "./template/expressions-in.ts";
import { own } from "./template/own.ts";
import { referencesOf } from "./template/string-parts.ts";
import type { Expression, Reference, Template } from "./template/template.ts";

/** Every reference in an expression, in text order. */
export function referencesIn(expression: Expression): Reference[] {
  return expressionsIn(expression).flatMap(referencesOf);
}

/**
 * For each resource, component and variable, its direct references to others of them, without duplicates, in text order.
 */
function directNames(template: Template): Map<string, string[]> {
  const parts = partsOf(template);
  const isNode = (name: string) =>
    own(parts, name) !== undefined || own(template.variables, name) !== undefined;
  const direct = new Map<string, string[]>();
  const add = (name: string, expressions: Expression[], more: readonly string[]) => {
    const roots = expressions.flatMap(readsIn).map(({ root }) => root);
    direct.set(name, [...new Set([...roots, ...more])].filter(isNode));
  };
  for (const [name, expression] of Object.entries(template.variables)) add(name, [expression], []);
  for (const [name, part] of Object.entries(parts))
    add(name, expressionsOf(part), part.options.dependsOn);
  return direct;
}

/**
 * The dependencies of each resource and component, in template order and without duplicates: those referenced in its
 * expressions, reached through variables, or listed in `dependsOn`. Unknown names are ignored; a resource that
 * depends on itself is listed under itself.
 */
export function dependenciesOf(template: Template): Map<string, string[]> {
  const direct = directNames(template);
  const order = new Map(Object.keys(partsOf(template)).map((name, index) => [name, index]));
  const dependencies = new Map<string, string[]>();
  for (const name of order.keys()) {
    const needed = new Set<string>();
    const seen = new Set<string>();
    const pending = [...(direct.get(name) ?? [])];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (order.has(next)) needed.add(next);
      else if (!seen.has(next)) {
        seen.add(next);
        pending.push(...(direct.get(next) ?? []));
      }
    }
    dependencies.set(
      name,
      [...needed].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
    );
  }
  return dependencies;
}

/** The dependencies among managed resources only: a resource read with `get` is replaced by its own dependencies. */
export function managedDependencies(
  dependencies: ReadonlyMap<string, readonly string[]>,
  isRead: (name: string) => boolean,
): Map<string, string[]> {
  const managed = new Map<string, string[]>();
  const order = new Map([...dependencies.keys()].map((name, index) => [name, index]));
  for (const [name, direct] of dependencies) {
    const needed = new Set(direct);
    for (const one of needed)
      if (isRead(one)) for (const more of dependencies.get(one) ?? []) needed.add(more);
    managed.set(
      name,
      [...needed]
        .filter((one) => !isRead(one))
        .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
    );
  }
  return managed;
}

/**
 * All names in dependency order; independent names keep the order of the map. Dependencies that are not keys
 * of the map are ignored. Throws on a cycle; `findCycles` reports which.
 */
export function topologicalOrder(dependencies: ReadonlyMap<string, readonly string[]>): string[] {
  const order: string[] = [];
  const state = new Map<string, "open" | "done">();
  for (const start of dependencies.keys()) {
    if (state.has(start)) continue;
    const stack = [{ name: start, next: 0 }];
    state.set(start, "open");
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const dependency = dependencies.get(top.name)?.[top.next++];
      if (dependency === undefined) {
        state.set(top.name, "done");
        order.push(top.name);
        stack.pop();
      } else if (state.get(dependency) === "open") {
        throw new Error(`The dependencies of ${JSON.stringify(dependency)} form a cycle`);
      } else if (!state.has(dependency) && dependencies.has(dependency)) {
        state.set(dependency, "open");
        stack.push({ name: dependency, next: 0 });
      }
    }
  }
  return order;
}

/**
 * The cycles among resources, components and variables, each as a path from its first name in template order back to
 * that name: `["a", "v", "b", "a"]` means that a depends on v, v on b, and b on a. Of cycles that overlap, one
 * shortest cycle is returned. A name that depends on itself is the cycle `["a", "a"]`.
 */
export function findCycles(template: Template): string[][] {
  const direct = directNames(template);
  const group = groupsOf(direct);
  const cycles: string[][] = [];
  const covered = new Set<number>();
  for (const name of [...Object.keys(partsOf(template)), ...Object.keys(template.variables)]) {
    const own = group.get(name) ?? -1;
    if (direct.get(name)?.includes(name) === true) cycles.push([name, name]);
    if (covered.has(own)) continue;
    covered.add(own);
    const cycle = shortestCycle(
      name,
      direct,
      (other) => other !== name && group.get(other) === own,
    );
    if (cycle !== undefined) cycles.push(cycle);
  }
  return cycles;
}

/** The shortest path from a name back to itself through at least one other name of its group. */
function shortestCycle(
  start: string,
  direct: ReadonlyMap<string, readonly string[]>,
  inGroup: (name: string) => boolean,
): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const next of direct.get(name) ?? []) {
      if (next === start && name !== start) {
        const path = [start];
        for (let at = name; at !== start; at = cameFrom.get(at) ?? start) path.push(at);
        return [...path, start].reverse();
      }
      if (!inGroup(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, name);
      queue.push(next);
    }
  }
  return undefined;
}

/** The number of each name's strongly connected component (Tarjan's algorithm, without recursion). */
export function groupsOf(direct: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const group = new Map<string, number>();
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  let groups = 0;
  const enter = (name: string) => {
    index.set(name, index.size);
    low.set(name, index.size - 1);
    open.push(name);
    return { name, next: 0 };
  };
  const lower = (name: string, value: number) =>
    low.set(name, Math.min(low.get(name) ?? value, value));
  for (const start of direct.keys()) {
    if (index.has(start)) continue;
    const stack = [enter(start)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { name } = top;
      const next = direct.get(name)?.[top.next++];
      if (next !== undefined) {
        if (!index.has(next)) stack.push(enter(next));
        else if (!group.has(next)) lower(name, index.get(next) ?? 0);
        continue;
      }
      stack.pop();
      const above = stack.at(-1);
      if (above !== undefined) lower(above.name, low.get(name) ?? 0);
      if (low.get(name) !== index.get(name)) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        group.set(member, groups);
        if (member === name) break;
      }
      groups++;
    }
  }
  return group;
}
