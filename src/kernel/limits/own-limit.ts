import type { Limits } from "#schema/lists/plans.ts";

/** The tenant's own limit, or its plan's; null: none. */
export function ownLimit(
  own: Readonly<Record<string, unknown>>,
  name: keyof Limits,
  plan: Limits,
): number | null {
  const limit = Object.hasOwn(own, name) ? own[name] : undefined;
  return limit === null || Number.isSafeInteger(limit) ? (limit as number | null) : plan[name];
}
