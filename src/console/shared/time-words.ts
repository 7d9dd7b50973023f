/** Times and durations in words. Pure: pages and their scripts use them. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Older times are told as dates. */
const RELATIVE_MS = 14 * DAY_MS;

/** `5 min ago`, `in 3 h`, `just now`; a date where that is two weeks away or more. */
export function relativeTime(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs;
  const away = Math.abs(ms);
  if (away >= RELATIVE_MS) return at.slice(0, 10);
  if (away < 10 * SECOND_MS) return "just now";
  return ms < 0 ? `${largest(away)} ago` : `in ${largest(away)}`;
}

/** `41 s`, `2 min 5 s`, `1 h 3 min`, `2 d 4 h`. */
export function durationWords(ms: number): string {
  const parts = [
    [DAY_MS, "d"],
    [HOUR_MS, "h"],
    [MINUTE_MS, "min"],
    [SECOND_MS, "s"],
  ] as const;
  const first = parts.findIndex(([unit]) => ms >= unit);
  if (first === -1) return "0 s";
  let left = ms;
  return parts
    .slice(first, first + 2)
    .flatMap(([unit, word]) => {
      const count = Math.floor(left / unit);
      left -= count * unit;
      return count === 0 ? [] : [`${count} ${word}`];
    })
    .join(" ");
}

function largest(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
}

/** `2026-11-20 12:00:05 UTC`. */
export function exactTime(at: string): string {
  return `${at.slice(0, 19).replace("T", " ")} UTC`;
}
