/** Messages about calls between a run and its target's gate. Times are spans, because each side has its own clock. */

/** The rate budget that an answer of the cloud told. */
export interface SeenBudget {
  /** Calls left, less the run's own calls that the cloud may not have counted yet. */
  remaining: number;
  /** Time until the budget resets. */
  resetInMs: number;
  /** The number of the run's share when it sent the request. Other runs may have called since. */
  since: number;
}

/** The use of a run's last share. */
export interface UsedShare {
  /** The number of that share; absent: the run has had no share since its runner started. */
  share?: number;
  /** Calls made from it. */
  made: number;
  inFlight: number;
  seen?: SeenBudget;
}

export interface ShareRequest extends UsedShare {
  /** Concurrent calls that the provider allows a target. */
  concurrency: number;
  /** Concurrent calls that the run can use; absent: any number. */
  places?: number;
  /** The cloud throttled a call, so no run of the target may call for this time. */
  throttledForMs?: number;
}

/** The calls that a run may make before it asks the gate again. */
export interface CallShare {
  number: number;
  /** Concurrent calls. */
  concurrent: number;
  /** Null: unlimited, since no budget is known. */
  calls: number | null;
  /** The run asks again after this time, or when the calls are used up. */
  forMs: number;
  /** Set if the share is empty: the time until the run asks again, and the reason for the wait. */
  wait?: { forMs: number; for: "rate" | "turn" };
}

/** A span or a count from a cloud's answer; undefined: the value is neither. */
export function spanOf(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
}
