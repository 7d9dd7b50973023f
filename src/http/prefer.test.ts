import { describe, expect, it } from "vitest";
import { preferredWaitSeconds } from "./prefer.ts";

describe("preferredWaitSeconds", () => {
  it.each([
    ["wait=10", 10],
    ["wait=0", 0],
    ["Wait = 7", 7],
    ['wait="7"', 7],
    ["wait=7; x=y", 7],
    ["respond-async, wait=3", 3],
    ['return=minimal; foo="a, wait=9", wait=4', 4],
    [String.raw`foo="a\", wait=9", wait=4`, 4],
    ["wait=3, wait=9", 3],
    ["wait=26", 25],
    ["wait=999999999", 25],
    [`${"a,".repeat(10_000)}wait=2`, 2],
  ])("reads %s", (header, seconds) => {
    expect(preferredWaitSeconds(header)).toBe(seconds);
  });

  it.each([
    undefined,
    "",
    "wait",
    "wait=",
    "wait=-1",
    "wait=1.5",
    "wait=1s",
    'wait="1',
    "wait=1 2",
    "wait=9999999999",
    "waiting=10",
    "x-wait=10",
    "await=10",
    'x="wait=10"',
    "wait=x, wait=5",
    "respond-async",
    `wait${" ".repeat(100_000)}x`,
  ])("ignores %s", (header) => {
    expect(preferredWaitSeconds(header)).toBeUndefined();
  });
});
