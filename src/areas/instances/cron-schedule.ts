import { Cron } from "croner";

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

/** Epoch milliseconds of the first time strictly after `afterMs`; null: there is none. Throws for a bad expression. */
export function nextScheduledMs(
  { cron, timeZone }: { cron: string; timeZone: string },
  afterMs: number,
): number | null {
  const job = new Cron(cron.trim(), { timezone: timeZone, paused: true, mode: "5-part" });
  return job.nextRun(new Date(afterMs))?.getTime() ?? null;
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}
