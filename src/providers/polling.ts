/**
 * Polling of asynchronous operations, for every provider: the handle of a pending outcome and the time of the next
 * poll. Nothing here waits or makes calls; the runner stores the handle and polls.
 */
import { isJsonMap, type Json } from "#platform/json.ts";

export const DEFAULT_POLL_MS = 2_000;
const MAX_POLL_MS = 30_000;

/** How far an update has come that makes several calls: whole parts, and items of the part after them. */
export type PartsDone = { part: number; item: number };

/**
 * The `handle` of a pending outcome: its start, the provider's operation, if any, what is done of an update that has to
 * go on after the wait, and since when the object is usable and only further reads of it are waited for.
 */
export interface PollHandle {
  /** Epoch milliseconds. */
  sinceMs: number;
  operation?: Json;
  partsDone?: PartsDone;
  /** Epoch milliseconds. */
  usableMs?: number;
}

/** Parses a stored handle; an invalid one starts waiting now. */
export function pollHandleFrom(value: Json, nowMs: number): PollHandle {
  if (!isJsonMap(value) || typeof value["sinceMs"] !== "number") return { sinceMs: nowMs };
  const { sinceMs, operation, partsDone, usableMs } = value;
  return {
    sinceMs,
    ...(operation !== undefined && { operation }),
    ...(isPartsDone(partsDone) && { partsDone }),
    ...(typeof usableMs === "number" && { usableMs }),
  };
}

function isPartsDone(value: unknown): value is PartsDone {
  return isJsonMap(value) && Number.isInteger(value["part"]) && Number.isInteger(value["item"]);
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
  if (requestedMs !== undefined && Number.isFinite(requestedMs))
    return Math.max(firstMs, requestedMs);
  const grownMs = Math.round((wait.nowMs - wait.sinceMs) / 5);
  return Math.max(firstMs, Math.min(MAX_POLL_MS, grownMs));
}
