import { Cron } from "croner";
import { type LocalClock, localClock } from "./local-clock.ts";

/** Digits, names, and `* , - / # L W`: no seconds, no dates, no nicknames, nothing that depends on today. */
const field = /^[0-9A-Za-z*,\-/#]+$/;

/** What is wrong with the expression or the time zone; undefined when it has a next time after `afterMs`. */
export function scheduleProblem(
  { cron, timeZone }: { cron: string; timeZone: string },
  afterMs: number,
): { at: "cron" | "timeZone"; detail: string } | undefined {
  if (!isTimeZone(timeZone))
    return { at: "timeZone", detail: "No such time zone. Use an IANA name: Europe/Berlin, UTC." };
  const fields = cron.trim().split(/ +/);
  if (fields.length !== 5 || !fields.every((part) => field.test(part)))
    return {
      at: "cron",
      detail:
        "Five fields are needed, separated by spaces: minute, hour, day of month, month, day of week.",
    };
  try {
    if (nextScheduledMs({ cron, timeZone }, afterMs) !== null) return undefined;
  } catch {
    return { at: "cron", detail: "The expression has a field with a value it cannot have." };
  }
  return { at: "cron", detail: "The expression never comes true." };
}

/**
 * Epoch milliseconds of the first time strictly after `afterMs`; null: there is none. Throws for a bad expression.
 * Where hours are named, a time that a clock change leaves out is made up for when the gap ends, once for all that
 * it leaves out, and one that comes twice counts once. Where none is, the clock alone counts.
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

/** The next time as if the local calendar had no clock changes; both in local milliseconds. */
function nextOfCalendar(cron: string, localMs: number): number | null {
  const job = new Cron(cron, { timezone: "UTC", paused: true, mode: "5-part" });
  return job.nextRun(new Date(localMs))?.getTime() ?? null;
}

/** When the gap ends that swallows the next time of the calendar, if that is before `first`. */
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
