import { type InstanceState, objectKey, type StoredResource } from "./state.ts";

/** The object of a resource. With a key (`objectKey`): the object with that key, current or pending delete. */
export function findObject(
  { current, pendingDeletes }: InstanceState,
  name: string,
  key: string | undefined,
): StoredResource | undefined {
  const object = current.get(name);
  if (key === undefined || (object !== undefined && objectKey(object) === key)) return object;
  return pendingDeletes.find((one) => one.name === name && objectKey(one) === key);
}
