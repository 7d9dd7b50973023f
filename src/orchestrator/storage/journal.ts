/**
 * The record of a run: what was intended, what came of it, what the run said of itself. It is written before
 * and after every call to a cloud, so that whoever reads it, the same runner or the next, knows what was done,
 * what may have been done, and what was not. It is also the log that people read: one table, two readers.
 */
import type { StepProgress } from "#engine/schedule.ts";
import type { Json } from "#platform/json.ts";
import type { EncodedValues } from "./state-codec.ts";

export type Verb = "create" | "update" | "delete" | "read";

export type Entry =
  /** Something of the run as a whole, in words. */
  | { kind: "note"; level: "info" | "warn" | "error"; message: string }
  /**
   * About to call. `token`: the same for every repetition of this call. `objectName`: the name given to a new object.
   * `sent`: of a create, what is sent, so that it can be repeated by who cannot read the template any more.
   */
  | { kind: "intent"; verb: Verb; token: string; objectName: string; sent?: EncodedValues }
  /** The call of the open intent leaves once more, after tries that had no effect: this one may have. */
  | { kind: "attempt"; verb: Verb }
  /** The cloud is at work: ask again not before. */
  | {
      kind: "pending";
      verb: Verb;
      id?: string;
      handle: Json;
      notBeforeMs: number;
      note?: string;
      requestId?: string;
    }
  /** To be tried again not before; the call may have taken effect all the same. */
  | {
      kind: "retry";
      verb: Verb;
      notBeforeMs: number;
      code: string;
      message: string;
      /** The call may have taken effect. */
      unknown?: true;
      requestId?: string;
    }
  /** The object is as it should be. The resource state was changed in the same commit. */
  | {
      kind: "done";
      verb: Verb | "none";
      id?: string;
      requestId?: string;
      elapsedMs: number;
      /** There is more to do for this step: its last word is yet to come. */
      more?: true;
    }
  | {
      kind: "failed";
      verb: Verb;
      code: string;
      message: string;
      elapsedMs: number;
      requestId?: string;
    }
  /** Left between two tries, because the deployment was canceled. What may have come of it is in the state. */
  | { kind: "stopped"; verb: Verb; elapsedMs: number }
  | { kind: "skipped" };

/** A line of the run as a whole. */
export function note(message: string, level: "info" | "warn" | "error" = "info"): Entry {
  return { kind: "note", level, message };
}

export interface JournalRow {
  seq: number;
  atMs: number;
  /** Null: the run as a whole. */
  step: string | null;
  resource: string | null;
  entry: Entry;
}

/** What the journal says of one step, folded. */
export interface StepRecord {
  progress: StepProgress;
  startedAtMs: number;
  /** The open intent, if the step is under way. */
  intent?: { verb: Verb; token: string; objectName: string; sent?: EncodedValues };
  /** How often the open intent was tried in vain. */
  retries: number;
  /** Some try of the open intent may have taken effect. */
  unknown: boolean;
  /** Set while the cloud is at work. */
  pending?: { verb: Verb; id?: string; handle: Json };
  /** The id of an object whose create was once given up, learned by repeating it. */
  foundId?: string;
  /** Calls begun by this step so far: numbers the tokens. */
  intents: number;
}

/** Folds one more row into the records. Rows without a step change nothing. */
export function fold(records: Map<string, StepRecord>, row: JournalRow): void {
  if (row.step === null) return;
  const { entry } = row;
  const known = records.get(row.step);
  const record: StepRecord = known ?? {
    progress: { status: "running" },
    startedAtMs: row.atMs,
    retries: 0,
    unknown: false,
    intents: 0,
  };
  records.set(row.step, record);
  switch (entry.kind) {
    case "note":
      break;
    case "intent":
      record.intent = {
        verb: entry.verb,
        token: entry.token,
        objectName: entry.objectName,
        ...(entry.sent === undefined ? {} : { sent: entry.sent }),
      };
      record.intents += 1;
      record.retries = 0;
      record.unknown = false;
      delete record.pending;
      record.progress = { status: "running" };
      break;
    case "attempt":
      record.progress = { status: "running" };
      break;
    case "pending":
      record.pending = {
        verb: entry.verb,
        handle: entry.handle,
        ...(entry.id === undefined ? {} : { id: entry.id }),
      };
      record.progress = { status: "waiting", wait: "poll", notBeforeMs: entry.notBeforeMs };
      break;
    case "retry":
      record.retries += 1;
      record.unknown ||= entry.unknown === true;
      record.progress = {
        status: "waiting",
        wait: record.pending === undefined ? "retry" : "poll",
        notBeforeMs: entry.notBeforeMs,
      };
      break;
    case "done":
      delete record.intent;
      delete record.pending;
      if (entry.more === true && entry.verb === "create" && entry.id !== undefined)
        record.foundId = entry.id;
      record.progress = entry.more === true ? { status: "running" } : { status: "succeeded" };
      break;
    case "failed":
      record.progress = { status: "failed" };
      break;
    case "stopped":
      delete record.intent;
      delete record.pending;
      record.progress = { status: "waiting", wait: "retry", notBeforeMs: 0 };
      break;
    case "skipped":
      record.progress = { status: "skipped" };
      break;
  }
}

/**
 * What a runner that lost its memory knows: a call whose outcome is not in the journal may have taken effect,
 * and is repeated at once. It counts as under way, so that a cancel lets it be finished.
 */
export function interrupted(records: ReadonlyMap<string, StepRecord>): void {
  for (const record of records.values()) {
    if (record.progress.status !== "running") continue;
    const called = record.intent !== undefined;
    if (called) record.unknown = true;
    record.progress = { status: "waiting", wait: called ? "poll" : "retry", notBeforeMs: 0 };
  }
}
