/** The states of an instance that somebody has to look at: few instances are in them. */
export const problemStates = ["FAILED", "DEGRADED", "DESTROY_FAILED"] as const;
