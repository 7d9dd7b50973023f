import type { JsonMap } from "#platform/json.ts";
import { anyKey, type PathSegment } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { allowsRegion } from "./allows-region.ts";
import { factPath } from "./path-set.ts";
import { own } from "./template/own.ts";
import { valueAt } from "./value-paths.ts";
import {
  isMap,
  PartlyKnown,
  Secret,
  Unknown,
  unknown,
  type Value,
  type ValueMap,
} from "./value.ts";

export type RegionFacts = Pick<
  TypeFacts,
  | "regionProperty"
  | "regionShape"
  | "regionElsewhere"
  | "regionKeys"
  | "moreRegions"
  | "farCopies"
  | "unseenRegions"
>;

/** `europe-west1-b` and `us-east-1a` are zones of `europe-west1` and `us-east-1`. */
const ZONE = /^(.+[0-9])(?:-[a-z]|[a-z])$/;

/** Whether a property may name this region or zone: a zone counts by its region, or if it is listed itself. */
export function allowsPlace(
  allowedRegions: readonly string[],
  place: string,
  shape: RegionFacts["regionShape"],
): boolean {
  if (allowsRegion(allowedRegions, place)) return true;
  const region = shape === "zone" ? ZONE.exec(place)?.[1] : undefined;
  return region !== undefined && allowsRegion(allowedRegions, region);
}

/**
 * The values of the properties that name regions (one, or one for each item on the path), and the further regions that
 * keys name. Null names none.
 */
export function placesOf(properties: ValueMap, facts: RegionFacts): Value[] {
  const { regionProperty, regionKeys = [], moreRegions = [] } = facts;
  const keys = regionKeys.flatMap((path): Value[] => {
    const map = plainAt(properties, factPath(path));
    if (map === undefined || map === null) return [];
    return isMap(map) ? Object.keys(map) : [map];
  });
  const named = regionProperty === undefined ? moreRegions : [regionProperty, ...moreRegions];
  return [...named.flatMap((one) => placesAt(properties, one)), ...keys];
}

function placesAt(properties: ValueMap, property: string): Value[] {
  const path = factPath(property);
  const found = valueAt(properties, path);
  const places =
    Array.isArray(found) && path.some((segment) => typeof segment === "symbol") ? found : [found];
  return places.flatMap((place) => (isNone(place) ? [] : [place as Value]));
}

/** The first place among the properties that the regions do not allow. Unknown values are checked later. */
export function forbiddenPlace(
  properties: ValueMap,
  facts: RegionFacts,
  allowedRegions: readonly string[],
): Value | undefined {
  return placesOf(properties, facts).find((place) => {
    const plain = place instanceof Secret ? place.value : place;
    if (plain instanceof Unknown || plain instanceof PartlyKnown || plain === null) return false;
    // A cloud may accept more than a text.
    return !allowsPlace(allowedRegions, typeof plain === "string" ? plain : "", facts.regionShape);
  });
}

/**
 * Whether the cloud would choose the region of the object, or of an item on the path: none is named, and no other
 * property gives the place. Unknown values are checked later.
 */
export function lacksPlace(properties: ValueMap, facts: RegionFacts): boolean {
  if (facts.regionElsewhere === true) return false;
  return namesNoRegion(properties, facts) && !isElsewhere(properties, facts);
}

/**
 * The path of a property that makes the cloud copy or move the object to a region of its choice. Unknown values are
 * checked later.
 */
export function farCopyOf(
  properties: ValueMap,
  { farCopies = {} }: RegionFacts,
): string | undefined {
  return Object.entries(farCopies).find(([path, values]) => {
    const value = plainAt(properties, factPath(path));
    if (value === true) return values.includes(true);
    return typeof value === "string" && values.some((one) => one === value.toLowerCase());
  })?.[0];
}

/**
 * The path of a property that hands over to code which may choose regions, at a target whose config does not allow it.
 * Unknown values are checked later.
 */
export function unseenRegionOf(
  properties: ValueMap,
  { unseenRegions }: RegionFacts,
  config: JsonMap,
): string | undefined {
  if (unseenRegions === undefined) return undefined;
  const { at, allowedBy } = unseenRegions;
  if (own(config, allowedBy) === true) return undefined;
  return Object.entries(at).find(([path, names]) =>
    valuesAt(properties, factPath(path)).some(
      (value) =>
        names === true ||
        (typeof value === "string" && names.includes(fileName(value).toLowerCase())),
    ),
  )?.[0];
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** The values that are known to exist on the path, without seals. */
function valuesAt(properties: ValueMap, path: readonly PathSegment[]): Value[] {
  const opened = unsealed(valueAt(properties, path));
  const found = Array.isArray(opened) && path.includes(anyKey) ? opened : [opened];
  return found
    .map(unsealed)
    .filter((one): one is Value => !isNone(one) && !(one instanceof Unknown));
}

function unsealed(value: Value | undefined): Value | undefined {
  return value instanceof Secret ? value.value : value;
}

/** Whether the property that sets the region has no value, or none for an item on its path. */
export function namesNoRegion(properties: ValueMap, { regionProperty }: RegionFacts): boolean {
  return regionProperty !== undefined && lacksValue(properties, factPath(regionProperty));
}

/** Whether a property gives the object's place instead of its region, or may give it once known. */
export function isElsewhere(properties: ValueMap, { regionElsewhere }: RegionFacts): boolean {
  return Object.entries(regionElsewhere === true ? {} : { ...regionElsewhere }).some(
    ([path, values]) => {
      const value = plainAt(properties, factPath(path));
      if (isNone(value)) return false;
      if (values === true || value instanceof Unknown || value instanceof PartlyKnown) return true;
      return typeof value === "string" && values.includes(value);
    },
  );
}

/** The value below maps only, without seals; unknown below an unknown value. */
function plainAt(
  value: Value | undefined,
  [segment, ...rest]: readonly PathSegment[],
): Value | undefined {
  if (value instanceof Secret)
    return plainAt(value.value, segment === undefined ? [] : [segment, ...rest]);
  if (segment === undefined || value instanceof Unknown) return value;
  if (value instanceof PartlyKnown)
    return plainAt(own(value.known, String(segment)) ?? unknown, rest);
  return isMap(value) ? plainAt(own(value, String(segment)), rest) : undefined;
}

function isNone(value: Value | undefined): boolean {
  return value === undefined || value === null;
}

function lacksValue(value: Value | undefined, path: readonly PathSegment[]): boolean {
  if (value instanceof Secret) return lacksValue(value.value, path);
  if (value instanceof Unknown) return false;
  if (value === undefined || value === null) return true;
  const [segment, ...rest] = path;
  if (segment === undefined) return false;
  if (value instanceof PartlyKnown) {
    const known = own(value.known, String(segment));
    return known !== undefined && lacksValue(known, rest);
  }
  if (segment === anyKey) {
    const items = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : [];
    return items.length === 0 || items.some((item) => lacksValue(item, rest));
  }
  if (Array.isArray(value)) return lacksValue(value[Number(segment)], rest);
  return !isMap(value) || lacksValue(own(value, String(segment)), rest);
}
