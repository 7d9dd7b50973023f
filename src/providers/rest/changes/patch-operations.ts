// By their files: the package's own entry, which is CommonJS, brings the half that applies patches.
import { diffAny, type Operation } from "rfc6902/diff.js";
import { Pointer } from "rfc6902/pointer.js";
import { canonicalJson, type Json, type JsonMap } from "#platform/json.ts";

/** The operations (RFC 6902) that make `to` of `from`; a list is replaced as a whole. */
export function patchOperations(from: JsonMap, to: JsonMap): Json[] {
  return differences(from, to, new Pointer()).map((operation) => ({ ...operation }));
}

function differences(a: unknown, b: unknown, pointer: Pointer): Operation[] {
  if (!Array.isArray(a) || !Array.isArray(b)) return diffAny(a, b, pointer, differences);
  if (canonicalJson(a as Json) === canonicalJson(b as Json)) return [];
  return [{ op: "replace", path: pointer.toString(), value: b as Json }];
}
