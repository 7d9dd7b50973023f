import { describe, expect, it } from "vitest";
import { nextScheduledMs, scheduleProblem } from "./cron-schedule.ts";

const at = (time: string) => Date.parse(time);
const next = (cron: string, timeZone: string, after: string) => {
  const ms = nextScheduledMs({ cron, timeZone }, at(after));
  return ms === null ? null : new Date(ms).toISOString();
};

describe("the next time of a schedule", () => {
  it.for([
    ["0 2 * * *", "UTC", "2026-01-01T00:00:00Z", "2026-01-01T02:00:00.000Z"],
    ["0 2 * * *", "UTC", "2026-01-01T02:00:00Z", "2026-01-02T02:00:00.000Z"],
    ["* * * * *", "UTC", "2026-01-01T00:00:59.999Z", "2026-01-01T00:01:00.000Z"],
    ["0 2 * * *", "Europe/Berlin", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000Z"],
    ["0 2 * * *", "Europe/Berlin", "2026-07-01T00:00:00Z", "2026-07-02T00:00:00.000Z"],
    ["0 9 * * MON", "America/New_York", "2026-01-01T00:00:00Z", "2026-01-05T14:00:00.000Z"],
    ["0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00.000Z"],
    ["0 0 L * *", "UTC", "2026-02-01T00:00:00Z", "2026-02-28T00:00:00.000Z"],
    // The clock jumps from 02:00 to 03:00 that night: the time is caught up at the end of the gap.
    ["30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00.000Z"],
    // The clock goes back from 03:00 to 02:00 that night: the time runs once.
    ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00.000Z"],
    ["30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00.000Z"],
    ["0 3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00.000Z"],
    // Several times in the gap are caught up by one.
    ["15,45 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00.000Z"],
    ["15,45 2 * * *", "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-30T00:15:00.000Z"],
    ["*/20 2-3 * * *", "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T01:20:00.000Z"],
    ["30 1,2 * * *", "America/New_York", "2026-03-08T06:30:00Z", "2026-03-08T07:00:00.000Z"],
    ["15,30 0 * * *", "America/Santiago", "2026-09-05T12:00:00Z", "2026-09-06T04:00:00.000Z"],
    ["30 12 30 12 *", "Pacific/Apia", "2011-12-28T12:00:00Z", "2011-12-30T10:00:00.000Z"],
    // Each of several times in the repeated hour runs once.
    ["15,45 2 * * *", "Europe/Berlin", "2026-10-25T00:45:00Z", "2026-10-26T01:15:00.000Z"],
    ["0 2,3 * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", "2026-10-25T02:00:00.000Z"],
    // Without hours, the expression follows the clock.
    ["30 * * * *", "Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00.000Z"],
    ["30 * * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00.000Z"],
    ["0 */6 * * *", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T05:00:00.000Z"],
    // Years without 29 February are skipped.
    ["0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00.000Z"],
    ["0 12 * * *", "Australia/Lord_Howe", "2026-04-04T02:00:00Z", "2026-04-05T01:30:00.000Z"],
    ["0 0 * * *", "America/Santiago", "2026-09-05T12:00:00Z", "2026-09-06T04:00:00.000Z"],
  ] as const)("of %s in %s after %s is %s", ([cron, timeZone, after, expected]) => {
    expect(next(cron, timeZone, after)).toBe(expected);
  });
});

describe("the error of a schedule", () => {
  it.for([
    "",
    "* * * *",
    "* * * * * *",
    "@daily",
    "2030-01-01T00:00:00",
    "? * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "*/0 * * * *",
    "5-1 * * * *",
    "a * * * *",
    "0 0 30 2 *",
    "0 0 31 4,6,9,11 *",
    `0 0 * * ${"1,".repeat(90)}`,
  ])("is in its cron for %j", (cron) => {
    expect(scheduleProblem({ cron, timeZone: "UTC" }, at("2026-01-01T00:00:00Z"))?.at).toBe("cron");
  });

  it.for(["Mars/Olympus", "+05:00", "", "constructor", "../UTC"])(
    "is in its zone for %j",
    (timeZone) => {
      expect(scheduleProblem({ cron: "0 0 * * *", timeZone }, 0)?.at).toBe("timeZone");
    },
  );

  it.for(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])(
    "is not in its zone for %s",
    (timeZone) => {
      expect(scheduleProblem({ cron: "0 0 * * *", timeZone }, 0)).toBeUndefined();
    },
  );
});
