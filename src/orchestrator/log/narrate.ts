/** Renders journal entries as the sentences of the deployment log. */
import type { Entry, JournalRow, KeptAs } from "#orchestrator/storage/journal.ts";
import type { Deployment } from "#schema/deployments.ts";

export interface LogEntry {
  seq: number;
  at: string;
  level: "info" | "warn" | "error";
  message: string;
  resource?: string;
  step?: string;
  elapsedMs?: number;
  /** The provider's request id, for its support team. */
  requestId?: string;
}

/** The last line of a run that ended before it was applied. `undefined`: the deployment no longer exists. */
export function endingNote(ended: Pick<Deployment, "state" | "error"> | undefined): string {
  if (ended === undefined) return "Stopped: the deployment no longer exists.";
  const { state, error } = ended;
  if (state === "DISCARDED") return "Discarded.";
  if (state === "EXPIRED") return "Expired: the plan was not approved in time.";
  if (state === "FAILED") return `Failed: ${error?.message ?? "an operator abandoned it."}`;
  return state === "SUPERSEDED" ? "Superseded." : "Canceled before it started.";
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
  // A delete step repeats a create that was never answered, to get the id of the object to delete.
  const findsLost =
    step?.startsWith("delete:") === true && "verb" in entry && entry.verb === "create";
  const doing = findsLost ? { ...verbs, create: "Looking for the lost object of" } : verbs;
  switch (entry.kind) {
    case "note":
      return { ...about, level: entry.level, message: entry.message };
    case "intent":
      return { ...about, level: "info", message: intentMessage(name, entry, doing) };
    case "attempt":
      return {
        ...about,
        level: "info",
        message: findsLost
          ? `Repeating the create of ${name} with its token, to learn the object's id.`
          : `${doing[entry.verb]} ${name}: retrying.`,
      };
    case "looked":
      return {
        ...about,
        level: "info",
        message: lookedMessage(name, entry, entry.notBeforeMs - atMs),
      };
    case "pending":
      return {
        ...about,
        level: "info",
        message: `${doing[entry.verb]} ${name}: in progress at the provider${entry.note === undefined ? "" : ` (${entry.note})`}.`,
      };
    case "retry":
      if (entry.busy === true)
        return {
          ...about,
          level: "info",
          message: `${doing[entry.verb]} ${name} is waiting: ${withoutFullStop(entry.message)}. Trying again in ${seconds(entry.notBeforeMs - atMs)}.`,
        };
      if (entry.visible !== undefined)
        return {
          ...about,
          level: "info",
          message: `${doing[entry.verb]} ${name} waits ${awaited(entry.visible)} (${withoutFullStop(entry.message)}). Trying again in ${seconds(entry.notBeforeMs - atMs)}.`,
        };
      return {
        ...about,
        level: "warn",
        message: `${doing[entry.verb]} ${name} failed: ${withoutFullStop(entry.message)} (${entry.code}). Retrying in ${seconds(entry.notBeforeMs - atMs)}.`,
      };
    case "done":
      return {
        ...about,
        level: [entry.note, entry.unshown, entry.left].some((one) => one !== undefined)
          ? "warn"
          : "info",
        message: [
          doneMessage(name, entry, findsLost),
          ...(entry.note === undefined ? [] : [`Its outputs lack something: ${entry.note}.`]),
          ...(entry.unshown === undefined
            ? []
            : [`${stillShows(entry.unshown)} This is drift, which the next deployment corrects.`]),
        ].join(" "),
      };
    case "failed":
      return {
        ...about,
        level: "error",
        message: `${doing[entry.verb]} ${name} failed: ${withoutFullStop(entry.message)} (${entry.code}).`,
      };
    case "stopped":
      return {
        ...about,
        level: "warn",
        message: stoppedMessage(name, entry),
      };
    case "skipped":
      return {
        ...about,
        level: "warn",
        message:
          entry.last === true
            ? `Did not delete ${name}: after a failed create or update nothing is deleted that left the template.`
            : `Skipped ${name}: a step it depends on failed.`,
      };
    default:
      return { ...about, level: "error", message: "This entry cannot be read." };
  }
}

function awaited(names: readonly string[]): string {
  return names.length === 0
    ? "until the provider has created what it needs"
    : `for ${names.join(", ")} to be visible at the provider`;
}

function lookedMessage(
  name: string,
  { verb, empty, unshown = [] }: Extract<Entry, { kind: "looked" }>,
  waitMs: number,
): string {
  const again = `in ${seconds(waitMs)}.`;
  if (verb === "update") return `${name}: ${stillShows(unshown)} Reading it again ${again}`;
  if (verb === "read")
    return empty === 0
      ? `The provider shows ${name} again. Going on ${again}`
      : `The provider does not show ${name}. Reading it again ${again}`;
  return waitMs > 0
    ? `Looking for an object that the last request may still create for ${name}: none yet. Looking again ${again}`
    : `The last request created no object for ${name}.`;
}

function stillShows(paths: readonly string[]): string {
  return `The provider accepted the update, but still shows the earlier value of ${paths.join(", ")}.`;
}

function intentMessage(
  name: string,
  { verb, replaces, lostSent }: Extract<Entry, { kind: "intent" }>,
  doing: typeof verbs,
): string {
  if (lostSent !== undefined) return `Looking for the lost object of ${name}.`;
  if (replaces === undefined) return `${doing[verb]} ${name}.`;
  return verb === "delete"
    ? `Deleting ${name} to replace it: ${replaces}.`
    : `Replacing ${name}: ${replaces}.`;
}

function doneMessage(
  name: string,
  { verb, id, more, left, forgotten, elapsedMs }: Extract<Entry, { kind: "done" }>,
  findsLost: boolean,
): string {
  if (left !== undefined)
    return `Creating ${name} failed: ${withoutFullStop(left)}. Its object is there: updating it.`;
  if (forgotten === "lost")
    return `Forgot the lost object of ${name}, which may exist${more === true ? ": creating another one" : ""}.`;
  if (forgotten === "kept")
    return `The object of ${name} stays at the provider: the instance no longer manages it.`;
  // Only this create needs a further call.
  if (findsLost || (verb === "create" && more === true)) {
    if (id !== undefined) return `Found the lost object of ${name}.`;
    return more === true
      ? `The lost object of ${name} does not exist: creating it.`
      : `The lost object of ${name} no longer exists.`;
  }
  if (verb !== "none") return `${did[verb]} ${name} in ${seconds(elapsedMs)}.`;
  return more === true
    ? `${name} no longer exists at the provider: creating it again.`
    : `${name} needs no change.`;
}

const keptUnready =
  "Its object is kept as UNREADY: the next deployment reads it first, a destroy deletes it.";

/** The fate of an object whose step was stopped by a cancel. */
const kept: Readonly<Record<KeptAs, string>> = {
  unready: keptUnready,
  deleting: `The provider may still delete its object. ${keptUnready}`,
  tainted: "The provider may still delete its object: the next deployment replaces it.",
  lost: "Its object may exist and is kept as LOST: the next deployment or destroy looks for it.",
  unsure: "The provider may still update its object: the next deployment updates it again.",
  pendingDelete:
    "The provider may still delete the replaced object: the next deployment deletes it again.",
};

function stoppedMessage(name: string, { keeps }: Extract<Entry, { kind: "stopped" }>): string {
  const stopped = `Stopped before ${name} was finished: the deployment was canceled.`;
  return keeps === undefined ? stopped : `${stopped} ${kept[keeps]}`;
}

function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
}

function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}
