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
 * What is known of a delete. `signs`: so many answers say that the object is gone. `untaken`: the delete found none, or
 * its answer was not the cloud's, so that it is sent again if the object is there.
 */
export type Deletion = { signs: number; untaken?: boolean };

/**
 * The `handle` of a pending outcome: its start, the provider's operation, if any, when that ended, what is done of an
 * update that has to go on after the wait, since when the object is usable and only further reads of it are waited for,
 * since when it is there without the mark of its create, and what is known of a delete.
 */
export interface PollHandle {
  /** Epoch milliseconds. */
  sinceMs: number;
  operation?: Json;
  /** Epoch milliseconds. */
  endedMs?: number;
  partsDone?: PartsDone;
  /** Epoch milliseconds. */
  usableMs?: number;
  /** Epoch milliseconds. */
  unmarkedMs?: number;
  deletion?: Deletion;
}

/** Parses a stored handle; an invalid one starts waiting now. */
export function pollHandleFrom(value: Json, nowMs: number): PollHandle {
  if (!isJsonMap(value) || typeof value["sinceMs"] !== "number") return { sinceMs: nowMs };
  const { sinceMs, operation, endedMs, partsDone, usableMs, unmarkedMs, deletion } = value;
  return {
    sinceMs,
    ...(operation !== undefined && { operation }),
    ...(typeof endedMs === "number" && { endedMs }),
    ...(isPartsDone(partsDone) && { partsDone }),
    ...(typeof usableMs === "number" && { usableMs }),
    ...(typeof unmarkedMs === "number" && { unmarkedMs }),
    ...(isDeletion(deletion) && { deletion }),
  };
}

function isDeletion(value: unknown): value is Deletion {
  return isJsonMap(value) && typeof value["signs"] === "number";
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
