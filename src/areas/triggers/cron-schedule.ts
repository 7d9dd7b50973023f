import { Cron } from "croner";
import { type LocalClock, localClock } from "./local-clock.ts";

/**
 * Digits, names and `* , - / # L W`: no seconds, dates or nicknames such as `@daily`, and nothing that depends on the
 * current date.
 */
const field = /^[0-9A-Za-z*,\-/#]+$/;

/** The fault of the expression or the time zone; undefined: it has a next time after `afterMs`. */
export function scheduleProblem(
  { cron, timeZone }: { cron: string; timeZone: string },
  afterMs: number,
): { at: "cron" | "timeZone"; detail: string } | undefined {
  if (!isTimeZone(timeZone))
    return {
      at: "timeZone",
      detail: "There is no such time zone. Use an IANA name, for example Europe/Berlin or UTC.",
    };
  const fields = cron.trim().split(/ +/);
  if (fields.length !== 5 || !fields.every((part) => field.test(part)))
    return {
      at: "cron",
      detail:
        "The expression needs five fields, separated by spaces: minute, hour, day of month, month, day of week.",
    };
  try {
    if (nextScheduledMs({ cron, timeZone }, afterMs) !== null) return undefined;
  } catch {
    return { at: "cron", detail: "A field of the expression has an invalid value." };
  }
  return { at: "cron", detail: "The expression matches no date." };
}

/**
 * Epoch milliseconds of the first time strictly after `afterMs`; null: there is none. Throws for an invalid
 * expression. If hours are named, times that a clock change skips run once, when the gap ends, and a time
 * that occurs twice runs once. Otherwise the expression follows the clock.
 */
export function nextScheduledMs(
  { cron, timeZone }: { cron: string; timeZone: string },
  afterMs: number,
): number | null {
  const expression = cron.trim();
  const job = new Cron(expression, { timezone: timeZone, paused: true, mode: "5-part" });
  const next = (ms: number): number | null => job.nextRun(new Date(ms))?.getTime() ?? null;
  const first = next(afterMs);
  const [, hours = ""] = expression.split(/ +/);
  if (first === null || hours.startsWith("*")) return first;
  const zone = localClock(timeZone);
  const made = gapEndBefore(first, afterMs, zone, (localMs) => nextOfCalendar(expression, localMs));
  if (made !== undefined) return made;
  let found: number | null = first;
  while (found !== null && zone.isSecond(found)) found = next(found);
  return found;
}

/** The next time if the zone had no clock changes; both in local milliseconds. */
function nextOfCalendar(cron: string, localMs: number): number | null {
  const job = new Cron(cron, { timezone: "UTC", paused: true, mode: "5-part" });
  return job.nextRun(new Date(localMs))?.getTime() ?? null;
}

/** The end of the gap that skips the next calendar time, if it is before `first`. */
function gapEndBefore(
  first: number,
  afterMs: number,
  zone: LocalClock,
  nextOf: (localMs: number) => number | null,
): number | undefined {
  const localMs = nextOf(zone.localOf(afterMs));
  const endMs = localMs === null ? undefined : zone.gapEndAround(localMs);
  return endMs !== undefined && endMs > afterMs && endMs < first ? endMs : undefined;
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}
