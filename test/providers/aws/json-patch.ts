import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

/** Applies a JSON patch (RFC 6902) of adds, removes and replaces, written apart from the library that makes it. */
export function applyJsonPatch(target: JsonMap, patch: readonly Json[]): JsonMap | undefined {
  const result = structuredClone(target);
  for (const operation of patch) {
    const { op, path, value } = isJsonMap(operation) ? operation : {};
    if (typeof path !== "string" || !path.startsWith("/")) return undefined;
    const keys = path
      .slice(1)
      .split("/")
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop() ?? "";
    const parent = keys.reduce<Json | undefined>(
      (at, key) => (Array.isArray(at) ? at[Number(key)] : isJsonMap(at) ? at[key] : undefined),
      result,
    );
    if (!isJsonMap(parent)) return undefined;
    if (op === "add" && value !== undefined) parent[last] = value;
    else if (op === "replace" && value !== undefined && last in parent) parent[last] = value;
    else if (op === "remove" && last in parent) delete parent[last];
    else return undefined;
  }
  return result;
}
