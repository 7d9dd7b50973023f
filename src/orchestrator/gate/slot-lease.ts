/** A slot lapses unless its runner renews it: the runner does so at a third of this. */
export const SLOT_LEASE_MS = 90_000;
