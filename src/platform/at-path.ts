import { isJsonMap, type Json, type JsonMap } from "./json.ts";
import {
  anyKey,
  formatPropertyPath,
  parsePropertyPath,
  type PathSegment,
} from "./property-path.ts";

function parsed(text: string): PathSegment[] {
  const path = parsePropertyPath(text);
  if (path === undefined) throw new Error(`"${text}" is not a property path`);
  return path;
}

/**
 * The value at a path (own members and items only); with `[*]` the list of all values there. Throws for an invalid
 * path.
 */
export function jsonAt(value: Json | undefined, text: string): Json | undefined {
  const path = parsed(text);
  const found = valuesAt(value, path);
  return path.includes(anyKey) ? (found.length === 0 ? undefined : found) : found[0];
}

function valuesAt(value: Json | undefined, path: readonly PathSegment[]): Json[] {
  if (value === undefined) return [];
  const [segment, ...rest] = path;
  if (segment === undefined) return [value];
  if (segment === anyKey) {
    const all = typeof value === "object" && value !== null ? Object.values(value) : [];
    return all.flatMap((one) => valuesAt(one, rest));
  }
  if (Array.isArray(value)) return valuesAt(value[Number(segment)], rest);
  const key = String(segment);
  return isJsonMap(value) && Object.hasOwn(value, key) ? valuesAt(value[key], rest) : [];
}

/** The paths without `[*]` that a path means in this value, existing ones only. Throws for an invalid path. */
export function placesIn(value: Json, text: string): string[] {
  let found: { at: (string | number)[]; value: Json }[] = [{ at: [], value }];
  for (const segment of parsed(text))
    found = found.flatMap(({ at, value: map }) =>
      (segment === anyKey && typeof map === "object" && map !== null
        ? Object.keys(map)
        : segment === anyKey
          ? []
          : [String(segment)]
      ).flatMap((key) => {
        const next = valuesAt(map, [key])[0];
        const step = Array.isArray(map) ? Number(key) : key;
        return next === undefined ? [] : [{ at: [...at, step], value: next }];
      }),
    );
  return found.map(({ at }) => formatPropertyPath(at));
}

/**
 * The map with the value at a path changed. If `change` returns undefined, the value is removed with the maps that this
 * leaves empty. Missing maps on the way are created, missing lists are not; `[*]` changes existing items. Throws for an
 * invalid path.
 */
export function changedAt(
  map: JsonMap,
  text: string,
  change: (value: Json | undefined) => Json | undefined,
): JsonMap {
  const changed = changedBelow(map, parsed(text), change);
  return isJsonMap(changed) ? changed : {};
}

/** The map without the values at these paths. */
export function omitted(map: JsonMap, texts: readonly string[]): JsonMap {
  let left = map;
  for (const text of texts) left = changedAt(left, text, () => undefined);
  return left;
}

function changedBelow(
  value: Json | undefined,
  path: readonly PathSegment[],
  change: (value: Json | undefined) => Json | undefined,
): Json | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return change(value);
  if (Array.isArray(value)) {
    const items = value.map((item, i): Json | undefined =>
      segment === anyKey || String(segment) === String(i) ? changedBelow(item, rest, change) : item,
    );
    return items.filter((item) => item !== undefined);
  }
  if (value !== undefined && !isJsonMap(value)) return value;
  const members = new Map(Object.entries(value ?? {}));
  const keys = segment === anyKey ? [...members.keys()] : [String(segment)];
  for (const key of keys) {
    const had = members.has(key);
    const next = changedBelow(members.get(key), rest, change);
    if (next !== undefined) members.set(key, next);
    else if (had) members.delete(key);
  }
  const emptied = members.size === 0 && (value === undefined || Object.keys(value).length > 0);
  return emptied ? undefined : Object.fromEntries(members);
}
