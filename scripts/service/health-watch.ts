import { setTimeout as pause } from "node:timers/promises";

export interface Watch {
  everyMs: number;
  /** The longest time for an answer. */
  withinMs: number;
  /** The number of checks in a row without an answer. */
  misses: number;
}

/** A minute without an answer: more than a loaded machine or a restart of the runtime needs. */
const aMinute: Watch = { everyMs: 10_000, withinMs: 5_000, misses: 4 };

/**
 * Waits until the service has stopped answering; false: `signal` aborted before. The runtime of `wrangler dev` can die
 * alone: Wrangler restarts it, and its port then accepts connections that nobody answers.
 */
export async function untilSilent(
  address: string,
  signal: AbortSignal,
  { everyMs, withinMs, misses }: Watch = aMinute,
): Promise<boolean> {
  for (let missed = 0; missed < misses;) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    missed = (await answers(address, withinMs)) ? 0 : missed + 1;
  }
  return !signal.aborted;
}

/** Any answer counts. */
async function answers(address: string, withinMs: number): Promise<boolean> {
  try {
    const response = await fetch(`${address}/api/v1/health`, {
      signal: AbortSignal.timeout(withinMs),
    });
    await response.text();
    return true;
  } catch {
    return false;
  }
}
