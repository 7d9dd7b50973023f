import type { TypeFacts } from "#providers/provider.ts";
import { allowsRegion } from "./allows-region.ts";
import { factPath } from "./path-set.ts";
import { valueAt } from "./value-paths.ts";
import { PartlyKnown, Secret, Unknown, type Value, type ValueMap } from "./value.ts";

type RegionFacts = Pick<TypeFacts, "regionProperty" | "regionShape">;

/** `europe-west1-b` and `us-east-1a` are zones of `europe-west1` and `us-east-1`. */
const ZONE = /^(.+[0-9])(?:-[a-z]|[a-z])$/;

/** What a property that names a region or a zone allows: the region of a zone counts, and a zone that is listed itself. */
export function allowsPlace(
  allowedRegions: readonly string[],
  place: string,
  shape: RegionFacts["regionShape"],
): boolean {
  if (allowsRegion(allowedRegions, place)) return true;
  const region = shape === "zone" ? ZONE.exec(place)?.[1] : undefined;
  return region !== undefined && allowsRegion(allowedRegions, region);
}

/** The values of the property that names the region: one, or one for each item on its path. Null names none. */
export function placesOf(properties: ValueMap, { regionProperty }: RegionFacts): Value[] {
  if (regionProperty === undefined) return [];
  const path = factPath(regionProperty);
  const found = valueAt(properties, path);
  const places =
    Array.isArray(found) && path.some((segment) => typeof segment === "symbol") ? found : [found];
  return places.flatMap((place) => (place === undefined || place === null ? [] : [place]));
}

/** The first place among the properties that the regions do not allow. What is not known yet is asked about later. */
export function forbiddenPlace(
  properties: ValueMap,
  facts: RegionFacts,
  allowedRegions: readonly string[],
): Value | undefined {
  return placesOf(properties, facts).find((place) => {
    const plain = place instanceof Secret ? place.value : place;
    if (plain instanceof Unknown || plain instanceof PartlyKnown || plain === null) return false;
    // A cloud may understand more than a text.
    return !allowsPlace(allowedRegions, typeof plain === "string" ? plain : "", facts.regionShape);
  });
}
