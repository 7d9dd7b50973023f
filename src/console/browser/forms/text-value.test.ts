import { describe, expect, it } from "vitest";
import type { ControlKind, Empty } from "#console/shared/form-data.ts";
import { textValue } from "./text-value.ts";

const nowMs = Date.UTC(2026, 0, 1);

function valueOf(
  kind: ControlKind,
  text: string,
  more: { empty?: Empty; before?: object; isHidden?: boolean } = {},
): unknown {
  const { empty, before, isHidden = false } = more;
  return textValue(kind, { text, words: "Labels", isHidden, empty, before }, nowMs);
}

describe("a typed text", () => {
  it.each<[ControlKind, string, unknown]>([
    ["text", " web ", "web"],
    ["secret", " pass ", " pass "],
    ["source", "a: 1\n", "a: 1\n"],
    ["number", "1.5", 1.5],
    ["lines", "a\n\n b ", ["a", "b"]],
    ["pairs", "a=1\nb = x=y", { a: "1", b: "x=y" }],
    ["json", '{"a":[1]}', { a: [1] }],
    ["time", "2026-02-03T04:05", "2026-02-03T04:05:00Z"],
    ["lifetime", "90", "2026-04-01T00:00:00.000Z"],
  ])("is a value of the kind %s", (kind, text, expected) => {
    expect(valueOf(kind, text)).toEqual(expected);
  });

  it("is nothing, null or empty if it is empty", () => {
    expect(valueOf("text", " ")).toBeUndefined();
    expect(valueOf("number", "", { empty: "nothing" })).toBeUndefined();
    expect(valueOf("text", "", { empty: "null" })).toBeNull();
    expect(valueOf("text", "", { empty: "text" })).toBe("");
  });

  it("is a patch of the current map", () => {
    const before = { a: "1", b: "2" };
    expect(valueOf("pairs", "b=3", { before })).toEqual({ a: null, b: "3" });
    expect(valueOf("json", '{"a":"1"}', { before })).toEqual({ a: "1", b: null });
  });

  it("is refused in words, which do not quote a hidden one", () => {
    expect(() => valueOf("pairs", "a=1\nb")).toThrow("Labels: write each line as name=value");
    expect(() => valueOf("json", "[secret")).toThrow(/Labels is not JSON: .*secret/);
    expect(() => valueOf("json", "[secret", { isHidden: true })).toThrow(/^Labels is not JSON\.$/);
  });
});
