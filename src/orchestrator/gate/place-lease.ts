/** Lifetime of a place in a target's queue. Its runner renews it at a third of this, or sooner. */
export const PLACE_LEASE_MS = 60_000;
