/** A share of the runs, one after the other, each of a seed of its own. */
import { env } from "node:process";
import { expect, vi } from "vitest";
import { simulate } from "./run.ts";

const SHARES = 2;
/** Less than `npm run simulate` runs, for every change. */
const runs = Number(env["SIM_RUNS"] ?? "400");
/** The runs are those of this seed and the following ones: the same each time, unless another is given. */
const first = Number(env["SIM_SEED"] ?? "9000");

export async function expectToHold(seeds: Iterable<number>): Promise<void> {
  const quiet = (["log", "warn", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  const broken: string[] = [];
  try {
    for (const seed of seeds) {
      try {
        await simulate(seed);
      } catch (error) {
        broken.push(`SIM_SEED=${seed}: ${error instanceof Error ? error.message : "no reason"}`);
        // A second one tells whether it is one fault or many; shrinking more takes long.
        if (broken.length === 2) break;
      }
    }
  } finally {
    for (const one of quiet) one.mockRestore();
  }
  expect(broken).toEqual([]);
}

/** Every second seed of the run's, from the first or from the second on. */
export async function expectShareToHold(share: 0 | 1): Promise<void> {
  const seeds = Array.from({ length: runs }, (_, at) => first + at).filter(
    (_, at) => at % SHARES === share,
  );
  console.log(
    `Simulated ${seeds.length} runs, every second from SIM_SEED=${seeds[0] ?? first} on; SIM_SEED and SIM_RUNS=1 repeat one`,
  );
  await expectToHold(seeds);
}
