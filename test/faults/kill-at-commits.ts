/** Kills the runner before and after its commits, one in each repetition of a run. */
import { expect } from "vitest";
import { partOf } from "#test/support/depth.ts";
import { type CrashPlan, runnerOf, until, watchCommits } from "#test/support/runner.ts";
import { forEachFault } from "./run-scenes.ts";

/** So many ordinary runs see every crash. The number is odd, so crashes before and after a commit alternate. */
const PARTS = 45;

export interface Repeatable<Place extends { instanceId: string }, Outcome> {
  /** A new instance, prepared for the run. */
  make: () => Promise<Place>;
  /** The run. Returns the ids of its deployments. */
  act: (at: Place) => Promise<string[]>;
  /** All visible facts, without ids and times. */
  outcome: (ids: readonly string[], at: Place) => Promise<Outcome>;
  /** Fails for an outcome that is wrong without a crash. */
  expectOutcome: (outcome: Outcome) => void;
  /** The number of commits depends on the duration of its calls. */
  commitsVary?: boolean;
}

const bothSides = (commit: number): CrashPlan[] => [
  { when: "before", commit },
  { when: "after", commit },
];

/**
 * Expects the same outcome of the run with each crash as without one. An ordinary run takes a part of the crashes.
 * Returns the number of possible crashes.
 */
export async function killAtCommits<Place extends { instanceId: string }, Outcome>(
  { make, act, outcome, expectOutcome, commitsVary }: Repeatable<Place, Outcome>,
  plansFor = bothSides,
): Promise<number> {
  const whole = await make();
  const seen = await watchCommits(whole.instanceId);
  const expected = await outcome(await act(whole), whole);
  expectOutcome(expected);

  const crashes = Array.from({ length: seen.commits }, (_, at) => plansFor(at + 1)).flat();
  await forEachFault(partOf(crashes, PARTS), async (plan) => {
    const place = await make();
    const label = `killed ${plan.when} commit ${plan.commit} of ${seen.commits}`;
    const crash = await watchCommits(place.instanceId, plan);
    let isOver = false;
    const ended = act(place)
      .then((ids) => outcome(ids, place))
      .finally(() => {
        isOver = true;
      });
    const neverComes = () => commitsVary === true && isOver;
    await until(`the runner is ${label}`, () => crash.crashed || neverComes());
    await runnerOf(place.instanceId).wake();
    expect(await ended, label).toEqual(expected);
  });
  return crashes.length;
}
