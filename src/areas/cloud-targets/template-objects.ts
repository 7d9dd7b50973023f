/** The objects of a template by type, as far as its text alone tells them. */
import { readSource } from "#engine/template/describe.ts";
import { own } from "#engine/template/own.ts";
import type { ResourceDeclaration, Template } from "#engine/template/template.ts";
import { formatTypeName, parseTypeName } from "#providers/type-name.ts";
import type { TemplateSource } from "#schema/pinned-sources.ts";
import type { TemplateResource } from "#schema/templates.ts";

/**
 * The number of objects of each type, without versions, that the template surely makes in the region; 0: it may make
 * none there. Conditions, loops, and places that are no literal are not computed. `sources`: the template's, and those
 * of its components.
 */
export function templateObjects(
  sources: readonly TemplateSource[],
  region: string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (type: string, count: number) => {
    const parsed = parseTypeName(type);
    if (parsed === undefined) return;
    const name = formatTypeName({ provider: parsed.provider, name: parsed.name });
    counts.set(name, (counts.get(name) ?? 0) + count);
  };
  for (const { resources } of sources)
    for (const { type } of JSON.parse(resources) as TemplateResource[])
      if (type !== null) add(type, 0);
  const templates = sources.flatMap(({ source }) => readSource(source).template ?? []);
  // A component that is used in a condition or a loop is not told from the others.
  const certain = templates.every(usesComponentsOnce) ? templates : templates.slice(0, 1);
  for (const { resources } of certain)
    for (const resource of Object.values(resources))
      if (isMade(resource) && isThere(resource, region)) add(resource.type, 1);
  return counts;
}

function usesComponentsOnce({ components }: Template): boolean {
  return Object.values(components).every(isAlways);
}

function isMade(resource: ResourceDeclaration): boolean {
  const isTaken = resource.get !== undefined || resource.options.import !== undefined;
  return !isTaken && isAlways(resource);
}

function isAlways({ when, forEach }: Pick<ResourceDeclaration, "when" | "forEach">): boolean {
  return when === undefined && forEach === undefined;
}

function isThere({ properties }: ResourceDeclaration, region: string): boolean {
  return ["location", "region", "zone"].every((name) => {
    const place = own(properties, name);
    if (place === undefined) return true;
    const value = place.kind === "literal" ? String(place.value) : undefined;
    return value === region || value?.startsWith(`${region}-`) === true;
  });
}
