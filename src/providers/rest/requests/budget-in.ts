import type { RateBudget } from "#providers/provider.ts";

/** Seconds from here on are a time of the epoch; fewer are from now. */
const EPOCH_FROM = 1_000_000_000;

/** The budget that an answer's headers tell: `<prefix>remaining`, and `<prefix>reset` in seconds. */
export function budgetIn(headers: Headers, prefix: string, nowMs: number): RateBudget | undefined {
  const [remaining, reset] = ["remaining", "reset"].map((name) => {
    const text = headers.get(`${prefix}${name}`) ?? "";
    return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
  });
  if (remaining === undefined || reset === undefined) return undefined;
  const resetMs = reset < EPOCH_FROM ? nowMs + reset * 1000 : reset * 1000;
  return { remaining, resetMs };
}

const SHARED_MS = 60_000;

/**
 * The same where a cloud counts the calls of each path by themselves: a budget for hours is one of few creates, and must
 * not hold back everything else. Those that last a minute at most are of all calls.
 */
export function sharedBudgetIn(
  headers: Headers,
  prefix: string,
  nowMs: number,
): RateBudget | undefined {
  const budget = budgetIn(headers, prefix, nowMs);
  return budget !== undefined && budget.resetMs - nowMs <= SHARED_MS ? budget : undefined;
}
