/**
 * Suites of which an ordinary run takes a part, another one each time. They are what there are many of with each cloud
 * and each guarantee, and each of them is minutes of flat computing; what every change can break is in each run.
 */
import type { Depth } from "./support/depth.ts";

/** How many runs it takes to see all of a folder's suites. */
const turnsOf: readonly (readonly [folder: string, turns: number])[] = [
  ["/test/attacks/", 3],
  ["/test/faults/", 3],
  ["/test/orchestrator/", 2],
  ["/test/simulation/", 2],
];

/** A run of more files than this is of the whole project; who names suites wants those. */
const WHOLE_RUN_FILES = 200;

/** The suites that this run takes, in the same order; all of them if it is deep or of a part of the project. */
export function inTurn<T extends { moduleId: string }>(
  suites: readonly T[],
  { isDeep, seed }: Depth,
): T[] {
  if (isDeep || suites.length < WHOLE_RUN_FILES) return [...suites];
  const places = new Map<string, number>();
  for (const [folder] of turnsOf) {
    const paths = suites.map(({ moduleId }) => moduleId).filter((path) => path.includes(folder));
    for (const [at, path] of paths.toSorted().entries()) places.set(path, at);
  }
  return suites.filter(({ moduleId }) => {
    const turns = turnsOf.find(([folder]) => moduleId.includes(folder))?.[1] ?? 1;
    return ((places.get(moduleId) ?? 0) + seed) % turns === 0;
  });
}
