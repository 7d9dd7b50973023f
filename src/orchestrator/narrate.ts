/** The journal in plain sentences: what people read while a deployment runs, and after. */
import type { JournalRow } from "./journal.ts";

export interface LogEntry {
  seq: number;
  at: string;
  level: "info" | "warn" | "error";
  message: string;
  resource?: string;
  step?: string;
  elapsedMs?: number;
  /** The provider's id of the request, for its support. */
  requestId?: string;
}

const doing = { create: "Creating", update: "Updating", delete: "Deleting", read: "Reading" };
const did = { create: "Created", update: "Updated", delete: "Deleted", read: "Read", none: "Kept" };

export function narrate({ seq, atMs, step, resource, entry }: JournalRow): LogEntry {
  const about = {
    seq,
    at: new Date(atMs).toISOString(),
    ...(resource === null ? {} : { resource }),
    ...(step === null ? {} : { step }),
    ...("elapsedMs" in entry ? { elapsedMs: entry.elapsedMs } : {}),
    ...("requestId" in entry && entry.requestId !== undefined
      ? { requestId: entry.requestId }
      : {}),
  };
  const name = resource ?? "the instance";
  switch (entry.kind) {
    case "note":
      return { ...about, level: entry.level, message: entry.message };
    case "intent":
      return { ...about, level: "info", message: `${doing[entry.verb]} ${name}.` };
    case "pending":
      return {
        ...about,
        level: "info",
        message: `${doing[entry.verb]} ${name}: the provider is at work${entry.note === undefined ? "" : ` (${entry.note})`}.`,
      };
    case "retry":
      return {
        ...about,
        level: "warn",
        message: `${doing[entry.verb]} ${name} did not work yet: ${entry.message} (${entry.code}). Trying again in ${seconds(entry.notBeforeMs - atMs)}.`,
      };
    case "done":
      return {
        ...about,
        level: "info",
        message:
          entry.verb === "none"
            ? `${name} needs no change after all.`
            : `${did[entry.verb]} ${name} in ${seconds(entry.elapsedMs)}.`,
      };
    case "failed":
      return {
        ...about,
        level: "error",
        message: `${doing[entry.verb]} ${name} failed: ${entry.message} (${entry.code}).`,
      };
    case "skipped":
      return {
        ...about,
        level: "warn",
        message: `Left ${name} alone: something it depends on failed.`,
      };
  }
}

function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
