/** No key outlives the key that it was created or changed with. */
import { keyOf } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { timestamp } from "#platform/timestamp.ts";

/** The expiry of a new key: the named time, otherwise the expiry of the key that creates it. Null: never. */
export function newExpiry(call: Call, named: string | undefined): number | null {
  const endsAtMs = keyOf(call.actor)?.endsAtMs ?? null;
  return named === undefined ? endsAtMs : namedExpiry(call, named, endsAtMs);
}

/**
 * The expiry of a changed key. Every caller who may change the key may name a time that is not later than the present
 * expiry. `aboveEndsAtMs`: the earliest expiry of its ancestors.
 */
export function changedExpiry(
  call: Call,
  named: string | null,
  before: { expiresAtMs: number | null; aboveEndsAtMs: number | null },
): number | null {
  const own = keyOf(call.actor)?.endsAtMs ?? null;
  const latestMs = isLater(named, before) ? earlier(own, before.aboveEndsAtMs) : null;
  return namedExpiry(call, named, latestMs);
}

/** True: the key would live longer than now. */
export function isLater(
  named: string | null,
  { expiresAtMs }: { expiresAtMs: number | null },
): boolean {
  return expiresAtMs !== null && (named === null || Date.parse(named) > expiresAtMs);
}

function namedExpiry(call: Call, named: string | null, latestMs: number | null): number | null {
  const ms = named === null ? null : Date.parse(named);
  if (ms !== null && ms <= call.now) throw inThePast();
  if (latestMs !== null && (ms === null || ms > latestMs))
    throw new ApiError(
      "forbidden",
      `The key would outlive a key that it is created or changed with, which expires at ${timestamp(latestMs)}. Name that time or an earlier one, or sign in.`,
    );
  return ms;
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

function inThePast(): ApiError {
  const detail = "It must be in the future.";
  return new ApiError(
    "validation_failed",
    "`expiresAt` is in the past: the key would already be expired.",
    { faults: [{ in: "body", pointer: "/expiresAt", code: "in_the_past", detail }] },
  );
}
