import { factPath } from "#engine/path-set.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { valueAt } from "#engine/value-paths.ts";
import { hasSealed, type ValueMap } from "#engine/value.ts";
import { escapePointer } from "#platform/json.ts";
import type { TypeFacts } from "#providers/provider.ts";

/**
 * Throws `ResolveError` if a sealed value is in a property that the cloud shows to everyone who can list objects: a
 * name, a tag, a region.
 */
export function requireUnsealed(
  name: string,
  { type, place, places }: Pick<ResourceDeclaration, "type" | "place" | "places">,
  properties: ValueMap,
  facts: Pick<TypeFacts, "shown"> | undefined,
): void {
  for (const property of facts?.shown ?? []) {
    const path = factPath(property);
    const value = valueAt(properties, path);
    if (value === undefined || !hasSealed(value)) continue;
    throw new ResolveError(
      "sealed_value",
      `${JSON.stringify(name)} has a sealed value in ${JSON.stringify(property)}, which ${type} shows in lists and logs.`,
      places?.get(`/properties/${escapePointer(String(path[0]))}`) ?? place,
      "Use the sealed value in another property, and write this one without it.",
    );
  }
}
