/** A share of the simulated runs, one after the other, each with its own seed. */
import { env } from "node:process";
import { expect, vi } from "vitest";
import { partOf } from "#test/support/depth.ts";
import { simulate } from "./run.ts";

const SHARES = 2;
/** So many ordinary runs of the suite see every simulated run. */
const PARTS = 32;

/** The runs are those of this seed and the following ones. */
const first = Number(env["SIM_SEED"] ?? "9000");
const numbered = Array.from({ length: Number(env["SIM_RUNS"] ?? "1000") }, (_, at) => first + at);
/** All of them, when somebody says which. */
const seeds = env["SIM_RUNS"] === undefined ? partOf(numbered, PARTS) : numbered;

export async function expectToHold(runs: Iterable<number>): Promise<void> {
  const quiet = (["log", "warn", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  const broken: string[] = [];
  try {
    for (const seed of runs) {
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
  const mine = seeds.filter((_, at) => at % SHARES === share);
  console.log(
    `Simulated ${mine.length} runs from SIM_SEED=${mine[0] ?? first} on; SIM_SEED and SIM_RUNS=1 repeat one`,
  );
  await expectToHold(mine);
}
