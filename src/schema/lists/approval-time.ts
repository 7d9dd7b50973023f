/** A plan that is not approved within this time expires. */
export const APPROVAL_MS = 7 * 24 * 60 * 60 * 1000;
