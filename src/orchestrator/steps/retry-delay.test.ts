import { expect, it } from "vitest";
import { retryDelayMs } from "./retry-delay.ts";

it("doubles, and is at least the cloud's delay", () => {
  expect([0, 1, 2, 20].map((retries) => retryDelayMs(retries, 0.5, undefined))).toEqual([
    500, 1_000, 2_000, 30_000,
  ]);
  expect(retryDelayMs(0, 0.5, 9_000)).toBe(9_000);
});

it.for([Number.NaN, Number.POSITIVE_INFINITY, -1])("ignores %s from a cloud", (minimumMs) => {
  expect(retryDelayMs(0, 0.5, minimumMs)).toBe(500);
});
