import { describe, expect, it } from "vitest";
import { azureTypes } from "#providers/azure/types.ts";
import { azureProblems } from "./azure/all-lives.ts";
import { azureDescription } from "./azure/description.ts";
import { samples } from "./azure/samples.ts";

describe("the types of Azure", () => {
  it("are those that have a sample and a description", () => {
    const types = azureTypes.types().map((type) => type.replace("azure:", ""));
    expect(types.toSorted()).toEqual(Object.keys(samples).toSorted());
    expect(types.toSorted()).toEqual(Object.keys(azureDescription).toSorted());
    expect(types.length).toBeGreaterThanOrEqual(33);
  });

  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await azureProblems();
    for (const [name, found] of problems) expect.soft(found, name).toEqual([]);
  });
});
