import type { Spreading } from "#providers/provider.ts";

/** Words of a refusal that may pass by itself, and how. Each pattern runs in linear time. */
export type SpreadingWords = readonly (readonly [words: RegExp, Spreading])[];

const MINUTE_MS = 60_000;
/** Objects are visible everywhere within minutes; grants take longer. */
export const objectSpreads: Spreading = { withinMs: 5 * MINUTE_MS };
export const grantSpreads: Spreading = { withinMs: 10 * MINUTE_MS };

/** Characters of a message that are judged. */
const MAX_JUDGED = 2_000;

/** Undefined: no waiting mends the refusal. A delete needs nothing to be visible. */
export function spreadingIn(
  table: SpreadingWords,
  message: string,
  verb: string,
): Spreading | undefined {
  if (verb !== "create" && verb !== "update") return undefined;
  const judged = message.slice(0, MAX_JUDGED);
  return table.find(([words]) => words.test(judged))?.[1];
}
