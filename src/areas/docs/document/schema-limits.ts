import type { JsonMap } from "#platform/json.ts";

/** The bounds in words: `2 to 80 characters`. */
export function limitsOf(schema: JsonMap): string[] {
  const bounds = (low: string, high: string, unit: string): string[] => {
    const least = boundAt(schema, low);
    const most = boundAt(schema, high);
    const one = (bound: string): string => (bound === "1" ? unit.replace(/s$/, "") : unit);
    if (least !== undefined && least === most) return [`exactly ${least}${one(least)}`];
    if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
    if (least !== undefined) return [`at least ${least}${one(least)}`];
    return most === undefined ? [] : [`at most ${most}${one(most)}`];
  };
  return [
    ...bounds("minLength", "maxLength", " characters"),
    ...bounds("minItems", "maxItems", " items"),
    ...bounds("minProperties", "maxProperties", " members"),
    ...bounds("minimum", "maximum", ""),
  ];
}

/** The bounds of every JSON integer are left out. */
function boundAt(schema: JsonMap, key: string): string | undefined {
  const value = schema[key];
  if (typeof value !== "number" || Math.abs(value) === Number.MAX_SAFE_INTEGER) return undefined;
  return value.toLocaleString("en-US");
}

/** A pattern that a person can read; undefined where a format says the same. */
export function patternOf(schema: JsonMap): string | undefined {
  const { pattern, format } = schema;
  return typeof pattern === "string" && format === undefined && pattern.length <= 60
    ? pattern
    : undefined;
}
