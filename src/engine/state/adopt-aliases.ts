import type { ResourceDeclaration, Template } from "#engine/template/template.ts";
import type { InstanceState, StoredResource } from "./state.ts";

const MAX_FORMER_NAMES = 10;

/**
 * Renames each resource of the state that the template lists under an alias, also in the dependencies of
 * others. A resource's former names match without an alias: an older template, deployed again, cannot know
 * names that came later. Changes no object and not the serial. Idempotent; returns the same state when there is
 * nothing to rename. Store the result even when the plan is empty: otherwise removing the alias later would plan
 * a delete and a create.
 */
export function adoptAliases(state: InstanceState, template: Template | undefined): InstanceState {
  const renamed = new Map<string, string>();
  const isFree = (name: string): boolean =>
    state.current.has(name) &&
    !renamed.has(name) &&
    !Object.hasOwn(template?.resources ?? {}, name);
  const rename = (of: (declaration: ResourceDeclaration, name: string) => string | undefined) => {
    const taken = new Set(renamed.values());
    for (const [name, declaration] of Object.entries(template?.resources ?? {})) {
      if (state.current.has(name) || taken.has(name)) continue;
      const former = of(declaration, name);
      if (former !== undefined) renamed.set(former, name);
    }
  };
  rename(({ options }) => options.aliases.find(isFree));
  const once = [...state.current.values()].filter(({ formerNames = [] }) => formerNames.length > 0);
  if (once.length > 0)
    rename(
      ({ type }, name) =>
        once.find(
          (stored) =>
            stored.type === type && stored.formerNames?.includes(name) && isFree(stored.name),
        )?.name,
    );
  if (renamed.size === 0) return state;
  const nameNow = (name: string): string => renamed.get(name) ?? name;
  const move = (resource: StoredResource): StoredResource => {
    const name = nameNow(resource.name);
    const moved = { ...resource, name, dependsOn: resource.dependsOn.map(nameNow) };
    if (name === resource.name) return moved;
    const former = [...(resource.formerNames ?? []), resource.name].filter((it) => it !== name);
    return { ...moved, formerNames: [...new Set(former)].slice(-MAX_FORMER_NAMES) };
  };
  return {
    serial: state.serial,
    current: new Map([...state.current].map(([name, stored]) => [nameNow(name), move(stored)])),
    pendingDeletes: state.pendingDeletes.map(move),
  };
}
