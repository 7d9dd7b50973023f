/** The journal in plain sentences: what people read while a deployment runs, and after. */
import type { Entry, JournalRow } from "#orchestrator/storage/journal.ts";
import type { DeploymentState } from "#schema/deployment-states.ts";

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

/** The last line of a run that ended before it was carried out. `undefined`: the deployment is gone. */
export function endingNote(state: DeploymentState | undefined): string {
  if (state === undefined) return "Given up: the deployment does not exist any more.";
  if (state === "DISCARDED") return "Discarded.";
  if (state === "EXPIRED") return "Expired: nobody approved the plan in time.";
  return state === "SUPERSEDED" ? "Superseded." : "Canceled before it began.";
}

const verbs = { create: "Creating", update: "Updating", delete: "Deleting", read: "Reading" };
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
  // A delete that creates repeats a create that was never answered, to learn what it made.
  const looks = step?.startsWith("delete:") === true && "verb" in entry && entry.verb === "create";
  const doing = looks ? { ...verbs, create: "Looking for what was made of" } : verbs;
  switch (entry.kind) {
    case "note":
      return { ...about, level: entry.level, message: entry.message };
    case "intent":
      return { ...about, level: "info", message: `${doing[entry.verb]} ${name}.` };
    case "attempt":
      return { ...about, level: "info", message: `${doing[entry.verb]} ${name}: trying again.` };
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
        message: doneMessage(name, entry, looks),
      };
    case "failed":
      return {
        ...about,
        level: "error",
        message: `${doing[entry.verb]} ${name} failed: ${entry.message} (${entry.code}).`,
      };
    case "stopped":
      return {
        ...about,
        level: "warn",
        message: `Stopped before ${name} was done: the deployment was canceled.`,
      };
    case "skipped":
      return {
        ...about,
        level: "warn",
        message: `Left ${name} alone: something it depends on failed.`,
      };
  }
}

function doneMessage(
  name: string,
  { verb, more, elapsedMs }: Extract<Entry, { kind: "done" }>,
  looks: boolean,
): string {
  if (looks) return `Found what an unanswered create of ${name} had made.`;
  if (verb !== "none") return `${did[verb]} ${name} in ${seconds(elapsedMs)}.`;
  return more === true
    ? `${name} does not exist at the provider any more: making it anew.`
    : `${name} needs no change after all.`;
}

function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}
