import type { JsonMap } from "#platform/json.ts";
import type { PathSegment } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { isSameType } from "#providers/type-name.ts";
import { factPath } from "./path-set.ts";
import { isElsewhere, type RegionFacts } from "./resource-region.ts";
import type { StoredResource } from "./state/state.ts";
import { own } from "./template/own.ts";
import { valueAt, withValueAt } from "./value-paths.ts";
import { isMap, type Value, type ValueMap } from "./value.ts";

/** The values of a target for properties that the template leaves out. */
export interface TargetDefaults {
  region: string;
  config: JsonMap;
}

/** The target's value for properties with this default; undefined: its config has no such key. */
export function defaultOf(
  source: NonNullable<TypeFacts["defaults"]>[string],
  { region, config }: TargetDefaults,
): Value | undefined {
  return "region" in source ? region : own(config, source.config);
}

/**
 * The properties, with the target's defaults for those that the template leaves out. An existing object keeps its
 * values: a target that is moved to another region must not replace the objects of its instances.
 */
export function withDefaults(
  properties: ValueMap,
  type: string,
  facts: (Pick<TypeFacts, "defaults"> & RegionFacts) | undefined,
  target: TargetDefaults,
  stored: Pick<StoredResource, "type" | "inputs"> | undefined,
): ValueMap {
  let complete = properties;
  for (const [property, source] of Object.entries(facts?.defaults ?? {})) {
    const path = factPath(property);
    const isRegion = property === facts?.regionProperty;
    if (!isLeftOut(complete, path, isRegion)) continue;
    if (isRegion && isElsewhere(properties, facts)) continue;
    const isKept = stored !== undefined && isSameType(stored.type, type);
    const value = isKept ? valueAt(stored.inputs, path) : defaultOf(source, target);
    if (value !== undefined) complete = withValueAt(complete, path, value);
  }
  return complete;
}

/** `nullIsNone`: a cloud may take a null region as none, and choose one. */
function isLeftOut(
  value: Value | undefined,
  [segment, ...rest]: readonly PathSegment[],
  nullIsNone: boolean,
): boolean {
  if (value === undefined) return true;
  if (value === null) return nullIsNone;
  if (segment === undefined || !isMap(value)) return false;
  return isLeftOut(own(value, String(segment)), rest, nullIsNone);
}
