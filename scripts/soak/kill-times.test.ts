import { expect, it } from "vitest";
import { Random } from "#test/simulation/random.ts";
import { killTimes } from "./kill-times.ts";

const settings = { seed: 1, killEverySeconds: 20 };

it("kills every twenty seconds for ten minutes, and sets D1 back from near the end to near the start", () => {
  const { times, copyAt, restoreAt } = killTimes({ ...settings, minutes: 10 }, new Random(1));
  expect(times).toHaveLength(29);
  for (const [nth, atMs] of times.entries())
    expect(Math.abs(atMs - (nth + 1) * 20_000)).toBeLessThanOrEqual(5_000);
  expect([copyAt, restoreAt]).toEqual([0, 27]);
});

it("sets D1 back by about half of a shorter run", () => {
  const { times, copyAt, restoreAt } = killTimes({ ...settings, minutes: 4 }, new Random(1));
  expect(times).toHaveLength(11);
  expect([copyAt, restoreAt]).toEqual([3, 9]);
});

it("copies before it restores even when there are two kills", () => {
  const { times, copyAt, restoreAt } = killTimes({ ...settings, minutes: 1 }, new Random(1));
  expect(times).toHaveLength(2);
  expect([copyAt, restoreAt]).toEqual([0, 1]);
});
