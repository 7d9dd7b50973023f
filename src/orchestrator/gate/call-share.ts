/** What a run and the gate of its target tell each other about calls. Times are spans: each side has its own clock. */

/** What a cloud's answer said of the rate budget. */
export interface SeenBudget {
  /** Calls left, less all of the run's own that the cloud may not have counted yet. */
  remaining: number;
  /** Time until the budget is whole again. */
  resetInMs: number;
  /** The share that the run had when it sent the request: others may have called since. */
  since: number;
}

/** What a run used of its last share. */
export interface UsedShare {
  /** The number of that share; absent: none since this life of the runner began. */
  share?: number;
  /** Calls made from it. */
  made: number;
  inFlight: number;
  seen?: SeenBudget;
}

export interface ShareRequest extends UsedShare {
  /** Calls at the same time that the provider allows a target. */
  concurrency: number;
  /** The places that it can use; absent: all that it gets. */
  places?: number;
  /** The cloud refused a call: no run of the target is to call for so long. */
  throttledForMs?: number;
}

/** The calls that a run may make before it asks again. */
export interface CallShare {
  number: number;
  /** Calls at the same time. */
  concurrent: number;
  /** Null: any number, since no budget is known. */
  calls: number | null;
  /** The run asks again after this time, or when the calls are used up. */
  forMs: number;
  /** The share is empty: when to ask again, and what for it waits. */
  wait?: { forMs: number; for: "rate" | "turn" };
}

/** A span or a count as it came from a cloud; undefined: it is not one. */
export function spanOf(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}
