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

/**
 * The state in which a stopped step leaves its object: that of the object, or `pendingDelete` for a replaced one whose
 * delete is repeated.
 */
export type KeptAs = Exclude<StoredResource["state"], "ready"> | "pendingDelete";

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

/** One step, folded from the journal. */
export interface StepRecord {
  progress: StepProgress;
  /** The start of the step, or of its first call after one that asked for more: the time-out counts from then. */
  startedAtMs: number;
  /** Number of intents so far; part of the tokens. */
  intents: number;
  /** The id of a lost object, found by repeating its create. */
  foundId?: string;
  /** Set from the intent of a call to its end. */
  call?: OpenCall;
}

/** A call between its intent and its end. */
export interface OpenCall {
  verb: Verb;
  token: string;
  objectName: string;
  /** The properties of a create. */
  sentInputs?: EncodedValues;
  options?: KeptOptions;
  dependsOn?: readonly string[];
  /** Failed attempts. */
  retries: number;
  /** An attempt may have taken effect. */
  unknown: boolean;
  /** From the first attempt to the last that may have had an effect. */
  sent: SentTimes;
  /** The attempt that has no outcome in the journal. */
  unanswered?: {
    /** `sent` and `emptyLooks` before a repeated attempt, which may turn out to have had no effect. */
    before?: Pick<OpenCall, "sent" | "emptyLooks">;
  };
  /** Look-ups since the last attempt. */
  looks: number;
  /** Those of them that found nothing after the last attempt could no longer take effect. */
  emptyLooks: number;
  /** Since when the object of an update is usable and shows what it showed before, in epoch milliseconds. */
  unshownSinceMs?: number;
  /** Set while the provider is still working. */
  pending?: { id?: string; handle: Json };
}

/** The record of a step that starts now. */
export function newRecord(startedAtMs: number): StepRecord {
  return { progress: { status: "running" }, startedAtMs, intents: 0 };
}

/** Folds a row into the records. Rows without a step change nothing. Throws `UnknownEntry`. */
export function fold(records: Map<string, StepRecord>, row: JournalRow): void {
  if (row.step === null) return;
  const { entry } = row;
  const record = records.get(row.step) ?? newRecord(row.atMs);
  records.set(row.step, record);
  switch (entry.kind) {
    case "note":
      break;
    case "intent":
      record.call = openCall(entry, row.atMs);
      record.intents += 1;
      record.progress = { status: "running" };
      break;
    case "attempt":
      if (record.call !== undefined) foldAttempt(record.call, row.atMs);
      record.progress = { status: "running" };
      break;
    case "looked":
      if (record.call !== undefined) foldLook(record.call, entry, row.atMs);
      record.progress = { status: "waiting", notBeforeMs: entry.notBeforeMs };
      break;
    case "pending": {
      const { id, handle } = entry;
      if (record.call !== undefined) {
        delete record.call.unanswered;
        record.call.pending = { handle, ...(id === undefined ? {} : { id }) };
      }
      record.progress = { status: "waiting", notBeforeMs: entry.notBeforeMs };
      break;
    }
    case "retry":
      if (record.call !== undefined) foldRetry(record.call, entry);
      record.progress = { status: "waiting", notBeforeMs: entry.notBeforeMs };
      break;
    case "done":
      delete record.call;
      if (entry.more === true) {
        if (entry.verb === "create" && entry.id !== undefined) record.foundId = entry.id;
        // The next call has its own time.
        record.startedAtMs = row.atMs;
        record.progress = { status: "running" };
      } else record.progress = { status: "succeeded" };
      break;
    case "failed":
      delete record.call;
      record.progress = { status: "failed" };
      break;
    case "stopped":
      delete record.call;
      record.progress = { status: "waiting", notBeforeMs: 0 };
      break;
    case "skipped":
      record.progress = { status: "skipped" };
      break;
    default:
      // An unknown entry may be about a call: to go on could repeat it.
      throw new UnknownEntry("An entry of the journal is of an unknown kind");
  }
}

function openCall(intent: Extract<Entry, { kind: "intent" }>, atMs: number): OpenCall {
  const { verb, token, objectName, sent, options, dependsOn, lostSent } = intent;
  return {
    verb,
    token,
    objectName,
    ...(sent === undefined ? {} : { sentInputs: sent }),
    ...(options === undefined ? {} : { options }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
    retries: 0,
    looks: 0,
    emptyLooks: 0,
    // An earlier run sent the create of a lost object; this entry sends nothing.
    ...(lostSent === undefined
      ? { unknown: false, unanswered: {}, sent: { firstMs: atMs, lastMs: atMs } }
      : { unknown: true, sent: lostSent }),
  };
}

function foldAttempt(call: OpenCall, atMs: number): void {
  // The runner died in the attempt before.
  if (call.unanswered !== undefined) call.unknown = true;
  const { sent, emptyLooks } = call;
  call.unanswered = { before: { sent, emptyLooks } };
  call.sent = { ...sent, lastMs: atMs };
  call.looks = 0;
  call.emptyLooks = 0;
}

function foldLook(
  call: OpenCall,
  { verb, empty }: Extract<Entry, { kind: "looked" }>,
  atMs: number,
): void {
  call.looks += 1;
  call.emptyLooks = empty;
  // Only an attempt that may have taken effect is looked for; after a restart nothing else may say so.
  if (verb === "create") call.unknown = true;
  if (verb === "update") call.unshownSinceMs ??= atMs;
  delete call.unanswered;
}

function foldRetry(call: OpenCall, { ended, unknown }: Extract<Entry, { kind: "retry" }>): void {
  call.retries += 1;
  if (ended === true) delete call.pending;
  if (unknown === true) call.unknown = true;
  else Object.assign(call, call.unanswered?.before);
  delete call.unanswered;
}

/**
 * Corrects the records after a restart: a call without an outcome in the journal may have taken effect. It is repeated at
 * once, unless the run is canceled.
 */
export function markInterrupted(records: ReadonlyMap<string, StepRecord>): void {
  for (const record of records.values()) {
    if (record.progress.status !== "running") continue;
    if (record.call !== undefined) record.call.unknown = true;
    record.progress = { status: "waiting", notBeforeMs: 0 };
  }
}
