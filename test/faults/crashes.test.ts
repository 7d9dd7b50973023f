/**
 * Kills the runner before and after every commit of every kind of run. After its restart the cloud, the state, the
 * deployment and its events must be the same as without the crash. An ordinary run takes a part of each kind's commits.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { partOf, testSeed } from "#test/support/depth.ts";
import { type CrashPlan, runnerOf, until, watchCommits } from "#test/support/runner.ts";
import { forEachFault, runScenes, type Scene } from "./run-scenes.ts";

const bothSides = (commit: number): CrashPlan[] => [
  { when: "before", commit },
  { when: "after", commit },
];

/** So many ordinary runs see every crash. The number is odd, so crashes before and after a commit alternate. */
const PARTS = 45;

describe(`a runner that dies at any commit (TEST_SEED=${testSeed})`, () => {
  const { prepare, scenes, make, outcome } = runScenes();
  beforeAll(prepare);

  /** The number of possible crashes. The runs survived all that were tried. */
  const crashesOf = async (scene: Scene, plansFor = bothSides): Promise<number> => {
    const whole = await make(scene);
    const seen = await watchCommits(whole.instanceId);
    const expected = await outcome(await scene.act(whole), whole);
    expect(expected.rows.map(({ state }) => state)).toEqual(scene.states);
    expect(expected.phases).toEqual([{ phase: "closed" }]);

    const crashes = Array.from({ length: seen.commits }, (_, at) => plansFor(at + 1)).flat();
    await forEachFault(partOf(crashes, PARTS), async (plan) => {
      const place = await make(scene);
      const label = `killed ${plan.when} commit ${plan.commit} of ${seen.commits}`;
      const crash = await watchCommits(place.instanceId, plan);
      let isOver = false;
      const ended = scene
        .act(place)
        .then((ids) => outcome(ids, place))
        .finally(() => {
          isOver = true;
        });
      const neverComes = () => scene.commitsVary === true && isOver;
      await until(`the runner is ${label}`, () => crash.crashed || neverComes());
      await runnerOf(place.instanceId).wake();
      expect(await ended, label).toEqual(expected);
    });
    return crashes.length;
  };

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
