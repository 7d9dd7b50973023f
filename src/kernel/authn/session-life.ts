/** The life of a sign-in. */
import { TimeSpan } from "oslo";

export const IDLE_MS = new TimeSpan(8, "h").milliseconds();
export const LIFE = new TimeSpan(7, "d");
/**
 * Minimum interval between writes of the last use. So a session may look idle for up to this much longer than it is.
 */
export const LAST_SEEN_STEP_MS = new TimeSpan(5, "m").milliseconds();

export interface SessionTimes {
  lastSeenAtMs: number;
  expiresAtMs: number;
}

/** Whether the session has ended: after eight hours without use, or seven days after sign-in. */
export function isOver({ lastSeenAtMs, expiresAtMs }: SessionTimes, now: number): boolean {
  return now >= expiresAtMs || now >= lastSeenAtMs + IDLE_MS;
}

/** The end of the session, unless it is used before. */
export function endsAtMs({ lastSeenAtMs, expiresAtMs }: SessionTimes): number {
  return Math.min(lastSeenAtMs + IDLE_MS, expiresAtMs);
}
