import * as fc from "fast-check";
import { expect, it } from "vitest";
import { nearest } from "./nearest.ts";

it.for([
  ["regoin", "region"],
  ["Region", "region"],
  ["dbPasword", "dbPassword"],
  ["nett", "net"],
])("suggests for %s: %s", ([written, meant]) => {
  expect(nearest(written ?? "", ["db", "net", "region", "dbPassword"])).toBe(meant);
});

it("suggests nothing when no name is close", () => {
  expect(nearest("elephant", ["db", "net", "region"])).toBeUndefined();
  expect(nearest("x", ["y"])).toBeUndefined();
});

it("prefers the closest of several", () => {
  expect(nearest("server1", ["server10", "servers", "server2", "server1x1"])).toBe("server10");
});

it("does not compare names longer than 80 characters", () => {
  const long = "a".repeat(81);
  expect(nearest(long, [long])).toBeUndefined();
});

it("computes the same distance as the recursive definition", () => {
  /** Optimal string alignment distance by its recursive definition. */
  const plain = (a: string, b: string): number => {
    if (a === "" || b === "") return a.length + b.length;
    const costs = [
      plain(a.slice(1), b) + 1,
      plain(a, b.slice(1)) + 1,
      plain(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
    ];
    if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
      costs.push(plain(a.slice(2), b.slice(2)) + 1);
    return Math.min(...costs);
  };
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const close = plain(a, b) <= Math.max(1, Math.floor(a.length / 3));
      const different = plain(a, b) < Math.max(a.length, b.length);
      expect(nearest(a, [b])).toBe(close && different ? b : undefined);
    }),
    { numRuns: 300 },
  );
});
