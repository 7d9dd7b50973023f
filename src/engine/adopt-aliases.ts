import type { InstanceState, StoredResource } from "./state.ts";
import type { Template } from "./template/template.ts";

/**
 * The state with every resource that the template knows by a former name under its new one, in the
 * dependencies of others too. Nothing at a provider changes, and neither does the serial. The same state
 * when there is nothing to rename: doing it twice does it once. Keep the answer even when the plan is empty:
 * without it, dropping the alias later would plan a delete and a create.
 */
export function adoptAliases(state: InstanceState, template: Template | undefined): InstanceState {
  const renamed = new Map<string, string>();
  for (const [name, { options }] of Object.entries(template?.resources ?? {})) {
    if (state.current.has(name)) continue;
    const former = options.aliases.find(
      (alias) =>
        state.current.has(alias) &&
        !renamed.has(alias) &&
        !Object.hasOwn(template?.resources ?? {}, alias),
    );
    if (former !== undefined) renamed.set(former, name);
  }
  if (renamed.size === 0) return state;
  const nameNow = (name: string): string => renamed.get(name) ?? name;
  const move = (resource: StoredResource): StoredResource => ({
    ...resource,
    name: nameNow(resource.name),
    dependsOn: resource.dependsOn.map(nameNow),
  });
  return {
    serial: state.serial,
    current: new Map([...state.current].map(([name, stored]) => [nameNow(name), move(stored)])),
    condemned: state.condemned.map(move),
  };
}
