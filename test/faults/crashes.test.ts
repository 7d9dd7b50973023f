/**
 * Kills the runner before and after every commit of every kind of run. After its restart the cloud, the state, the
 * deployment and its events must be the same as without the crash. An ordinary run takes a part of each kind's commits.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { testSeed } from "#test/support/depth.ts";
import type { CrashPlan } from "#test/support/runner.ts";
import { killAtCommits } from "./kill-at-commits.ts";
import { runScenes, type Scene } from "./run-scenes.ts";

describe(`a runner that dies at any commit (TEST_SEED=${testSeed})`, () => {
  const { prepare, scenes, make, outcome } = runScenes();
  beforeAll(prepare);

  /** The number of possible crashes. The runs survived all that were tried. */
  const crashesOf = (scene: Scene, plansFor?: (commit: number) => CrashPlan[]): Promise<number> =>
    killAtCommits(
      {
        make: () => make(scene),
        act: scene.act,
        outcome,
        expectOutcome: ({ rows, phases }) => {
          expect(rows.map(({ state }) => state)).toEqual(scene.states);
          expect(phases).toEqual([{ phase: "closed" }]);
        },
        commitsVary: scene.commitsVary === true,
      },
      plansFor,
    );

  // test/areas/drift.test.ts covers the drift check.
  for (const [name, scene] of Object.entries(scenes).filter(
    ([known]) => known !== "checks for drift",
  ))
    it(
      `has the same result as without a crash if the run ${name}`,
      { timeout: 120_000 },
      async () => {
        expect(await crashesOf(scene)).toBeGreaterThanOrEqual(8);
      },
    );

  it(
    "has the same result if only its storage fails and it stays alive",
    { timeout: 120_000 },
    async () => {
      const scene = scenes["imports, renames, retains, and deletes dependents first"];
      const failing = (commit: number): CrashPlan[] => [{ when: "before", commit, throws: true }];
      expect(scene && (await crashesOf(scene, failing))).toBeGreaterThanOrEqual(8);
    },
  );

  it("creates no object twice at a cloud without tokens", { timeout: 120_000 }, async () => {
    const { creates } = scenes;
    const config = { tokens: "none", longestRequestMs: 200 };
    expect(creates && (await crashesOf({ ...creates, config }))).toBeGreaterThanOrEqual(8);
  });
});
