import { expect, it } from "vitest";
import { seedOfRun } from "#test/seed-of-run.ts";
import { testSeed } from "#test/support/depth.ts";

it("is drawn once for all projects", () => {
  const env: NodeJS.ProcessEnv = {};
  const drawn = seedOfRun(env);
  expect([seedOfRun(env), seedOfRun(env)]).toEqual([drawn, drawn]);
  expect(seedOfRun({})).not.toBe(drawn);
});

it("is the one that is given", () => {
  expect(seedOfRun({ TEST_SEED: "42" })).toBe(42);
  for (const wrong of ["", "-1", "1.5", "4x", "12345678901"])
    expect(() => seedOfRun({ TEST_SEED: wrong })).toThrow("is not a number of digits");
});

it("is in this project the one that the end of the run prints", () => {
  expect(String(testSeed)).toBe(process.env["TEST_SEED"]);
});
