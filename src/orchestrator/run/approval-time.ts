/** A plan waits so long for approval, and is too old then. */
export const APPROVAL_MS = 7 * 24 * 60 * 60 * 1000;
