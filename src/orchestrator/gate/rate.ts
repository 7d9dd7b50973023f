/** The rest of the calls that a target's cloud accepts. Pure. */
import { type SeenBudget, spanOf } from "./call-share.ts";

export interface Rate {
  /** Calls left, without the calls in shares. Null: no answer has told a budget since the last reset. */
  remaining: number | null;
  /** The most calls that were left of this budget. */
  whole: number;
  resetMs: number;
  /** No call is sent to the cloud before this time, since it throttled one. */
  heldUntilMs: number;
}

/** The longest hold. A cloud that asks for more is tried again after this time. */
export const MAX_HOLD_MS = 3_600_000;
/** Calls in a share. */
const MAX_CALLS = 100;
/** The part of a budget that is reserved for tenants that have had little of it. */
const RESERVED_PART = 1 / 4;

/**
 * Corrects the budget by a cloud's answer. `shared`: other runs' calls that the cloud may have counted or not.
 * `raises`: the answer may raise the budget, because no run has been given or has reported calls since its request.
 */
export function hear(
  rate: Rate,
  seen: SeenBudget,
  { shared, nowMs, raises }: { shared: number; nowMs: number; raises: boolean },
): void {
  const remaining = spanOf(seen.remaining);
  const resetInMs = spanOf(seen.resetInMs) ?? 0;
  if (remaining === undefined || resetInMs === 0) return;
  const resetMs = nowMs + Math.min(resetInMs, MAX_HOLD_MS);
  const atLeast = Math.max(0, remaining - shared);
  const { remaining: known } = rate;
  if (known === null) [rate.remaining, rate.whole, rate.resetMs] = [atLeast, remaining, resetMs];
  else {
    rate.remaining = Math.min(remaining, raises ? Math.max(known, atLeast) : known);
    rate.whole = Math.max(rate.whole, remaining);
    // If a budget refills steadily, each answer tells a later time.
    rate.resetMs = Math.min(rate.resetMs, resetMs);
  }
}

/**
 * The calls that a tenant leaves to others: as many as it has had itself, but at most a quarter of the budget, so that
 * each new tenant finds half of the rest. In the last hour before the reset they become fewer, so none stays unused.
 */
export function reserveOf({ whole, resetMs }: Rate, had: number, nowMs: number): number {
  const left = Math.min(1, Math.max(0, resetMs - nowMs) / MAX_HOLD_MS);
  return Math.min(had, Math.floor(whole * RESERVED_PART * left));
}

/** An equal part of the rest for each run, at least one call. `kept`: calls for others. Null: any number. */
export function callsOf({ remaining }: Rate, kept: number, runs: number): number | null {
  if (remaining === null) return null;
  const left = remaining - kept;
  return left < 1 ? 0 : Math.min(MAX_CALLS, Math.max(1, Math.floor(left / runs)));
}
