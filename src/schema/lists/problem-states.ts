/** The states of an instance that need attention. Few instances are in them. */
export const problemStates = ["FAILED", "DEGRADED", "DESTROY_FAILED"] as const;
