import type { Random } from "#test/simulation/random.ts";
import type { SoakSettings } from "./soak-settings.ts";

/** The deviation of a kill from its planned time, as a part of the interval. */
const JITTER = 0.25;
/** From here on "ten minutes ago" is near the start of the run. */
const LONG_MINUTES = 10;

export interface KillTimes {
  /** Milliseconds since the clients began. */
  times: readonly number[];
  /** The kills at which D1 is copied, and at which the copy is put back. */
  copyAt: number;
  restoreAt: number;
}

/**
 * In a long run D1 goes back to the first kill's; in a shorter one by about half of the run. Some time stays for what
 * comes after the restore.
 */
export function killTimes({ minutes, killEverySeconds }: SoakSettings, random: Random): KillTimes {
  const times: number[] = [];
  const endMs = minutes * 60_000;
  const stepMs = killEverySeconds * 1_000;
  for (let atMs = stepMs; atMs < endMs - stepMs / 2; atMs += stepMs)
    times.push(Math.round(atMs + stepMs * JITTER * (2 * random.next() - 1)));
  const last = times.length - 1;
  const restoreAt = Math.max(0, last - (last > 2 ? 1 : 0));
  const copyAt =
    minutes >= LONG_MINUTES ? 0 : Math.max(0, Math.min(restoreAt - 1, Math.floor(last / 3)));
  return { times, copyAt, restoreAt };
}
