import { describe, expect, it } from "vitest";
import { budgetIn, sharedBudgetIn } from "./budget-in.ts";

const NOW_MS = 1_800_000_000_000;
const headersOf = (reset: string, remaining = "3") =>
  new Headers({ "x-limit": "10", "x-remaining": remaining, "x-reset": reset });

describe("a budget in headers", () => {
  it("is renewed at a time of the epoch, or after some seconds", () => {
    const whole = { remaining: 3, resetMs: NOW_MS + 30_000 };
    expect(budgetIn(headersOf("1800000030"), "x-", NOW_MS)).toEqual(whole);
    expect(budgetIn(headersOf("30"), "x-", NOW_MS)).toEqual(whole);
  });

  it("is unknown without numbers", () => {
    expect(budgetIn(headersOf("soon"), "x-", NOW_MS)).toBe(undefined);
    expect(budgetIn(headersOf("30", "-1"), "x-", NOW_MS)).toBe(undefined);
    expect(budgetIn(new Headers(), "x-", NOW_MS)).toBe(undefined);
  });

  it("is not one of all calls if it lasts longer than a minute", () => {
    expect(sharedBudgetIn(headersOf("60"), "x-", NOW_MS)).toMatchObject({ remaining: 3 });
    expect(sharedBudgetIn(headersOf("3600"), "x-", NOW_MS)).toBe(undefined);
    expect(sharedBudgetIn(headersOf("1800003600"), "x-", NOW_MS)).toBe(undefined);
  });
});
