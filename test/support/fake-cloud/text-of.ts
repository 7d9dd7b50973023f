import type { Json } from "#platform/json.ts";

/** A value as text; a value without a text of its own is empty. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}
