/**
 * The journal of a run: intents, outcomes and notes. An entry is written before and after every call to a cloud. So a
 * restarted runner knows the calls that were made, the calls that may have been made, and those that were not. The
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
   * object. `sent`: the properties of a create, so that it can be repeated when the template is unreadable. `replaces`:
   * the reason of a replacement, for its first call. `lostSent`: an earlier run sent the create and never received its
   * outcome; this entry sends nothing, only an `attempt` does. `options`: those of a create, for an object that is kept
   * without the template. `dependsOn`: the object's dependencies once the call has an effect.
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
   * A look found no object. For a create: none of its attempts so far has made one. For a read, also within an update:
   * the object that should exist is missing. For an update: the object has its earlier values. `empty`: the number of
   * consecutive looks without an object (0: the last one found it); for a create, since no attempt can take effect any
   * more. The next move comes not before `notBeforeMs`.
   */
  | {
      kind: "looked";
      verb: "create" | "read" | "update";
      empty: number;
      notBeforeMs: number;
      /** The paths of properties that the update has not changed. */
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
      /** The object, or one that uses it, is being changed, so the call has to wait. */
      busy?: true;
      /** The call may have taken effect. */
      unknown?: true;
      /** The call waits until these resources are visible everywhere; empty: an object that the cloud itself creates. */
      visible?: readonly string[];
      /** The provider's operation has ended, so the call is sent again. */
      ended?: true;
      /** The create made nothing, and the cloud would repeat that end for its token: the next attempt is a call of its own. */
      renewed?: true;
      requestId?: string;
    }
  /** The call succeeded, or none was needed. The resource state was changed in the same commit. */
  | {
      kind: "done";
      verb: Verb | "none";
      id?: string;
      requestId?: string;
      elapsedMs: number;
      /** The part of the object that could not be read, and the reason. */
      note?: string;
      /** The paths of properties that the update has not changed. */
      unshown?: readonly string[];
      /** The step needs a further call. */
      more?: true;
      /** The create failed for this reason and left its object, which an update mends. */
      left?: string;
      /** The object leaves the state without a delete. `lost`: it may exist. */
      forgotten?: "kept" | "lost";
    }
  | {
      kind: "failed";
      verb: Verb;
      code: string;
      message: string;
      /** The provider's reason for its own code. */
      fault?: Fault;
      elapsedMs: number;
      requestId?: string;
    }
  /**
   * The step is no longer repeated or polled, because the deployment was canceled. `keeps`: the state of the object
   * that the call may have changed; absent: it changed none.
   */
  | { kind: "stopped"; verb: Verb; elapsedMs: number; keeps?: KeptAs }
  /**
   * A step that this one depends on failed. `last`: a create or update failed, so objects that left the template are
   * not deleted.
   */
  | { kind: "skipped"; last?: true };

/**
 * The state in which a stopped step leaves its object: the object's own, or `pendingDelete` for a replaced object whose
 * delete is repeated.
 */
export type KeptAs = Exclude<StoredResource["state"], "ready"> | "pendingDelete";

/** The options that hold for a resource after it left the template. */
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

/** The entry has a kind that this version of the service does not know. */
export class UnknownEntry extends Error {}

/** One step, folded from the journal. */
export interface StepRecord {
  progress: StepProgress;
  /** The start of the step, or of its first call after one that asked for more. The timeout counts from here. */
  startedAtMs: number;
  /** The number of intents so far, which is part of the tokens. */
  intents: number;
  /** The id of a lost object, found by repeating its create. */
  foundId?: string;
  /** Of a create that made nothing and is sent as a new call. */
  renewed?: Pick<OpenCall, "objectName" | "retries">;
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
  /** The attempt without an outcome in the journal. */
  unanswered?: {
    /** `sent` and `emptyLooks` before a repeated attempt, in case the attempt has no effect. */
    before?: Pick<OpenCall, "sent" | "emptyLooks">;
  };
  /** Look-ups since the last attempt. */
  looks: number;
  /** Look-ups that found nothing after the last attempt could no longer take effect. */
  emptyLooks: number;
  /** The time since which a usable object of an update still shows its earlier values, in epoch milliseconds. */
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
      record.call.retries = record.renewed?.retries ?? 0;
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
      if (entry.renewed === true) renew(record);
      record.progress = { status: "waiting", notBeforeMs: entry.notBeforeMs };
      break;
    case "done":
      delete record.call;
      delete record.renewed;
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
      // An unknown entry may concern a call, which the run could then repeat.
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
    // An earlier run sent the create of a lost object. This entry sends nothing.
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
  // Only an attempt that may have taken effect is looked for. After a restart, no other entry may record it.
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

function renew(record: StepRecord): void {
  if (record.call === undefined) return;
  const { objectName, retries } = record.call;
  record.renewed = { objectName, retries };
  delete record.call;
}

/**
 * Corrects the records after a restart. A call without an outcome in the journal may have taken effect. It is repeated
 * at once, unless the run is canceled.
 */
export function markInterrupted(records: ReadonlyMap<string, StepRecord>): void {
  for (const record of records.values()) {
    if (record.progress.status !== "running") continue;
    if (record.call !== undefined) record.call.unknown = true;
    record.progress = { status: "waiting", notBeforeMs: 0 };
  }
}
