import type { InstanceState, StoredResource } from "./state.ts";

/** The object of a resource; with an id that one, be it the current object or a replaced one that is still to be deleted. */
export function findObject(
  { current, pendingDeletes }: InstanceState,
  name: string,
  id: string | undefined,
): StoredResource | undefined {
  const object = current.get(name);
  if (id === undefined || object?.id === id) return object;
  return pendingDeletes.find((one) => one.name === name && one.id === id);
}
