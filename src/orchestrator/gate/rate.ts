/** What is left of the calls that a target's cloud takes. Pure. */
import { type SeenBudget, spanOf } from "./call-share.ts";

export interface Rate {
  /** Calls left, less those in shares. Null: no answer has told a budget since the last one was whole. */
  remaining: number | null;
  /** The most that was left of this budget. */
  whole: number;
  resetMs: number;
  /** A cloud that refused a call is left alone until then. */
  heldUntilMs: number;
}

/** A cloud that asks for more is tried again after this. */
export const MAX_HOLD_MS = 3_600_000;
/** Calls in a share. */
const MAX_CALLS = 100;
/** The part of a budget that is kept for tenants that have had little of it. */
const RESERVED_PART = 1 / 4;

/**
 * Corrects the budget by what a cloud said. `shared`: calls of others that the cloud may have counted or not, so the
 * truth is between the two. `raises`: no run has been given calls or has reported any since the request was sent.
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
    // Of a budget that refills steadily, each answer tells a later time.
    rate.resetMs = Math.min(rate.resetMs, resetMs);
  }
}

/**
 * The calls that a tenant leaves to others: as many as it has had itself, a quarter of the budget at most, and less and
 * less in the last hour before the budget is whole again. So each tenant that comes finds half of what is left, and
 * nothing stays unused.
 */
export function reserveOf({ whole, resetMs }: Rate, had: number, nowMs: number): number {
  const left = Math.min(1, Math.max(0, resetMs - nowMs) / MAX_HOLD_MS);
  return Math.min(had, Math.floor(whole * RESERVED_PART * left));
}

/** An equal part of what is left for each run, at least one call. `kept`: those for others. Null: any number. */
export function callsOf({ remaining }: Rate, kept: number, runs: number): number | null {
  if (remaining === null) return null;
  const left = remaining - kept;
  return left < 1 ? 0 : Math.min(MAX_CALLS, Math.max(1, Math.floor(left / runs)));
}
