import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { awsTypes } from "#providers/aws/types.ts";
import { partOf } from "#test/support/depth.ts";
import { awsProblems } from "./aws/all-lives.ts";
import { describedTypes } from "./aws/described-type.ts";
import { misplaced } from "./aws/registry-types.ts";
import { samples } from "./aws/samples.ts";

const names = Object.keys(samples);
const types = await describedTypes(names, env.ASSETS);

describe("the verified types of AWS", () => {
  it("are the 63 that have a sample", () => {
    expect(awsTypes.types().toSorted()).toEqual(names.map((name) => `aws:${name}`).toSorted());
    expect(names).toHaveLength(63);
  });

  it("name other objects where there may be one", () => {
    const wrong = [...types.values()].flatMap((type) =>
      misplaced(type).map((problem) => `${type.name}: ${problem}`),
    );
    expect(wrong).toEqual([]);
  });

  it("live through create, read, change, replace, delete and adoption", async () => {
    const problems = await awsProblems(types, partOf(names, 8));
    const wrong = [...problems].filter(([, found]) => found.length > 0);
    expect(Object.fromEntries(wrong)).toEqual({});
  });
});
