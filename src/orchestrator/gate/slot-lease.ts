/** Lifetime of a slot lease. Its runner renews it at a third of this. */
export const SLOT_LEASE_MS = 90_000;
