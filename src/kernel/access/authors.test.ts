import { describe, expect, it } from "vitest";
import { authorsSince, MAX_AUTHORS, withAuthor } from "./authors.ts";

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n + 1}`, n + 1]));

describe("the authors of a row", () => {
  it.each([
    ["a first one", {}, "ann", { version: 1 }, { ann: 1 }],
    ["another one", { ann: 1 }, "bob", { version: 4 }, { ann: 1, bob: 4 }],
    ["one again", { ann: 1, bob: 4 }, "ann", { version: 5 }, { ann: 5, bob: 4 }],
    ["one who is not known", { ann: 1 }, undefined, { version: 2 }, { ann: 1 }],
    ["a trigger of an unknown person", { ann: 1 }, null, { version: 2 }, { ann: 1 }],
    [
      "a version that was deployed",
      { ann: 3, bob: 4 },
      "cy",
      { version: 5, since: 3 },
      { bob: 4, cy: 5 },
    ],
    ["dropped ones that were deployed", { "*": 3 }, "cy", { version: 5, since: 3 }, { cy: 5 }],
    ["dropped ones that were not", { "*": 4 }, "cy", { version: 5, since: 3 }, { "*": 4, cy: 5 }],
  ] as const)("after %s", (_, authors, person, at, after) => {
    expect(withAuthor(authors, person, at)).toEqual(after);
  });

  it("are bounded, and note others with the newest version among those dropped", () => {
    const full = many(MAX_AUTHORS);
    expect(withAuthor(full, "p1", { version: 90 })).toEqual({ ...full, p1: 90 });
    const { p1: _, ...kept } = full;
    const over = withAuthor(full, "new", { version: 90 });
    expect(over).toEqual({ ...kept, new: 90, "*": 1 });
    const { p2: __, ...fewer } = kept;
    expect(withAuthor(over, "newer", { version: 91 })).toEqual({
      ...fewer,
      new: 90,
      newer: 91,
      "*": 2,
    });
  });

  it("since a version are those of later changes", () => {
    expect(authorsSince({ ann: 1, bob: 4, "*": 2 }, 0)).toEqual(["ann", "bob", "*"]);
    expect(authorsSince({ ann: 1, bob: 4, "*": 2 }, 2)).toEqual(["bob"]);
    expect(authorsSince({ ann: 1, bob: 4 }, 4)).toEqual([]);
  });
});
