import type { Template } from "#engine/template/template.ts";
import { findRenames } from "./find-renames.ts";
import { aliasUsers, spendAliases } from "./spend-aliases.ts";
import type { InstanceState, StoredResource } from "./state.ts";

const MAX_FORMER_NAMES = 10;

/**
 * Gives each resource of the state its name in the template, also in the dependencies of others and in pending deletes.
 * Changes no object and not the serial. Idempotent; returns the same state when no change is needed. Store the result
 * even when the plan is empty: otherwise removing the alias later would plan a delete and a create. Throws the errors
 * of `findRenames`.
 */
export function adoptAliases(state: InstanceState, template: Template | undefined): InstanceState {
  const renames = findRenames(state, template);
  const nameNow = (name: string): string => renames.get(name) ?? name;
  const move = (resource: StoredResource): StoredResource => {
    const name = nameNow(resource.name);
    const moved = { ...resource, name, dependsOn: resource.dependsOn.map(nameNow) };
    if (name === resource.name) return moved;
    const former = [...(resource.formerNames ?? []), resource.name].filter((it) => it !== name);
    // These aliases belonged to the former name.
    const { spentAliases: _, ...rest } = moved;
    return { ...rest, formerNames: [...new Set(former)].slice(-MAX_FORMER_NAMES) };
  };
  const users = aliasUsers(template);
  let changed = renames.size > 0;
  const current = [...state.current].map(([name, stored]): [string, StoredResource] => {
    const moved = renames.size > 0 ? move(stored) : stored;
    const spent = spendAliases(moved, users);
    if (spent !== moved) changed = true;
    return [nameNow(name), spent];
  });
  if (!changed) return state;
  return {
    serial: state.serial,
    current: new Map(current),
    pendingDeletes: renames.size > 0 ? state.pendingDeletes.map(move) : state.pendingDeletes,
  };
}
