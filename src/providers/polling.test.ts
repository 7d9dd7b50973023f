import { expect, it } from "vitest";
import { pollAfterMs, pollHandleFrom } from "./polling.ts";

it.each([
  [{ sinceMs: 0, nowMs: 0 }, 2_000],
  [{ sinceMs: 0, nowMs: 50_000 }, 10_000],
  [{ sinceMs: 0, nowMs: 10_000_000 }, 30_000],
  [{ sinceMs: 0, nowMs: 0, firstMs: 250 }, 250],
])("increases the delay with the time waited: %o", (wait, afterMs) => {
  expect(pollAfterMs(wait)).toBe(afterMs);
});

it("uses the delay requested by the cloud, but at least the first delay", () => {
  expect(pollAfterMs({ sinceMs: 0, nowMs: 0 }, 60_000)).toBe(60_000);
  expect(pollAfterMs({ sinceMs: 0, nowMs: 0 }, 1)).toBe(2_000);
});

it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])(
  "does not take a delay of %s from a cloud",
  (ms) => {
    expect(pollAfterMs({ sinceMs: 0, nowMs: 0 }, ms)).toBe(2_000);
  },
);

it("keeps a stored handle and starts again with an invalid one", () => {
  expect(pollHandleFrom({ sinceMs: 5, operation: "op-1" }, 9)).toEqual({
    sinceMs: 5,
    operation: "op-1",
  });
  expect(pollHandleFrom({ sinceMs: 5 }, 9)).toEqual({ sinceMs: 5 });
  for (const unreadable of [null, "op-1", {}, { sinceMs: "5" }])
    expect(pollHandleFrom(unreadable, 9)).toEqual({ sinceMs: 9 });
});
