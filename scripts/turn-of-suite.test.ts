import { describe, expect, it } from "vitest";
import { inTurn } from "#test/turn-of-suite.ts";

const names = ["demo", "start", "kills"];
const suites = ["attacks", "faults", "orchestrator", "processes", "support"].flatMap((folder) =>
  Array.from({ length: 50 }, (_, at) => ({
    moduleId: `/p/test/${folder}/${names[at % names.length]}${at}.test.ts`,
  })),
);

describe("the suites of a run", () => {
  it("are all of them over six ordinary runs, and a part in each", () => {
    const seen = new Set<string>();
    for (let seed = 70_001; seed < 130_000; seed += 10_000) {
      const taken = inTurn(suites, { isDeep: false, seed });
      expect(taken.filter(({ moduleId }) => moduleId.includes("/support/"))).toHaveLength(50);
      expect(taken.length).toBeLessThan(120);
      for (const { moduleId } of taken) seen.add(moduleId);
    }
    expect(seen.size).toBe(suites.length);
  });

  it("are all of them in a deep run, and in a run of a part of the project", () => {
    expect(inTurn(suites, { isDeep: true, seed: 1 })).toEqual(suites);
    const part = suites.slice(0, 150);
    expect(inTurn(part, { isDeep: false, seed: 1 })).toEqual(part);
  });
});
