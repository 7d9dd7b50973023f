import { describe, expect, it } from "vitest";
import {
  afterAttempt,
  FAILING_LIMIT_MS,
  MAX_ATTEMPTS,
  type Outcome,
  parseRetryAfterMs,
} from "./after-attempt.ts";

const nowMs = Date.UTC(2026, 0, 1);
const failed: Outcome = { status: 500, errorClass: "http_status", durationMs: 10 };
const timedOut: Outcome = { status: null, errorClass: "timeout", durationMs: 15_000 };
const context = { nowMs, failingSinceMs: nowMs, random: 0.5 };

function waitAfter(attempts: number, outcome: Outcome, random = 0.5): number {
  const next = afterAttempt({ attempts, manual: false }, outcome, { ...context, random });
  return ((next.dueAtMs ?? Number.NaN) - nowMs) / 1000;
}

describe("the schedule", () => {
  it.each([
    [1, 5],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 18_000],
    [6, 36_000],
    [11, 36_000],
  ])("after attempt %i waits %i s, plus or minus a fifth", (attempts, seconds) => {
    expect(waitAfter(attempts, failed, 0.5)).toBeCloseTo(seconds);
    expect(waitAfter(attempts, failed, 0)).toBeCloseTo(seconds * 0.8);
    expect(waitAfter(attempts, failed, 0.999999)).toBeCloseTo(seconds * 1.2, 0);
  });

  it("takes 67.6 hours and twelve attempts in all", () => {
    const waits = Array.from({ length: 11 }, (_, at) => waitAfter(at + 1, failed));
    const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3600;
    expect(hours).toBeCloseTo(67.6, 1);
    expect(MAX_ATTEMPTS).toBe(12);
  });

  it("is exhausted after the twelfth attempt", () => {
    expect(afterAttempt({ attempts: 11, manual: false }, failed, context).state).toBe("RETRYING");
    expect(afterAttempt({ attempts: 12, manual: false }, failed, context)).toEqual({
      state: "EXHAUSTED",
      dueAtMs: null,
      slow: false,
    });
  });

  it.each([
    ["nothing asked", undefined, 300],
    ["less than the step", 10, 300],
    ["between the step and twice the step", 450, 450],
    ["exactly twice the step", 600, 600],
    ["more than twice the step", 86_400, 600],
  ])("honours Retry-After: %s", (_, askedSeconds, seconds) => {
    const outcome: Outcome = {
      ...failed,
      status: 503,
      ...(askedSeconds === undefined ? {} : { retryAfterMs: askedSeconds * 1000 }),
    };
    expect(waitAfter(2, outcome)).toBeCloseTo(seconds);
  });

  it.each([
    [429, 60],
    [502, 60],
    [504, 60],
    [500, 5],
    [503, 5],
    [404, 5],
  ])("after a first answer of %i waits %i s", (status, seconds) => {
    expect(waitAfter(1, { ...failed, status })).toBeCloseTo(seconds);
  });

  it("waits at least a minute after a time-out, and otherwise the step", () => {
    expect(waitAfter(1, timedOut)).toBeCloseTo(60);
    expect(waitAfter(2, timedOut)).toBeCloseTo(300);
    expect(waitAfter(1, { ...failed, status: 429, retryAfterMs: 3_600_000 })).toBeCloseTo(60);
  });
});

describe("the next state", () => {
  const long = { ...context, failingSinceMs: nowMs - FAILING_LIMIT_MS };

  it.each<[string, { attempts: number; manual: boolean }, Outcome, typeof context, object]>([
    [
      "a success ends it",
      { attempts: 3, manual: false },
      { status: 204, errorClass: null, durationMs: 20 },
      long,
      { state: "SUCCEEDED", dueAtMs: null, slow: false },
    ],
    [
      "410 ends it and disables at once",
      { attempts: 1, manual: false },
      { ...failed, status: 410 },
      context,
      { state: "EXHAUSTED", dueAtMs: null, disable: "gone", slow: false },
    ],
    [
      "410 to a manual one disables too",
      { attempts: 1, manual: true },
      { ...failed, status: 410 },
      context,
      { state: "EXHAUSTED", dueAtMs: null, disable: "gone", slow: false },
    ],
    [
      "a manual one is tried once",
      { attempts: 1, manual: true },
      failed,
      context,
      { state: "EXHAUSTED", dueAtMs: null, slow: false },
    ],
    [
      "a manual one never makes a webhook failing",
      { attempts: 1, manual: true },
      failed,
      long,
      { state: "EXHAUSTED", dueAtMs: null, slow: false },
    ],
    [
      "exhausted after five days without success disables",
      { attempts: 12, manual: false },
      failed,
      long,
      { state: "EXHAUSTED", dueAtMs: null, disable: "failing", slow: false },
    ],
    [
      "exhausted a moment before five days does not",
      { attempts: 12, manual: false },
      failed,
      { ...long, failingSinceMs: long.failingSinceMs + 1 },
      { state: "EXHAUSTED", dueAtMs: null, slow: false },
    ],
    [
      "a success that took 2 s is not slow",
      { attempts: 1, manual: false },
      { status: 200, errorClass: null, durationMs: 2_000 },
      context,
      { state: "SUCCEEDED", dueAtMs: null, slow: false },
    ],
    [
      "a success that took longer is",
      { attempts: 1, manual: false },
      { status: 200, errorClass: null, durationMs: 2_001 },
      context,
      { state: "SUCCEEDED", dueAtMs: null, slow: true },
    ],
    [
      "a time-out is slow",
      { attempts: 12, manual: false },
      { ...timedOut, durationMs: 20 },
      context,
      { state: "EXHAUSTED", dueAtMs: null, slow: true },
    ],
  ])("%s", (_, delivery, outcome, at, expected) => {
    expect(afterAttempt(delivery, outcome, at)).toEqual(expected);
  });

  it("keeps retrying after five days of failures: only an exhausted delivery disables", () => {
    expect(afterAttempt({ attempts: 11, manual: false }, failed, long)).not.toHaveProperty(
      "disable",
    );
  });
});

describe("Retry-After", () => {
  it.each([
    ["120", 120_000],
    [" 0 ", 0],
    [new Date(nowMs + 90_000).toUTCString(), 90_000],
    [new Date(nowMs - 90_000).toUTCString(), 0],
    ["soon", undefined],
    ["-5", undefined],
    ["", undefined],
    [null, undefined],
    ["9".repeat(64), 1e67],
  ])("%j is %j ms", (header, ms) => {
    expect(parseRetryAfterMs(header, nowMs)).toBe(ms);
  });
});
