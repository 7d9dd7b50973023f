import { describe, expect, it } from "vitest";
import type { Drift } from "#engine/state/state.ts";
import { Secret, type ValueMap } from "#engine/value.ts";
import { changedOutside } from "./changed-outside.ts";
import type { DriftRules } from "./drift.ts";

interface Case {
  before: ValueMap;
  outputs: ValueMap;
  sent: ValueMap;
  shown: ValueMap;
  rules?: Partial<DriftRules>;
  drift?: Drift;
}

const observed = ({ sent, shown, rules = {}, ...start }: Case) =>
  changedOutside(start, sent, shown, { ignoreChanges: [], ...rules });

describe("changes outside that the answer to an update shows", () => {
  it.for<[string, Case, ValueMap]>([
    [
      "a property that the update left alone",
      {
        before: { size: 1, tag: "x" },
        outputs: { size: 1, tag: "x" },
        sent: { size: 1, tag: "y" },
        shown: { size: 5, tag: "y" },
      },
      { size: 5, tag: "y" },
    ],
    [
      "a property that is gone",
      {
        before: { size: 1, tag: "x" },
        outputs: { size: 1, tag: "x" },
        sent: { size: 1, tag: "y" },
        shown: { tag: "y" },
      },
      { tag: "y" },
    ],
    [
      "one member of two, beside one of the cloud's own",
      {
        before: { spec: { a: 1, b: 1 } },
        outputs: { spec: { a: 1, b: 1, c: 9 } },
        sent: { spec: { a: 2, b: 1 } },
        shown: { spec: { a: 2, b: 7, c: 9 } },
      },
      { spec: { a: 2, b: 7 } },
    ],
    [
      "drift that a check had found, though the object showed it last",
      {
        before: { tier: "a", tag: "x" },
        outputs: { tier: "z", tag: "x" },
        sent: { tier: "a", tag: "y" },
        shown: { tier: "z", tag: "y" },
        drift: { kind: "changed", observed: { tier: "z", tag: "x" } },
      },
      { tier: "z", tag: "y" },
    ],
  ])("is %s", ([, one, expected]) => {
    expect(observed(one)).toEqual(expected);
  });

  it("is a secret if one was sent", () => {
    const key = new Secret("k");
    const start = { before: { key, tag: "x" }, outputs: { key, tag: "x" } };
    const shown = { key: "other", tag: "y" };
    expect(observed({ ...start, sent: { key, tag: "y" }, shown })).toEqual({
      key: new Secret("other"),
      tag: "y",
    });
  });

  it.for<[string, Case]>([
    [
      "the cloud's form of the sent value",
      {
        before: { size: "1", tag: "x" },
        outputs: { size: 1, tag: "x" },
        sent: { size: "1", tag: "y" },
        shown: { size: 1, tag: "y" },
      },
    ],
    [
      "the cloud's form of the update's change",
      {
        before: { size: "1" },
        outputs: { size: "one" },
        sent: { size: "2" },
        shown: { size: "two" },
      },
    ],
    [
      "a change back to the sent value",
      {
        before: { size: 1, tag: "x" },
        outputs: { size: 5, tag: "x" },
        sent: { size: 1, tag: "y" },
        shown: { size: 1, tag: "y" },
      },
    ],
    [
      "an ignored property",
      {
        before: { size: 1, tag: "x" },
        outputs: { size: 1, tag: "x" },
        sent: { size: 1, tag: "y" },
        shown: { size: 5, tag: "y" },
        rules: { ignoreChanges: ["size"] },
      },
    ],
    [
      "a property that is never shown",
      {
        before: { key: "k", tag: "x" },
        outputs: { tag: "x" },
        sent: { key: "k", tag: "y" },
        shown: { key: "***", tag: "y" },
        rules: { writeOnly: ["key"] },
      },
    ],
    [
      "a list in another order",
      {
        before: { rules: [1, 2], tag: "x" },
        outputs: { rules: [1, 2], tag: "x" },
        sent: { rules: [1, 2], tag: "y" },
        shown: { rules: [2, 1], tag: "y" },
      },
    ],
  ])("is not %s", ([, one]) => {
    expect(observed(one)).toBeUndefined();
  });
});
