/** Clocks that differ: what runs inside `withClock` reads a time that is ahead of the platform's, or behind it. */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Clock {
  /** Added to the platform's time. */
  offsetMs: number;
}

const current = new AsyncLocalStorage<Clock>();

/** Runs `work`, and all that it awaits, by this clock. */
export function withClock<T>(clock: Clock, work: () => T): T {
  return current.run(clock, work);
}

export function currentOffsetMs(): number {
  return current.getStore()?.offsetMs ?? 0;
}

/** The function, bound to the clock of whoever calls this. */
export function keepingClock(run: () => void): () => void {
  const clock = current.getStore();
  return clock === undefined ? run : () => current.run(clock, run);
}
