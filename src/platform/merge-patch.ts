import { isJsonMap, type Json, type JsonMap } from "./json.ts";

/**
 * JSON Merge Patch (RFC 7396): members replace, maps merge, null removes. Makes new maps with own members only,
 * so a member named `__proto__` is a member like any other. Depth is bounded by the body's own limit.
 */
export function mergePatch(target: JsonMap, patch: JsonMap): JsonMap {
  const members = new Map<string, Json>(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const before = members.get(name);
    if (value === null) members.delete(name);
    else if (isJsonMap(value))
      members.set(name, mergePatch(isJsonMap(before) ? before : {}, value));
    else members.set(name, value);
  }
  return Object.fromEntries(members);
}
