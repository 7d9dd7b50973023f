import { canonicalJson, type Json } from "#platform/json.ts";

/** The same JSON, in whatever order its keys are. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one as Json) === canonicalJson(other as Json);
}
