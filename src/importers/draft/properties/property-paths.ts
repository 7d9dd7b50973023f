/** Reads and writes properties by path: names separated by dots. */
import type { PathSet } from "#engine/path-set.ts";
import { isCall } from "#importers/draft/values/converted.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";

/** A path, or its names: those of a user may have dots, as `sidecar.istio.io/inject` has. */
export type PropertyPlace = string | readonly [name: string];

function stepsOf(place: PropertyPlace): readonly string[] {
  return typeof place === "string" ? place.split(".") : place;
}

/** The shape at a path; undefined if it is unknown. */
export function shapeAt(
  shape: ObjectShape | undefined,
  path: PropertyPlace,
): ValueShape | undefined {
  let at: ObjectShape | undefined = shape;
  let found: ValueShape | undefined;
  for (const step of stepsOf(path)) {
    found =
      at !== undefined && Object.hasOwn(at.properties, step) ? at.properties[step] : undefined;
    at = found?.object;
  }
  return found;
}

/** Whether the shape permits a value at the path. An unknown shape permits every value. */
export function hasPlace(shape: ObjectShape | undefined, path: PropertyPlace): boolean {
  let at: ObjectShape | undefined = shape;
  for (const step of stepsOf(path)) {
    if (at === undefined) return true;
    if (!Object.hasOwn(at.properties, step)) return at.open === true;
    at = at.properties[step]?.object;
  }
  return true;
}

export function isRequired(shape: ObjectShape | undefined, path: string): boolean {
  return shape?.required?.includes(path) === true;
}

/** Writes a value at a path and creates missing objects. Two lists or two maps at one place are joined. */
export function writeAt(into: JsonMap, path: PropertyPlace, made: Json): void {
  const steps = [...stepsOf(path)];
  const last = steps.pop() ?? "";
  let at = into;
  for (const step of steps) {
    const next = mapAt(at, step);
    at[step] = next;
    at = next;
  }
  const before = Object.hasOwn(at, last) ? at[last] : undefined;
  if (Array.isArray(before) && Array.isArray(made)) at[last] = [...before, ...made];
  else if (isJsonMap(before) && isJsonMap(made) && !isCall(made)) at[last] = { ...before, ...made };
  else at[last] = made;
}

/** Writes the values whose paths are still empty. */
export function fill(into: JsonMap, defaults: Readonly<Record<string, Json>> | undefined): void {
  for (const [path, initial] of Object.entries(defaults ?? {}))
    if (readAt(into, path) === undefined) writeAt(into, path, structuredClone(initial));
}

/** The value at a path; undefined if it is missing. */
export function readAt(of: JsonMap, path: string): Json | undefined {
  let at: Json | undefined = of;
  for (const step of path.split("."))
    at = isJsonMap(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  return at;
}

/** Merges maps and appends lists. Returns the written paths. */
export function mergeInto(into: JsonMap, made: JsonMap, path = ""): string[] {
  return Object.entries(made).flatMap(([name, one]) => {
    if (name === "__proto__") return [];
    const at = path === "" ? name : `${path}.${name}`;
    const before = Object.hasOwn(into, name) ? into[name] : undefined;
    if (isJsonMap(before) && isJsonMap(one) && !isCall(one)) return mergeInto(before, one, at);
    if (Array.isArray(before) && Array.isArray(one)) {
      into[name] = [...before, ...one];
      return one.map((_, index) => `${at}.${before.length + index}`);
    }
    into[name] = one;
    return [at];
  });
}

function mapAt(of: JsonMap, name: string): JsonMap {
  const found = Object.hasOwn(of, name) ? of[name] : undefined;
  return isJsonMap(found) ? found : {};
}

/** Removes the values at the paths of a type's facts. */
export function removeAt(of: JsonMap | Json[], paths: PathSet): void {
  if (!paths.below) return;
  for (const [key, value] of Object.entries(of)) {
    const under = paths.at(key);
    if (under.here && !Array.isArray(of)) delete of[key];
    else if (Array.isArray(value) || isJsonMap(value)) removeAt(value, under);
  }
}
