/**
 * The journal of a run: intents, outcomes and notes. An entry is written before and after every call to a cloud, so
 * that a runner that starts again knows which calls were made, which may have been made, and which were not. The
 * deployment log is rendered from the same entries.
 */
import type { StepProgress } from "#engine/schedule.ts";
import type { SentTimes, StoredResource } from "#engine/state/state.ts";
import type { Json } from "#platform/json.ts";
import type { Fault } from "#schema/lists/deployment-faults.ts";
import type { EncodedValues } from "./state-codec.ts";

export type Verb = "create" | "update" | "delete" | "read";

export type Entry =
  /** A message about the run as a whole. */
  | { kind: "note"; level: "info" | "warn" | "error"; message: string }
  /**
   * A call is about to be sent. `token`: the same for every repetition of the call. `objectName`: the name of a new
   * object. `sent`: the properties a create sends, so that it can be repeated when the template is unreadable.
   * `replaces`: the call is the first of a replacement, and why the object is replaced. `lostSent`: an earlier run sent
   * the create and never learned its outcome; nothing is sent with this entry, only with an `attempt`. `options`: those
   * of a create, for an object that is kept without the template. `dependsOn`: of the object once the call has an effect.
   */
  | {
      kind: "intent";
      verb: Verb;
      token: string;
      objectName: string;
      sent?: EncodedValues;
      replaces?: string;
      lostSent?: SentTimes;
      options?: KeptOptions;
      dependsOn?: readonly string[];
    }
  /** The call of the open intent is sent again, and may have an effect from now on. */
  | { kind: "attempt"; verb: Verb }
  /**
   * A look found no object: for a create, none of the attempts so far; for a read, also one within an update, not the
   * one that exists by all that is known; for an update, it found the object as it was before. `empty`: so many looks in
   * a row have found none (0: the last one found it), for a create since no attempt can take effect any more. The next move
   * comes not before `notBeforeMs`.
   */
  | {
      kind: "looked";
      verb: "create" | "read" | "update";
      empty: number;
      notBeforeMs: number;
      /** The properties that an update has not changed, by their paths. */
      unshown?: readonly string[];
    }
  /** The provider is still working. Poll not before `notBeforeMs`. */
  | {
      kind: "pending";
      verb: Verb;
      id?: string;
      handle: Json;
      notBeforeMs: number;
      note?: string;
      requestId?: string;
    }
  /** The call failed. Retry not before `notBeforeMs`. */
  | {
      kind: "retry";
      verb: Verb;
      notBeforeMs: number;
      code: string;
      message: string;
      /** The object, or one that uses it, is being changed: there is nothing to do but wait. */
      busy?: true;
      /** The call may have taken effect. */
      unknown?: true;
      /** What the provider was working on has ended: the call is sent again. */
      ended?: true;
      requestId?: string;
    }
  /** The call succeeded, or none was needed. The resource state was changed in the same commit. */
  | {
      kind: "done";
      verb: Verb | "none";
      id?: string;
      requestId?: string;
      elapsedMs: number;
      /** What could not be read of the object, and why. */
      note?: string;
      /** The properties that the update has not changed, by their paths. */
      unshown?: readonly string[];
      /** The step needs a further call. */
      more?: true;
      /** The object leaves the state without a delete. `lost`: it may exist. */
      forgotten?: "kept" | "lost";
    }
  | {
      kind: "failed";
      verb: Verb;
      code: string;
      message: string;
      /** What the provider said about its own code. */
      fault?: Fault;
      elapsedMs: number;
      requestId?: string;
    }
  /**
   * Not repeated or polled any further, because the deployment was canceled. `keeps`: what the state says of the object
   * that the call may have changed; absent: it changed none.
   */
  | { kind: "stopped"; verb: Verb; elapsedMs: number; keeps?: KeptAs }
  /** A step that it depends on failed; `last`: a create or update did, so that nothing that left the template is deleted. */
  | { kind: "skipped"; last?: true };

/** Unready: read first. Lost: looked for first. Unsure: updated again. Condemned: replaced, and deleted again. */
export type KeptAs = "unready" | "lost" | "unsure" | "condemned";

/** The options of a resource that hold when it has left the template. */
export type KeptOptions = Pick<StoredResource, "protect" | "retainOnDelete" | "deleteSeconds">;

/** A note about the run as a whole. */
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

/** An entry of a kind that this version of the service does not know. */
export class UnknownEntry extends Error {}

/** The state of one step, folded from the journal. */
export interface StepRecord {
  progress: StepProgress;
  /** When the step started, or its first call after one that asked for more: the time-out counts from then. */
  startedAtMs: number;
  /** The open intent, if the step is in progress. */
  intent?: {
    verb: Verb;
    token: string;
    objectName: string;
    sent?: EncodedValues;
    options?: KeptOptions;
    dependsOn?: readonly string[];
  };
  /** Failed attempts of the open intent. */
  retries: number;
  /** An attempt of the open intent may have taken effect. */
  unknown: boolean;
  /** Its last attempt has no outcome in the journal. */
  unanswered?: true;
  /** When the open intent was sent, from the first attempt to the last that may have had an effect. */
  sent?: SentTimes;
  /** `sent` and `emptyLooks` before the open attempt, which may turn out to have had no effect. */
  beforeAttempt?: { sent: SentTimes; emptyLooks: number };
  /** Look-ups since the last attempt. */
  looks: number;
  /** Those of them that found nothing after the last attempt could no longer take effect. */
  emptyLooks: number;
  /** Since when the object of the open update is usable and shows what it showed before, in epoch milliseconds. */
  unshownSinceMs?: number;
  /** Set while the provider is still working. */
  pending?: { verb: Verb; id?: string; handle: Json };
  /** The id of a lost object, found by repeating its create. */
  foundId?: string;
  /** Number of intents of this step so far; part of the tokens. */
  intents: number;
}

/** The record of a step that starts now. */
export function newRecord(startedAtMs: number): StepRecord {
  return {
    progress: { status: "running" },
    startedAtMs,
    retries: 0,
    unknown: false,
    looks: 0,
    emptyLooks: 0,
    intents: 0,
  };
}

/** Folds a row into the records. Rows without a step change nothing. Throws `UnknownEntry`. */
export function fold(records: Map<string, StepRecord>, row: JournalRow): void {
  if (row.step === null) return;
  const { entry } = row;
  const known = records.get(row.step);
  const record = known ?? newRecord(row.atMs);
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
        ...(entry.options === undefined ? {} : { options: entry.options }),
        ...(entry.dependsOn === undefined ? {} : { dependsOn: entry.dependsOn }),
      };
      record.intents += 1;
      record.retries = 0;
      record.unknown = entry.lostSent !== undefined;
      if (entry.lostSent === undefined) record.unanswered = true;
      record.sent = entry.lostSent ?? { firstMs: row.atMs, lastMs: row.atMs };
      record.looks = 0;
      record.emptyLooks = 0;
      delete record.beforeAttempt;
      delete record.pending;
      delete record.unshownSinceMs;
      record.progress = { status: "running" };
      break;
    case "attempt": {
      // A runner died in the one before.
      if (record.unanswered) record.unknown = true;
      record.unanswered = true;
      const sent = record.sent ?? { firstMs: row.atMs, lastMs: row.atMs };
      record.beforeAttempt = { sent, emptyLooks: record.emptyLooks };
      record.sent = { ...sent, lastMs: row.atMs };
      record.looks = 0;
      record.emptyLooks = 0;
      record.progress = { status: "running" };
      break;
    }
    case "looked":
      record.looks += 1;
      record.emptyLooks = entry.empty;
      // Only an attempt that may have taken effect is looked for; after a restart nothing else may say so.
      if (entry.verb === "create") record.unknown = true;
      if (entry.verb === "update") record.unshownSinceMs ??= row.atMs;
      delete record.unanswered;
      record.progress = { status: "waiting", notBeforeMs: entry.notBeforeMs };
      break;
    case "pending":
      delete record.unanswered;
      delete record.beforeAttempt;
      record.pending = {
        verb: entry.verb,
        handle: entry.handle,
        ...(entry.id === undefined ? {} : { id: entry.id }),
      };
      record.progress = { status: "waiting", notBeforeMs: entry.notBeforeMs };
      break;
    case "retry":
      delete record.unanswered;
      record.retries += 1;
      if (entry.ended === true) delete record.pending;
      if (entry.unknown !== true && record.beforeAttempt !== undefined) {
        record.sent = record.beforeAttempt.sent;
        record.emptyLooks = record.beforeAttempt.emptyLooks;
      }
      delete record.beforeAttempt;
      record.unknown ||= entry.unknown === true;
      record.progress = { status: "waiting", notBeforeMs: entry.notBeforeMs };
      break;
    case "done":
      delete record.unanswered;
      delete record.intent;
      delete record.pending;
      if (entry.more === true && entry.verb === "create" && entry.id !== undefined)
        record.foundId = entry.id;
      record.progress = entry.more === true ? { status: "running" } : { status: "succeeded" };
      // The next call has its own time.
      if (entry.more === true) record.startedAtMs = row.atMs;
      break;
    case "failed":
      record.progress = { status: "failed" };
      break;
    case "stopped":
      delete record.unanswered;
      delete record.intent;
      delete record.pending;
      record.progress = { status: "waiting", notBeforeMs: 0 };
      break;
    case "skipped":
      record.progress = { status: "skipped" };
      break;
    default:
      // What it says about a call is not known: to go on could repeat the call.
      throw new UnknownEntry("An entry of the journal is of an unknown kind");
  }
}

/**
 * Corrects the records after a restart: a call without an outcome in the journal may have taken effect. It is repeated at
 * once, unless the run is canceled.
 */
export function markInterrupted(records: ReadonlyMap<string, StepRecord>): void {
  for (const record of records.values()) {
    if (record.progress.status !== "running") continue;
    if (record.intent !== undefined) record.unknown = true;
    record.progress = { status: "waiting", notBeforeMs: 0 };
  }
}
