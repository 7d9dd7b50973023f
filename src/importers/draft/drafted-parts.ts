/**
 * A part is an object of its own in the source. As a property of another object, it can make that object wait for
 * objects that wait for it.
 */
import { groupsOf } from "#engine/graph.ts";
import type { Json } from "#platform/json.ts";
import type { DraftedPart } from "./properties/draft-properties.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";
import { namesReadIn } from "./values/names-read-in.ts";

/** The parts that refer to objects which need their own object. `resources`: those of the draft, by name. */
export function circularParts(
  parts: readonly DraftedPart[],
  resources: readonly (readonly [string, Json])[],
): DraftedResource[] {
  if (parts.length === 0) return [];
  const group = groupsOf(new Map(resources.map(([name, made]) => [name, [...namesReadIn(made)]])));
  return parts.flatMap(({ part, read }) => {
    const own = group.get(part.name);
    const isCircular = read.some(({ name }) => name !== part.name && group.get(name) === own);
    return isCircular ? [part] : [];
  });
}

/** The part that wrote the value at a path in the properties of its object. */
export function partAt(
  path: string | null,
  { name }: DraftedResource,
  parts: readonly DraftedPart[],
): DraftedResource | undefined {
  if (path === null) return undefined;
  return parts.find(
    ({ part, paths }) =>
      part.name === name &&
      paths.some((one) => `${path}.`.startsWith(`${one}.`) || one.startsWith(`${path}.`)),
  )?.part;
}
