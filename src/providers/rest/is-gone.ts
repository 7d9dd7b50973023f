import type { Json, JsonMap } from "#platform/json.ts";
import type { RestType, Scalar } from "./rest-type.ts";
import { valueAt } from "./value-at.ts";

export function oneOf(values: readonly Scalar[] | undefined, value: Json | undefined): boolean {
  return values !== undefined && values.some((one) => one === value);
}

/** Whether what is shown is a deleted object that can still be read. */
export function isGone(row: RestType, object: JsonMap): boolean {
  if (row.gone === undefined) return false;
  const value = valueAt(object, row.gone.path);
  return Array.isArray(value)
    ? value.length === 0 && row.gone.empty === true
    : oneOf(row.gone.values, value);
}
