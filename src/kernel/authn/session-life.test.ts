import { describe, expect, it } from "vitest";
import { endsAtMs, isOver } from "./session-life.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const begun = (lastSeenAtMs: number) => ({ lastSeenAtMs, expiresAtMs: 7 * DAY });

describe("a session", () => {
  it.each([
    [0, 0, false],
    [0, 8 * HOUR - 1, false],
    [0, 8 * HOUR, true],
    [HOUR, 8 * HOUR, false],
    [7 * DAY - MINUTE, 7 * DAY - 1, false],
    [7 * DAY - MINUTE, 7 * DAY, true],
    [7 * DAY - MINUTE, 8 * DAY, true],
  ])("last used at %d has ended at %d: %s", (lastSeenAtMs, now, over) => {
    expect(isOver(begun(lastSeenAtMs), now)).toBe(over);
    expect(endsAtMs(begun(lastSeenAtMs)) <= now).toBe(over);
  });
});
