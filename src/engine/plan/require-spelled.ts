import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { isMap, PartlyKnown, Secret, type Value, type ValueMap } from "#engine/value.ts";
import { escapePointer } from "#platform/json.ts";
import type { TypeFacts } from "#providers/provider.ts";

/**
 * Throws `ResolveError` for a key with an underscore that the cloud takes for the key in camel case. Regions,
 * references and secrets are looked for under the documented keys alone.
 */
export function requireSpelled(
  name: string,
  { type, place, places }: Pick<ResourceDeclaration, "type" | "place" | "places">,
  properties: ValueMap,
  facts: Pick<TypeFacts, "freeKeys"> | undefined,
): void {
  if (facts?.freeKeys === undefined) return;
  const path = underscored(properties, facts.freeKeys);
  if (path === undefined) return;
  throw new ResolveError(
    "reference_not_allowed",
    `${JSON.stringify(name)} has the key ${JSON.stringify(path.join("."))}, which is a second spelling of a property of ${type}.`,
    places?.get(`/properties/${escapePointer(path[0] ?? "")}`) ?? place,
    "Write the key in camel case, as it is documented.",
  );
}

function underscored(value: Value, free: readonly string[], isFree = false): string[] | undefined {
  if (value instanceof Secret) return underscored(value.value, free, isFree);
  if (value instanceof PartlyKnown) return underscored(value.known, free, isFree);
  const members = Array.isArray(value)
    ? value.entries()
    : isMap(value)
      ? Object.entries(value)
      : [];
  for (const [member, below] of members) {
    const key = String(member).slice(0, 100);
    if (typeof member === "string" && !isFree && member.includes("_")) return [key];
    const found = underscored(below, free, typeof member === "string" && free.includes(member));
    if (found !== undefined) return [key, ...found];
  }
  return undefined;
}
