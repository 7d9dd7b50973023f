import type { Range } from "#engine/expressions/ast.ts";
import { wrongKind } from "#engine/expressions/operators.ts";
import type { ExpressionError } from "#engine/expressions/problem.ts";
import { isMap, mayBe, PartlyKnown, Unknown, unknown, type Value } from "#engine/value.ts";

export type Part =
  | { kind: "found"; value: Value }
  | { kind: "missing" }
  /** Only known after apply whether it exists, and with which value. */
  | { kind: "unknown"; value: Unknown };

/**
 * The part of a value without marks. Throws if no value of this kind has such a part. `mayGrow`: the value is a part of
 * what was sent to a cloud, which may show more members and items. `secret`: the segment, or the value, is.
 */
export function partOf(
  of: Value,
  segment: string | number,
  { mayGrow, secret }: { mayGrow: boolean; secret: boolean },
  at: Range,
): Part {
  if (of instanceof Unknown) {
    if (mayBe(of, [typeof segment === "number" ? "array" : "object"]))
      return { kind: "unknown", value: unknown };
    throw noParts(of, segment, secret, at);
  }
  if (of instanceof PartlyKnown && typeof segment === "string") {
    const { known, later } = of;
    if (Object.hasOwn(known, segment)) return found(known[segment]);
    return {
      kind: "unknown",
      value: (Object.hasOwn(later, segment) ? later[segment] : undefined) ?? unknown,
    };
  }
  if (Array.isArray(of) && typeof segment === "number") {
    if (Number.isInteger(segment) && segment >= 0 && segment < of.length) return found(of[segment]);
  } else if (isMap(of) && typeof segment === "string") {
    if (Object.hasOwn(of, segment)) return found(of[segment]);
  } else if (!mayGrow || typeof of === "object") throw noParts(of, segment, secret, at);
  return mayGrow ? { kind: "unknown", value: unknown } : { kind: "missing" };
}

function found(value: Value | undefined): Part {
  return value === undefined ? { kind: "missing" } : { kind: "found", value };
}

/** A secret segment is not told. */
function noParts(of: Value, segment: string | number, secret: boolean, at: Range): ExpressionError {
  const isIndex = typeof segment === "number";
  const written = isIndex ? `\`[${segment}]\`` : `\`.${segment}\``;
  const subject = secret ? "An index" : written;
  return wrongKind(subject, isIndex ? "a list" : "a map", of, at);
}
