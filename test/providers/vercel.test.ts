import { describe, expect, it } from "vitest";
import { vercelTypes } from "#providers/vercel/types.ts";
import { vercelProblems } from "./vercel/all-lives.ts";

describe("the types of Vercel", () => {
  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await vercelProblems();
    expect(vercelTypes.types()).toHaveLength(10);
    for (const [name, found] of problems) expect.soft(found, name).toEqual([]);
  });
});
