/** How long a sign-in lasts. */
import { TimeSpan } from "oslo";

export const IDLE_MS = new TimeSpan(8, "h").milliseconds();
export const LIFE = new TimeSpan(7, "d");
/** The last use is written so often at most: in between, a session looks up to so much more idle than it is. */
export const LAST_SEEN_STEP_MS = new TimeSpan(5, "m").milliseconds();

export interface SessionTimes {
  lastSeenAtMs: number;
  expiresAtMs: number;
}

/** Whether the session is over: it was not used for eight hours, or began seven days ago. */
export function isOver({ lastSeenAtMs, expiresAtMs }: SessionTimes, now: number): boolean {
  return now >= expiresAtMs || now >= lastSeenAtMs + IDLE_MS;
}

/** When it ends unless it is used before. */
export function endsAtMs({ lastSeenAtMs, expiresAtMs }: SessionTimes): number {
  return Math.min(lastSeenAtMs + IDLE_MS, expiresAtMs);
}
