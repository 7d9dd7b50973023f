/**
 * The depth of a run's open-ended tests: generated requests, crash matrices, simulated runs. `npm test` takes a part
 * that the run's seed picks, `npm run test:deep` all of it. vitest.config.ts prints the seed.
 */
import { inject } from "vitest";

export interface Depth {
  isDeep: boolean;
  seed: number;
}

declare module "vitest" {
  export interface ProvidedContext {
    depth: Depth;
  }
}

const { isDeep, seed } = inject("depth");

/** TEST_SEED: the same number picks the same parts and generates the same requests. */
export const testSeed = seed;

/**
 * One of `of` equal parts of the cases, at least one case; all of them in a deep run. Another `turn` picks another part
 * in the same run, so that a run tries every case on something.
 */
export function partOf<T>(cases: readonly T[], of: number, turn = 0): T[] {
  if (isDeep) return [...cases];
  const parts = Math.min(of, cases.length);
  return cases.filter((_, at) => (at + turn) % parts === seed % parts);
}

/** The number of cases to generate. */
export function countFor(counts: { ordinary: number; deep: number }): number {
  return isDeep ? counts.deep : counts.ordinary;
}

/**
 * For `it.runIf` of similar tests, whose number grows with each cloud. True for one of `of` equal parts of them, in the
 * order of the calls; for all in a deep run.
 */
export function inTurns(of: number): () => boolean {
  let at = -1;
  return () => {
    at += 1;
    return isDeep || at % of === seed % of;
  };
}
