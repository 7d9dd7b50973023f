import { describe, expect, it } from "vitest";
import { inTurn } from "#test/turn-of-suite.ts";

const names = ["demo", "start", "kills"];
const suites = ["attacks", "faults", "orchestrator", "processes", "support"].flatMap((folder) =>
  Array.from({ length: 50 }, (_, at) => ({
    moduleId: `/p/test/${folder}/${names[at % names.length]}${at}.test.ts`,
  })),
);

describe("the suites of a run", () => {
  it("are all of them over twelve ordinary runs, and a part in each", () => {
    const seen = new Set<string>();
    for (let seed = 70_001; seed < 190_000; seed += 10_000) {
      const taken = inTurn(suites, { isDeep: false, seed });
      expect(taken.filter(({ moduleId }) => moduleId.includes("/support/"))).toHaveLength(50);
      expect(taken.length).toBeLessThan(120);
      for (const { moduleId } of taken) seen.add(moduleId);
    }
    expect(seen.size).toBe(suites.length);
  });

  it("are one at least of each kind, also where there are fewer than runs", () => {
    const pages = ["a", "b", "c"].map((name) => ({ moduleId: `/p/test/browser/${name}.test.ts` }));
    const taken = [7, 8, 9].map((turn) =>
      inTurn([...suites, ...pages], { isDeep: false, seed: turn * 10_000 }).filter(({ moduleId }) =>
        moduleId.includes("/browser/"),
      ),
    );
    expect(taken.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(new Set(taken.flat()).size).toBe(pages.length);
  });

  it("are all of them in a deep run, and in a run of a part of the project", () => {
    expect(inTurn(suites, { isDeep: true, seed: 1 })).toEqual(suites);
    const part = suites.slice(0, 150);
    expect(inTurn(part, { isDeep: false, seed: 1 })).toEqual(part);
  });
});
