import { isJsonMap, type Json, type JsonMap } from "./json.ts";

/**
 * JSON Merge Patch (RFC 7396): members replace, objects merge, null removes. Creates new objects with own members only,
 * so `__proto__` is an ordinary member. The limit on request bodies bounds the depth.
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
