import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

/** The map at a key, or an empty one. */
export function mapAt(map: JsonMap, key: string): JsonMap {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return isJsonMap(value) ? value : {};
}

export function listAt(map: JsonMap, key: string): Json[] {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return Array.isArray(value) ? value : [];
}

export function textAt(map: JsonMap, key: string): string {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return typeof value === "string" ? value : "";
}

/** A text as it is, everything else as JSON. */
export function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
