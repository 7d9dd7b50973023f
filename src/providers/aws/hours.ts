/** Milliseconds. */
export const HOURS = 3_600_000;
