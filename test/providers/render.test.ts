import { describe, expect, it } from "vitest";
import { renderTypes } from "#providers/render/types.ts";
import { renderProblems } from "./render/all-lives.ts";
import { renderDocument } from "./render/description.ts";

describe("the types of Render", () => {
  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await renderProblems(renderDocument);
    expect(renderTypes.types()).toHaveLength(12);
    for (const [name, found] of problems) expect.soft(found, name).toEqual([]);
  });
});
