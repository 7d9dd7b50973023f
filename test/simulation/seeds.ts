/** A share of the simulated runs, one after the other, each with its own seed. */
import { env } from "node:process";
import { expect, vi } from "vitest";
import { simulate } from "./run.ts";

const SHARES = 2;
/** Fewer runs than `npm run simulate`, for every change. */
const runs = Number(env["SIM_RUNS"] ?? "400");
/** The runs use this seed and the following ones: the same each time unless SIM_SEED is set. */
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
        // Two failures show whether it is one fault or several; shrinking more takes too long.
        if (broken.length === 2) break;
      }
    }
  } finally {
    for (const one of quiet) one.mockRestore();
  }
  expect(broken).toEqual([]);
}

/** Runs every second seed, starting with the first or the second. */
export async function expectShareToHold(share: 0 | 1): Promise<void> {
  const seeds = Array.from({ length: runs }, (_, at) => first + at).filter(
    (_, at) => at % SHARES === share,
  );
  console.log(
    `Simulated ${seeds.length} runs, every second from SIM_SEED=${seeds[0] ?? first} on; SIM_SEED and SIM_RUNS=1 repeat one`,
  );
  await expectToHold(seeds);
}
