import { canonicalJson, type Json } from "#platform/json.ts";

/** Whether two JSON values are equal, in any order of keys. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one as Json) === canonicalJson(other as Json);
}
