import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { componentsOf, orderSteps, type OrderEdge } from "./order-steps.ts";

const edge = (before: number, after: number, strength = 3): OrderEdge => ({
  before,
  after,
  strength,
});

describe("orderSteps", () => {
  it("takes the lowest ready index", () => {
    expect(orderSteps(4, [edge(3, 0), edge(3, 1)])).toEqual({
      order: [2, 3, 0, 1],
      predecessors: [[3], [3], [], []],
    });
  });

  it("drops the weakest edge of a cycle, and no other", () => {
    const edges = [edge(0, 1), edge(1, 2, 1), edge(2, 0, 0), edge(3, 0, 0)];
    expect(orderSteps(4, edges)).toEqual({
      order: [3, 0, 1, 2],
      predecessors: [[3], [0], [1], []],
    });
  });

  it("counts the strongest of duplicate edges and ignores self-edges", () => {
    const edges = [edge(0, 1, 0), edge(0, 1, 3), edge(0, 1, 0), edge(1, 0, 1), edge(0, 0)];
    expect(orderSteps(2, edges)).toEqual({ order: [0, 1], predecessors: [[], [0]] });
  });

  it("orders all steps by the kept edges, and keeps every strongest edge when those alone are acyclic", () => {
    const count = 8;
    const edges = fc.array(
      fc
        .tuple(fc.nat(count - 1), fc.nat(count - 1), fc.nat(3))
        .map(([a, b, strength]) =>
          strength === 3 ? edge(Math.min(a, b), Math.max(a, b), 3) : edge(a, b, strength),
        ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(edges, (edges) => {
        const { order, predecessors } = orderSteps(count, edges);
        expect(order.toSorted((a, b) => a - b)).toEqual([...Array(count).keys()]);
        for (const [at, step] of order.entries())
          for (const before of predecessors[step] ?? [])
            expect(order.indexOf(before)).toBeLessThan(at);
        const component = componentsOf(count, edges);
        const needed = edges.filter(
          ({ before, after, strength }) =>
            before !== after && (strength === 3 || component[before] !== component[after]),
        );
        for (const { before, after } of needed) expect(predecessors[after]).toContain(before);
      }),
    );
  });
});

describe("componentsOf", () => {
  it("groups nodes that reach each other", () => {
    const [a, b, c, d] = componentsOf(4, [edge(0, 1), edge(1, 2), edge(2, 0), edge(2, 3)]);
    expect(a).toBe(b);
    expect(b).toBe(c);
    expect(d).not.toBe(a);
  });

  it("separates nodes connected in one direction only, in either visiting order", () => {
    expect(new Set(componentsOf(4, [edge(0, 1), edge(2, 1), edge(3, 2)])).size).toBe(4);
  });
});
