import { canonicalJson, type Json, type JsonMap } from "#platform/json.ts";
import type { RestType } from "./rest-type.ts";
import { valueAt } from "./value-at.ts";

export function oneOf(values: readonly Json[] | undefined, value: Json | undefined): boolean {
  if (values === undefined || value === undefined) return false;
  const shown = canonicalJson(value);
  return values.some((one) => canonicalJson(one) === shown);
}

/** Whether the object is deleted and can still be read. */
export function isGone({ state }: RestType, object: JsonMap): boolean {
  return state !== undefined && oneOf(state.gone, valueAt(object, state.goneAt ?? state.path));
}
