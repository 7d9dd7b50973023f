import { describe, expect, it } from "vitest";
import { durationWords, exactTime, relativeTime } from "./time-words.ts";

const at = "2026-11-20T12:00:00.000Z";
const now = Date.parse(at);

describe("a time in words", () => {
  it.each([
    [9_999, "just now"],
    [-9_999, "just now"],
    [42_000, "42 s ago"],
    [5 * 60_000 + 59_000, "5 min ago"],
    [3 * 3_600_000, "3 h ago"],
    [47 * 3_600_000, "1 d ago"],
    [14 * 86_400_000, "2026-11-20"],
    [-2 * 3_600_000, "in 2 h"],
    [-60 * 86_400_000, "2026-11-20"],
  ])("%s ms later: %s", (later, words) => {
    expect(relativeTime(at, now + later)).toBe(words);
  });

  it("has the second in its exact form", () => {
    expect(exactTime(at)).toBe("2026-11-20 12:00:00 UTC");
  });
});

it.each([
  [0, "0 s"],
  [999, "0 s"],
  [41_900, "41 s"],
  [60_000, "1 min"],
  [125_000, "2 min 5 s"],
  [3_780_000, "1 h 3 min"],
  [3_605_000, "1 h"],
  [187_200_000, "2 d 4 h"],
])("a duration of %s ms: %s", (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
