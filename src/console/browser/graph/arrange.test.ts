import { describe, expect, it } from "vitest";
import { arrange } from "./arrange.ts";
import type { Question } from "./layout.ts";

const size = { width: 184, height: 54 };

function question(more: Partial<Question>): Question {
  return { groups: [], edges: [], size, isWide: true, ...more };
}

describe("the arrangement of a graph", () => {
  it("puts dependencies on the left on wide pages and above on narrow ones", () => {
    const groups = [{ key: "a", members: ["a", "b"], isOpen: true, isBox: false }];
    const edges = [["a", "b"]] as const;
    const placesOf = (isWide: boolean) => {
      const { places } = arrange(question({ groups, edges, isWide }));
      return new Map(places.map(({ id, x, y }) => [id, { x, y }]));
    };
    const wide = placesOf(true);
    expect(wide.get("b")?.x).toBeGreaterThan((wide.get("a")?.x ?? 0) + size.width);
    const narrow = placesOf(false);
    expect(narrow.get("b")?.y).toBeGreaterThan((narrow.get("a")?.y ?? 0) + size.height);
  });

  it("keeps each resource inside of its box, and a closed group as large as one", () => {
    const members = ["a", "b", "c", "d", "e"];
    const groups = [
      { key: "open", members, isOpen: true, isBox: true },
      { key: "closed", members: ["x", "y"], isOpen: false, isBox: true },
    ];
    const edges = [
      ["a", "b"],
      ["x", "a"],
      ["x", "y"],
    ] as const;
    const { boxes, places, lines } = arrange(question({ groups, edges }));
    const [open, closed] = boxes;
    expect(closed).toMatchObject({ key: "closed", ...size });
    expect(places.map(({ id }) => id).toSorted()).toEqual(members);
    if (open === undefined) throw new Error("There is no box.");
    for (const { x, y } of places) {
      expect(x).toBeGreaterThan(open.x);
      expect(y).toBeGreaterThan(open.y);
      expect(x + size.width).toBeLessThan(open.x + open.width);
      expect(y + size.height).toBeLessThan(open.y + open.height);
    }
    expect(lines.map(({ from, to, isOuter }) => [from, to, isOuter])).toEqual([
      ["closed", "open", true],
      ["a", "b", false],
    ]);
  });

  it("is empty without groups", () => {
    expect(arrange(question({}))).toEqual({
      width: 0,
      height: 0,
      boxes: [],
      places: [],
      lines: [],
    });
  });
});
