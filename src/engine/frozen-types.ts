import { isSameType, parseTypeName } from "#providers/type-name.ts";
import { own } from "./template/own.ts";
import type { Template } from "./template/template.ts";

/** The types of a stored template version that name their API version, by resource (decision 0068). */
export type FrozenTypes = Readonly<Record<string, string>>;

/** The frozen types of the resources of a stored template version. */
export function frozenTypes(
  resources: readonly { name: string; type: string | null }[],
): FrozenTypes {
  return Object.fromEntries(
    resources.flatMap(({ name, type }) =>
      type === null || parseTypeName(type)?.version === undefined ? [] : [[name, type]],
    ),
  );
}

/** The template with the API versions that were frozen when it was stored, whatever the catalogue has now. */
export function withFrozenTypes(template: Template, types: FrozenTypes): Template {
  const resources = Object.entries(template.resources).map(([name, resource]) => {
    const type = own(types, name);
    return [
      name,
      type !== undefined && isSameType(type, resource.type) ? { ...resource, type } : resource,
    ] as const;
  });
  return { ...template, resources: Object.fromEntries(resources) };
}
