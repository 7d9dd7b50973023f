import {
  type InstanceState,
  knownObject,
  type KnownResource,
  type LostResource,
} from "#engine/state/state.ts";

/** The object as if its create had never been answered. */
export function asLost(known: KnownResource, more: Partial<LostResource> = {}): LostResource {
  const { id: _id, outputs: _outputs, drift: _drift, ...object } = known;
  return { ...object, state: "lost", token: "t", sent: { firstMs: 1, lastMs: 1 }, ...more };
}

/** The object of a resource. */
export function knownIn({ current }: InstanceState, name: string): KnownResource {
  const object = knownObject(current.get(name));
  if (object === undefined) throw new Error(`${name} has no object`);
  return object;
}
