import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fairShares, inShares, smallFirst } from "./fair-shares.ts";

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

describe("the shares of an amount", () => {
  it.for([
    ["all that is wanted, where the amount suffices", [3, 1, 2], 6, [3, 1, 2]],
    ["the small ones whole, and the rest in even parts", [100, 2, 100, 1], 23, [10, 2, 10, 1]],
    ["even parts of an amount that suffices for none", [9, 9, 9], 10, [4, 3, 3]],
    ["nothing of nothing", [4, 0], 0, [0, 0]],
    ["no shares of no wishes", [], 5, []],
  ] as const)("are %s", ([, wanted, amount, shares]) => {
    expect(fairShares(wanted, amount)).toEqual(shares);
  });

  it("leave nothing over, and give nobody more than to one whose wish is unmet", () => {
    const wishes = fc.array(fc.nat(1_000), { maxLength: 30 });
    fc.assert(
      fc.property(wishes, fc.nat(10_000), (wanted, amount) => {
        const shares = fairShares(wanted, amount);
        expect(sum(shares)).toBe(Math.min(amount, sum(wanted)));
        const unmet = shares.filter((share, at) => share < (wanted[at] ?? 0));
        // Whole units are indivisible.
        expect(Math.max(0, ...shares)).toBeLessThanOrEqual(Math.min(Infinity, ...unmet) + 1);
      }),
    );
  });

  it("do not shrink for one wish because another grows beyond it", () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), fc.nat(10_000), (small, amount, more) => {
        const [before] = fairShares([small, small], amount);
        const [after] = fairShares([small, small + more], amount);
        expect(after).toBe(before);
      }),
    );
  });
});

it("groups keep their first items within their shares", () => {
  expect(inShares([["a", "b", "c"], ["d"], ["e", "f", "g"]], 5)).toEqual([
    ["a", "b"],
    ["d"],
    ["e", "f"],
  ]);
});

it("small items come first, and those of one size in their order", () => {
  expect(smallFirst(["ccc", "b", "aaa", "d"], ({ length }) => length)).toEqual([
    "b",
    "d",
    "ccc",
    "aaa",
  ]);
});
