import { describe, expect, it } from "vitest";
import { processorTime } from "#test/support/processor-time.ts";
import {
  LabelFilter,
  labelKeyFault,
  LabelsField,
  LabelsPatch,
  labelValueFault,
  mergeLabels,
} from "./labels.ts";

describe("a label's key", () => {
  it.each([
    "a",
    "Team_1.x-y",
    "a".repeat(63),
    "example.com/team",
    `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}/x`,
    "constructor",
    "0/0",
  ])("may be %j", (key) => {
    expect(labelKeyFault(key)).toBeUndefined();
  });

  it.each([
    "",
    "-a",
    "a-",
    "a b",
    "a".repeat(64),
    "/a",
    "a/",
    "a/b/c",
    "Example.com/a",
    "a..b/c",
    ".a/b",
    `${"a".repeat(254)}/x`,
    "ä",
    'a"b',
    "a'b",
    "$.a",
    "a[0]",
    "a\nb",
    "__proto__",
    "%",
    "a=b",
    "a,b",
  ])("must not be %j", (key) => {
    expect(labelKeyFault(key)).toMatch(/label's key/);
  });

  it("is checked in linear time", () => {
    const spentMs = processorTime();
    for (const key of [`${"a-".repeat(50_000)}/x`, `${"a.".repeat(50_000)}/x`, "a-".repeat(50_000)])
      expect(labelKeyFault(key)).toBeDefined();
    expect(spentMs()).toBeLessThan(100);
  });
});

it("takes values of Kubernetes' form, and empty ones", () => {
  for (const value of ["", "a", "v1.2_3-x", "1", "a".repeat(63)])
    expect(labelValueFault(value), value).toBeUndefined();
  for (const value of [" ", "a".repeat(64), "-a", "a.", "a/b", "a b", "é", "%", "a,b"])
    expect(labelValueFault(value), value).toMatch(/label's value/);
});

describe("labels in a body", () => {
  it("name each wrong one at its place", () => {
    const { error } = LabelsField.safeParse({ ok: "1", "not ok": "1", team: "a b" });
    expect(error?.issues.map(({ path }) => path)).toEqual([["not ok"], ["team"]]);
  });

  it("are at most 64, also after a change", () => {
    const labels = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`k${at}`, "v"]));
    expect(LabelsField.safeParse(labels).success).toBe(true);
    expect(LabelsField.safeParse({ ...labels, more: "v" }).success).toBe(false);
    expect(() => mergeLabels(labels, { more: "v" })).toThrow("at most 64 labels");
    expect(Object.keys(mergeLabels(labels, { more: "v", k0: null }))).toHaveLength(64);
  });

  it("are removed by null in a change only", () => {
    expect(LabelsField.safeParse({ a: null }).success).toBe(false);
    expect(LabelsPatch.safeParse({ a: null }).success).toBe(true);
    expect(mergeLabels({ a: "1", b: "2" }, { a: null, c: "3" })).toEqual({ b: "2", c: "3" });
  });
});

describe("the filter by labels", () => {
  it("takes keys with and without a value, separated by commas", () => {
    expect(LabelFilter.parse("env=prod,example.com/team,empty=")).toEqual([
      { key: "env", value: "prod" },
      { key: "example.com/team" },
      { key: "empty", value: "" },
    ]);
  });

  it.each(["", ",", "a,", "=a", "a==b", "a!=b", "!a", "a in (b)", "a=b=c", "k,".repeat(11)])(
    "refuses %j",
    (text) => {
      expect(LabelFilter.safeParse(text).success).toBe(false);
    },
  );
});
