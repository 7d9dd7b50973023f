/**
 * Polling of asynchronous operations, for every provider: the handle of a pending outcome and the time of the next
 * poll. Nothing here waits or makes calls; the runner stores the handle and polls.
 */
import { isJsonMap, type Json } from "#platform/json.ts";

export const DEFAULT_POLL_MS = 2_000;
const MAX_POLL_MS = 30_000;

/** The `handle` of a pending outcome: its start, and the provider's operation, if any. */
export interface PollHandle {
  /** Epoch milliseconds. */
  sinceMs: number;
  operation?: Json;
}

/** Parses a stored handle; an invalid one starts waiting now. */
export function pollHandleFrom(value: Json, nowMs: number): PollHandle {
  if (!isJsonMap(value) || typeof value["sinceMs"] !== "number") return { sinceMs: nowMs };
  const operation = value["operation"];
  return { sinceMs: value["sinceMs"], ...(operation !== undefined && { operation }) };
}

/**
 * Milliseconds until the next poll: a fifth of the time waited so far, between `firstMs` and 30 s. A delay requested
 * by the cloud (`requestedMs`) takes precedence, but is at least `firstMs`.
 */
export function pollAfterMs(
  wait: { sinceMs: number; nowMs: number; firstMs?: number | undefined },
  requestedMs?: number,
): number {
  const firstMs = wait.firstMs ?? DEFAULT_POLL_MS;
  if (requestedMs !== undefined) return Math.max(firstMs, requestedMs);
  const grownMs = Math.round((wait.nowMs - wait.sinceMs) / 5);
  return Math.max(firstMs, Math.min(MAX_POLL_MS, grownMs));
}
