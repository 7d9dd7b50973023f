import type { ResourceDeclaration, Template } from "#engine/template/template.ts";
import type { InstanceState, StoredResource } from "./state.ts";

const MAX_FORMER_NAMES = 10;

/**
 * The state with every resource that the template knows by a former name under its new one, in the
 * dependencies of others too. A name that a resource had before it was renamed means it again, though no alias
 * says so: an older template that is gone back to cannot know of names that came later. Nothing at a provider
 * changes, and neither does the serial. The same state when there is nothing to rename: doing it twice does it
 * once. Keep the answer even when the plan is empty: without it, dropping the alias later would plan a delete and
 * a create.
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
