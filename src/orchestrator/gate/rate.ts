/** What is left of the calls that a target's cloud takes. Pure. */
import { type SeenBudget, spanOf } from "./call-share.ts";

/** `remaining`: null as long as no answer has told a budget. Calls in shares count as made. */
export interface Rate {
  remaining: number | null;
  resetMs: number;
  /** 1: the cloud said a later time than we wait for, so that the budget need not be whole then. */
  resetIsGuess: 0 | 1;
  whole: number;
  heldUntilMs: number;
}

/** A cloud that asks for more is tried again after this. */
export const MAX_HOLD_MS = 3_600_000;
/** Calls in a share. */
const MAX_CALLS = 100;
/** A budget that no answer has told since it was whole is taken as whole again after this. */
const UNTOLD_MS = 60_000;
/** A run that waits for another's share asks again after this. */
const ASK_AGAIN_MS = 1_000;
/** A run that waits for what is kept for other tenants asks again after this. */
const RESERVED_MS = 60_000;
/** The part of a budget that is kept for tenants that have had little of it. */
const RESERVED_PART = 1 / 4;

export function isOver({ remaining, resetMs }: Rate, nowMs: number): boolean {
  return remaining !== null && nowMs >= resetMs;
}

/**
 * Begins the next budget, or tries one that may not be whole with one call. `shared`: what is in shares or in flight,
 * which may arrive now that it is whole again.
 */
export function renew(rate: Rate, shared: number, nowMs: number): void {
  rate.remaining = rate.resetIsGuess === 1 ? Math.max(1, rate.remaining ?? 0) : rate.whole - shared;
  rate.resetMs = nowMs + UNTOLD_MS;
}

/**
 * Corrects the budget by what the cloud said. `shared`: calls of others that the cloud may have counted or not, so the
 * truth is between the two. `raises`: no other run has reported calls since the request was sent; otherwise those are
 * no longer shared and may not be in the answer.
 */
export function hear(
  rate: Rate,
  seen: SeenBudget,
  { shared, nowMs, raises }: { shared: number; nowMs: number; raises: boolean },
): void {
  const remaining = spanOf(seen.remaining);
  const resetInMs = spanOf(seen.resetInMs) ?? 0;
  if (remaining === undefined || resetInMs === 0) return;
  const atLeast = Math.max(0, remaining - shared);
  const known = rate.remaining ?? atLeast;
  rate.remaining = Math.min(remaining, raises ? Math.max(known, atLeast) : known);
  rate.resetMs = nowMs + Math.min(resetInMs, MAX_HOLD_MS);
  rate.resetIsGuess = resetInMs > MAX_HOLD_MS ? 1 : 0;
  const whole = spanOf(seen.limit) ?? 0;
  rate.whole = whole >= 1 ? whole : Math.max(rate.whole, remaining, 1);
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

/**
 * A part for each run, and the last calls to those who wait longest. `kept`: one for each that waits longer. No share is
 * too small for a call, unless the whole budget is.
 */
export function callsOf(
  { remaining, whole }: Rate,
  { kept, runs, needs }: { kept: number; runs: number; needs: number },
): number | null {
  if (remaining === null) return null;
  const left = remaining - kept;
  const least = Math.max(1, Math.min(needs, whole, MAX_CALLS));
  if (left < least) return 0;
  return Math.min(MAX_CALLS, Math.max(least, Math.floor(left / runs)));
}

/** What a run without calls waits for. `reserved`: some are kept for other tenants. */
export function waitOf(
  { heldUntilMs, resetMs }: Rate,
  {
    nowMs,
    held,
    turn,
    shared,
    reserved,
  }: { nowMs: number; held: boolean; turn: boolean; shared: boolean; reserved: boolean },
): { forMs: number; for: "rate" | "turn" } {
  if (held) return { forMs: heldUntilMs - nowMs, for: "rate" };
  if (!turn) return { forMs: ASK_AGAIN_MS, for: "turn" };
  const untilWholeMs = Math.max(1, resetMs - nowMs);
  // Others may give back what they do not use.
  const againMs = shared ? 2 * ASK_AGAIN_MS : reserved ? RESERVED_MS : untilWholeMs;
  return { forMs: Math.min(untilWholeMs, againMs), for: "rate" };
}
