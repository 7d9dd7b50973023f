import { type Entry, note } from "#orchestrator/storage/journal.ts";

/** The log line of a run that resumes after its runner stopped in the middle of its work. */
export function interruptionNote(sinceMs: number, nowMs: number): Entry {
  const seconds = Math.round((nowMs - sinceMs) / 1000);
  const time = seconds < 1 ? "less than 1 s" : `${seconds} s`;
  return note(`The service was interrupted for ${time}; resumed from the journal.`, "warn");
}
