import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";

/** Epoch milliseconds of a time that must be in the future; null if none is given. */
export function futureMs(call: Call, expiresAt: string | null | undefined): number | null {
  if (expiresAt === undefined || expiresAt === null) return null;
  const ms = Date.parse(expiresAt);
  if (ms > call.now) return ms;
  const detail = "It must be in the future.";
  throw new ApiError(
    "validation_failed",
    "`expiresAt` is in the past: the key would already be expired.",
    {
      faults: [{ in: "body", pointer: "/expiresAt", code: "in_the_past", detail }],
    },
  );
}
