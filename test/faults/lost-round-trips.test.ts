/**
 * Loses each round trip of a runner to D1 in turn, before and after it took effect, in every kind of run. The cloud,
 * the state, the deployment and its events must be the same as without the loss. An ordinary run takes a part of each
 * kind's round trips.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { partOf, testSeed } from "#test/support/depth.ts";
import { type LostTrip, runnerOf, until, watchRoundTrips } from "#test/support/runner.ts";
import { forEachFault, runScenes } from "./run-scenes.ts";

/** These runs make the same round trips as `creates`. */
const asCreates = new Set([
  "waits for what it creates",
  "updates, replaces and deletes",
  "updates by several calls",
  "destroys",
  "imports, renames, retains, and deletes dependents first",
  "destroys a partly created instance",
]);

/** So many ordinary runs see every loss. The number is odd, so losses before and after the effect alternate. */
const PARTS = 17;

describe(`a runner that loses a round trip to D1 (TEST_SEED=${testSeed})`, () => {
  const { prepare, scenes, make, outcome } = runScenes();
  beforeAll(prepare);

  for (const [name, scene] of Object.entries(scenes).filter(([known]) => !asCreates.has(known)))
    it(
      `has the same result as without the loss if the run ${name}`,
      { timeout: 120_000 },
      async () => {
        const whole = await make(scene);
        const seen = await watchRoundTrips(whole.instanceId);
        const expected = await outcome(await scene.act(whole), whole);
        const trips = seen.trips;
        expect(expected.rows.map(({ state }) => state)).toEqual(scene.states);

        const losses = Array.from({ length: trips }, (_, at) => at + 1).flatMap(
          (trip): LostTrip[] => [
            { when: "before", trip },
            { when: "after", trip },
          ],
        );
        const chosen = partOf(losses, PARTS);
        let reached = 0;
        await forEachFault(chosen, async (plan) => {
          const place = await make(scene);
          const label = `lost trip ${plan.trip} of ${trips}, ${plan.when} its effect`;
          const loss = await watchRoundTrips(place.instanceId, plan);
          let ended = false;
          const acted = scene.act(place).finally(() => {
            ended = true;
          });
          // Projections that wait together share a round trip, so that a run may need fewer.
          await until(`the runner has ${label}, or ended`, () => loss.lost || ended);
          if (loss.lost) reached += 1;
          // Without this wake, it would resume a second later.
          await runnerOf(place.instanceId).wake();
          expect(await outcome(await acted, place), label).toEqual(expected);
        });
        expect(reached).toBeGreaterThan(chosen.length / 2);
      },
    );
});
