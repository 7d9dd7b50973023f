import { isJsonMap, type JsonMap } from "#platform/json.ts";

/** The map under a name; undefined for any other value. */
export function mapAt(map: JsonMap | undefined, name: string): JsonMap | undefined {
  const value = map?.[name];
  return isJsonMap(value) ? value : undefined;
}

/** The maps in the list under a name; empty for any other value. */
export function mapsAt(map: JsonMap | undefined, name: string): readonly JsonMap[] {
  const value = map?.[name];
  return Array.isArray(value) ? value.filter(isJsonMap) : [];
}

/** The texts in the list under a name; empty for any other value. */
export function textsAt(map: JsonMap | undefined, name: string): readonly string[] {
  const value = map?.[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The text under a name; undefined for an empty text and any other value. */
export function textAt(map: JsonMap | undefined, name: string): string | undefined {
  const value = map?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The count under a name: a whole number from 0. */
export function countAt(map: JsonMap | undefined, name: string): number | undefined {
  const value = map?.[name];
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The line under a name: a whole number from 1. */
export function lineAt(map: JsonMap | undefined, name: string): number | null {
  return countAt(map, name) || null;
}
