/** Reads and marks parts of an object's values by the paths of its type's facts. */
import { anyKey, type PathSegment } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { factPath, PathSet } from "./path-set.ts";
import { own } from "./template/own.ts";
import { isMap, PartlyKnown, Secret, unknown, type Value, type ValueMap } from "./value.ts";

/** The values with a sealed secret at each of the paths; `paths`: a type's `secretOutputs`. */
export function sealAt(values: ValueMap, paths: readonly string[] | undefined): ValueMap {
  const set = PathSet.of(paths);
  return set.below ? sealMembers(values, set) : values;
}

function sealMembers(values: ValueMap, set: PathSet): ValueMap {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, seal(value, set.at(key))]),
  );
}

function seal(value: Value, set: PathSet): Value {
  if (set.here || (value instanceof Secret && set.below)) return new Secret(value);
  if (!set.below) return value;
  if (Array.isArray(value)) return value.map((item, at) => seal(item, set.at(at)));
  return isMap(value) ? sealMembers(value, set) : value;
}

/**
 * The part of a value at a path; undefined: there is none. `[*]` collects a list. A part of a secret is a secret.
 */
export function valueAt(
  value: Value | undefined,
  [segment, ...rest]: readonly PathSegment[],
): Value | undefined {
  if (segment === undefined || value === undefined) return value;
  if (value instanceof Secret) {
    const inner = valueAt(value.value, [segment, ...rest]);
    return inner === undefined ? undefined : new Secret(inner, value);
  }
  if (segment === anyKey) {
    const items = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : undefined;
    const parts = items?.flatMap((item) => {
      const part = valueAt(item, rest);
      return part === undefined ? [] : rest.includes(anyKey) && Array.isArray(part) ? part : [part];
    });
    return parts;
  }
  if (value instanceof PartlyKnown)
    return valueAt(own(value.known, String(segment)) ?? unknown, rest);
  if (Array.isArray(value)) return valueAt(value[Number(segment)], rest);
  return isMap(value) ? valueAt(own(value, String(segment)), rest) : undefined;
}

/** A copy with the value at a path, or without it when undefined. Descends only into maps. */
export function withValueAt(
  values: ValueMap,
  [segment, ...rest]: readonly PathSegment[],
  value: Value | undefined,
): ValueMap {
  if (segment === undefined || segment === anyKey) return values;
  const key = String(segment);
  const before = own(values, key);
  if (rest.length > 0) {
    if (value === undefined && !isMap(before)) return values;
    return { ...values, [key]: withValueAt(isMap(before) ? before : {}, rest, value) };
  }
  if (value !== undefined) return { ...values, [key]: value };
  const { [key]: _, ...others } = values;
  return others;
}

/** An object as the cloud shows it, with each property at the path and in the form in which it is sent. */
export function asSent(shown: ValueMap, shownAt: TypeFacts["shownAt"]): ValueMap {
  let values = shown;
  for (const [property, output] of Object.entries(shownAt ?? {}))
    values = withValueAt(values, factPath(property), valueAt(shown, factPath(output)));
  return values;
}
