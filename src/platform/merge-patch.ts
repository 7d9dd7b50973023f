import { canonicalJson, isJsonMap, type Json, type JsonMap } from "./json.ts";

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

/**
 * The patch that turns `before` into `after`: the differences, and null for removed members, at every depth. A null in
 * `after` counts as a removed member, because a patch cannot express more.
 */
export function mergePatchBetween(before: JsonMap, after: JsonMap): JsonMap {
  const members = Object.keys(before)
    .filter((name) => !Object.hasOwn(after, name))
    .map((name): [string, Json] => [name, null]);
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (old !== undefined && canonicalJson(old) === canonicalJson(value)) continue;
    members.push([
      name,
      isJsonMap(old) && isJsonMap(value) ? mergePatchBetween(old, value) : value,
    ]);
  }
  return Object.fromEntries(members);
}
