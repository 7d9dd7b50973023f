/**
 * Waiting for what a cloud does on its own, for every provider: what a pending outcome remembers, and when to ask
 * again. Nothing here waits or calls; the runner stores the handle and comes back.
 */
import { isJsonMap, type Json } from "#platform/json.ts";

export const DEFAULT_POLL_MS = 2_000;
const MAX_POLL_MS = 30_000;

/** The `handle` of a pending outcome: since when, and the provider's operation if it has one. */
export interface PollHandle {
  /** Epoch milliseconds. */
  sinceMs: number;
  operation?: Json;
}

/** Reads a stored handle; one that cannot be read begins to wait now. */
export function pollHandleFrom(value: Json, nowMs: number): PollHandle {
  if (!isJsonMap(value) || typeof value["sinceMs"] !== "number") return { sinceMs: nowMs };
  const operation = value["operation"];
  return { sinceMs: value["sinceMs"], ...(operation !== undefined && { operation }) };
}

/**
 * Milliseconds until the next poll: a fifth of the time waited so far, between `firstMs` and 30 s. `wishMs`: what
 * the cloud asked for, which counts instead unless it is sooner than `firstMs`.
 */
export function pollAfterMs(
  wait: { sinceMs: number; nowMs: number; firstMs?: number | undefined },
  wishMs?: number,
): number {
  const firstMs = wait.firstMs ?? DEFAULT_POLL_MS;
  if (wishMs !== undefined) return Math.max(firstMs, wishMs);
  const grownMs = Math.round((wait.nowMs - wait.sinceMs) / 5);
  return Math.max(firstMs, Math.min(MAX_POLL_MS, grownMs));
}
