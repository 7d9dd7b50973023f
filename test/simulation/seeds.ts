/** Half of the simulated runs, one after the other, each with its own seed. */
import { env } from "node:process";
import { expect, vi } from "vitest";
import { partOf, testSeed } from "#test/support/depth.ts";
import { type Kind, kinds } from "./kinds.ts";
import { simulate } from "./run.ts";

/** So many ordinary runs of the suite see every seed. */
const PARTS = 100;
const PROGRESS_EVERY = 100;
/** A run of a half ends by then; starting and shrinking come on top. */
const BUDGET_MS = Number(env["SIM_BUDGET_S"] ?? "600") * 1000;
export const TIMEOUT_MS = BUDGET_MS + 120_000;

interface Job {
  kind: Kind;
  seed: number;
}

/** All kinds, unless somebody says which. */
const chosen: readonly Kind[] = kinds.filter((kind) => kind === (env["SIM_KIND"] ?? kind));
if (chosen.length === 0)
  throw new Error(`SIM_KIND=${env["SIM_KIND"]} is not one of ${kinds.join(", ")}`);

/** The runs are those of this seed and the following ones. */
const first = Number(env["SIM_SEED"] ?? "9000");
const numbered = Array.from({ length: Number(env["SIM_RUNS"] ?? "1000") }, (_, at) => first + at);

/** Every seed in every kind when somebody says which, or a deep run does; else a part of the seeds in turn. */
function jobs(): Job[] {
  const part = partOf(numbered, PARTS);
  if (env["SIM_RUNS"] !== undefined || part.length === numbered.length)
    return numbered.flatMap((seed) => chosen.map((kind) => ({ kind, seed })));
  return part.map((seed, at) => ({
    kind: chosen[(at + testSeed) % chosen.length] as Kind,
    seed,
  }));
}

/** Runs the jobs until they are done or `untilMs` has come. Returns how many ran. */
export async function expectToHold(wanted: readonly Job[], untilMs = Infinity): Promise<number> {
  const quiet = (["log", "warn", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  const broken: string[] = [];
  const startMs = performance.now();
  let ran = 0;
  try {
    for (const { kind, seed } of wanted) {
      if (performance.now() > untilMs) break;
      try {
        await simulate(kind, seed);
      } catch (error) {
        const reason = error instanceof Error ? error.message : "no reason";
        broken.push(`SIM_KIND=${kind} SIM_SEED=${seed}: ${reason}`);
        // Two failures show whether it is one fault or several; shrinking more takes too long.
        if (broken.length === 2) break;
      }
      ran += 1;
      if (ran % PROGRESS_EVERY > 0) continue;
      const perSecond = ((ran * 1000) / (performance.now() - startMs)).toFixed(1);
      console.info(`${ran} of ${wanted.length} runs, ${perSecond} a second, at SIM_SEED=${seed}`);
    }
  } finally {
    for (const one of quiet) one.mockRestore();
  }
  expect(broken).toEqual([]);
  return ran;
}

/** Runs every second job, starting with the first or the second. */
export async function expectHalfToHold(half: 0 | 1): Promise<void> {
  const all = jobs();
  // A pair of jobs for each half: otherwise, with two kinds, each half would have one.
  const mine = all.filter((_, at) => Math.floor(at / chosen.length) % 2 === half);
  const ran = await expectToHold(mine, performance.now() + BUDGET_MS);
  console.info(
    `Simulated ${ran} of ${mine.length} runs from SIM_SEED=${mine[0]?.seed ?? first} on, of the kinds ${chosen.join(", ")}; SIM_KIND, SIM_SEED and SIM_RUNS=1 repeat one`,
  );
}
