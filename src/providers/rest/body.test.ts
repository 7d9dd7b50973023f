import { expect, it } from "vitest";
import { valueAt } from "./body.ts";

it("finds a value at a dotted path through maps and lists", () => {
  expect(valueAt({ a: [{ b: 1 }, { b: 2 }] }, "a.1.b")).toBe(2);
  expect(valueAt({ a: 1 }, undefined)).toEqual({ a: 1 });
});

it.for(["b", "a.b", "a.b.c", "constructor", "__proto__", "l.x", "l.9", "l.length"])(
  "finds nothing at %s",
  (path) => {
    expect(valueAt({ a: 1, l: [1] }, path)).toBeUndefined();
  },
);
