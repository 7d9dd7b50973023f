import { isJsonMap, type Json } from "#platform/json.ts";

/** The value at a dotted path (own properties and array indexes only); without a path, the value itself. */
export function valueAt(value: Json | undefined, path: string | undefined): Json | undefined {
  if (path === undefined) return value;
  let at = value;
  for (const key of path.split(".")) {
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isJsonMap(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}
