/** Interprets an object as a cloud shows it, and the answer to a change. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { pollAfterMs, type PollHandle } from "#providers/polling.ts";
import type { Outcome } from "#providers/provider.ts";
import type { Answer } from "#providers/transport.ts";
import { outputsOf } from "./changes/body.ts";
import { furtherOutputs } from "./changes/further-reads.ts";
import { marksOn } from "./changes/mark.ts";
import type { Failed } from "./definition.ts";
import { isGone, oneOf } from "./is-gone.ts";
import { isSameId, mayHide, readObject, type ReadResult } from "./read-object.ts";
import { type Attempt, failure, knownIdOf } from "./requests/attempt.ts";
import { refusalInside } from "./requests/failed-answer.ts";
import { idOf, shownId } from "./requests/list.ts";
import { sendRequest } from "./requests/request.ts";
import type { RestType } from "./rest-type.ts";
import { valueAt } from "./value-at.ts";

/** The code for an object that its cloud shows as failed. */
export const RESOURCE_FAILED = "resource_failed";

/** How long a new object may stay invisible: clouds are eventually consistent. */
export const UNSEEN_GRACE_MS = 60_000;
/** How far the cloud's clock may be behind. */
const CLOCK_SKEW_MS = 30_000;

/** The outcome for a change that was accepted but is not finished. */
export function pending(
  attempt: Attempt,
  handle: PollHandle,
  more: { id?: string; requestId?: string; afterMs?: number; note?: string },
): Outcome {
  const { afterMs: requestedMs, ...known } = more;
  const wait = {
    sinceMs: handle.sinceMs,
    nowMs: attempt.context.now(),
    firstMs: attempt.row.timing?.pollMs,
  };
  return {
    kind: "pending",
    ...known,
    afterMs: pollAfterMs(wait, requestedMs),
    handle: { ...handle },
  };
}

/** The outcome of a create or update for the returned object. */
export async function objectOutcome(
  attempt: Attempt,
  object: JsonMap,
  id: string,
  handle: PollHandle,
  requestId: string | undefined,
): Promise<Outcome> {
  const { definition, row, properties } = attempt;
  const of = requestId === undefined ? {} : { requestId };
  const outputs = outputsOf(row, object, id, properties);
  if (isGone(row, object)) return { kind: "gone", ...of };
  const { state } = row;
  if (state?.ready === undefined) return { kind: "done", id, outputs, ...of };
  const read: StateRead =
    state.at === undefined ? { ok: true, shown: object } : await readState(attempt, state.at, id);
  if (!read.ok) return stillPending(attempt, { ...read.failed, id, unread: true }, handle, id);
  const value = valueAt(read.shown, state.path);
  if (
    isOlder(read.shown, state, handle) &&
    attempt.context.now() - handle.sinceMs < UNSEEN_GRACE_MS
  )
    return pending(attempt, handle, {
      id,
      ...of,
      note: `${readable(state.path)} is of before the change`,
    });
  if (oneOf(state.fail, value)) {
    const message = `${definition.types.name} reports ${readable(state.path)} ${JSON.stringify(value)} for ${id}: the object exists but is not usable.`;
    const mendable = state.mendable === true ? { mendable: true as const } : {};
    return failure(RESOURCE_FAILED, message, { id, outputs, ...mendable, ...of });
  }
  const waits = definition.waitsFor?.(read.shown, row);
  if (waits !== undefined) {
    const shown = Object.entries(waits).map(
      ([path, value]) => `${path} is ${JSON.stringify(value)}`,
    );
    return pending(attempt, handle, { id, ...of, note: shown.join(", ") });
  }
  const none = value === undefined || value === null;
  if (none ? state.absent === true : oneOf(state.ready, value))
    return { kind: "done", id, outputs, ...of };
  const note = none ? undefined : `${readable(state.path)} is ${JSON.stringify(value)}`;
  return pending(attempt, handle, { id, ...of, ...(note !== undefined && { note }) });
}

/** A path for people, without the position in a list. */
const readable = (path: string): string => path.replace(/^0\./, "");

/** Whether the shown state is from before the change, allowing for two clocks. */
function isOlder(
  shown: Json | undefined,
  { since }: NonNullable<RestType["state"]>,
  { sinceMs }: PollHandle,
): boolean {
  const time = since === undefined ? undefined : valueAt(shown, since);
  const ms = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return ms < sinceMs - CLOCK_SKEW_MS;
}

type StateRead = { ok: true; shown: Json | undefined } | { ok: false; failed: Failed };

/** Reads the state of an object whose own answer lacks it. Without an object there, it has none yet. */
async function readState(attempt: Attempt, path: string, id: string): Promise<StateRead> {
  const result = await sendRequest({ ...attempt, verb: "read" }, { method: "GET", path, id });
  if (result.ok) return { ok: true, shown: result.answer.json };
  return result.failed.means === "gone"
    ? { ok: true, shown: undefined }
    : { ok: false, failed: result.failed };
}

/**
 * Reads the object and returns its outcome; `gone` when it does not exist. Without a handle nothing is waited for that
 * further reads do not find yet.
 */
export async function observe(attempt: Attempt, id: string, handle?: PollHandle): Promise<Outcome> {
  return outcomeOfRead(attempt, await readObject(attempt, id), id, handle);
}

async function outcomeOfRead(
  attempt: Attempt,
  read: ReadResult,
  id: string,
  handle?: PollHandle,
): Promise<Outcome> {
  if (!read.ok) return read.outcome;
  const since = handle ?? { sinceMs: attempt.context.now() };
  const outcome = await objectOutcome(attempt, read.object, id, since, read.requestId);
  return withFurtherOutputs(attempt, outcome, handle);
}

/** The outcome with the outputs of further reads, if it is done. */
async function withFurtherOutputs(
  attempt: Attempt,
  outcome: Outcome,
  handle: PollHandle | undefined,
): Promise<Outcome> {
  if (outcome.kind !== "done" || attempt.row.read?.further === undefined) return outcome;
  const { id } = outcome;
  const further = await furtherOutputs(attempt, id, outcome.outputs);
  if (!further.ok) return further.failed;
  const { outputs, missing, isUnborn } = further;
  const note = missing.join("; ");
  if (isUnborn && handle !== undefined) {
    const nowMs = attempt.context.now();
    const usableMs = handle.usableMs ?? nowMs;
    if (nowMs - usableMs < UNSEEN_GRACE_MS)
      return pending(attempt, { ...handle, usableMs }, { id, note });
  }
  return { ...outcome, outputs, ...(note !== "" && { note }) };
}

/**
 * A cloud that says a create has succeeded may have found what was there under the name: only the mark shows whose it is.
 * One that shows no mark at all is waited for, and then nobody can tell.
 */
async function observeMarked(
  attempt: Attempt,
  id: string,
  handle: PollHandle,
  mark: string,
): Promise<Outcome> {
  const read = await readObject(attempt, id);
  const marks = read.ok ? marksOn(attempt.row, read.object) : [];
  if (!read.ok || marks.includes(mark)) return outcomeOfRead(attempt, read, id, handle);
  const nowMs = attempt.context.now();
  const unmarkedMs = handle.unmarkedMs ?? nowMs;
  const none = marks.length === 0;
  if (none && nowMs - unmarkedMs < UNSEEN_GRACE_MS)
    return pending(attempt, { ...handle, unmarkedMs }, { id, note: "not marked yet" });
  const { name } = attempt.definition.types;
  const message = `${name} says that it created ${id}, but the object does not have this create's mark, so it was there before. Import it, or choose another name.`;
  return failure("already_exists", message, {
    means: "exists",
    fault: "user",
    unknownOutcome: none,
  });
}

/**
 * Like `observe`, for a created object: it may not be visible yet, and its id is kept on any failure, unless it is
 * another's. `mark`: what the object has to show.
 */
export async function observeCreated(
  attempt: Attempt,
  id: string,
  handle: PollHandle,
  mark?: string,
): Promise<Outcome> {
  const seen =
    mark === undefined
      ? await observe(attempt, id, handle)
      : await observeMarked(attempt, id, handle, mark);
  const outcome = stillPending(attempt, seen, handle, id);
  if (outcome.kind === "failed" && outcome.means === "exists") return outcome;
  const madeMs = handle.endedMs ?? handle.sinceMs;
  const isNew = attempt.context.now() - madeMs < UNSEEN_GRACE_MS;
  const isUnseen = outcome.kind === "gone" || isHidden(attempt, outcome);
  if (isNew && isUnseen) return pending(attempt, handle, { id, note: "not visible yet" });
  if (outcome.kind === "failed")
    return outcome.id === undefined ? { ...outcome, id, unread: true } : outcome;
  if (outcome.kind !== "gone") return outcome;
  const message = `${attempt.definition.types.name} accepted ${id}, but it no longer exists: it failed or was deleted by someone else.`;
  return failure("vanished", message);
}

/** Whether the read was refused in the words for an object that is not there. */
function isHidden(attempt: Attempt, outcome: Outcome): boolean {
  return outcome.kind === "failed" && outcome.id === undefined && mayHide(attempt, outcome);
}

/** A retryable failure to read does not end the wait: it becomes a pending outcome. */
export function stillPending(
  attempt: Attempt,
  outcome: Outcome,
  handle: PollHandle,
  id?: string,
): Outcome {
  if (outcome.kind !== "failed" || !outcome.retryable) return outcome;
  const { message, requestId, afterMs } = outcome;
  return pending(attempt, handle, {
    note: message,
    ...(id !== undefined && { id }),
    ...(requestId !== undefined && { requestId }),
    ...(afterMs !== undefined && { afterMs }),
  });
}

/**
 * The outcome of a create or update; reads the object if the answer does not contain it. Where the answer is an
 * operation, nothing of it but what the provider says so is the object's id. `id`: the object's, if it exists already.
 */
export async function changeOutcome(
  attempt: Attempt,
  verb: "create" | "update",
  answer: Answer,
  id?: string,
): Promise<Outcome> {
  const { definition, row, context } = attempt;
  const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
  const handle: PollHandle = { sinceMs: context.now() };
  const before = id ?? knownIdOf(attempt);
  const operation = definition.poller?.started(answer, verb, row);
  if (operation !== undefined) {
    const known = before ?? definition.poller?.objectId?.(answer);
    const started = { ...of, ...(known !== undefined && { id: known }) };
    return pending(attempt, { ...handle, operation }, started);
  }
  const body = valueAt(answer.json, row.envelope?.[verb]);
  const object = isJsonMap(body) ? body : undefined;
  const known = before ?? (object && idOf(attempt, object));
  if (known === undefined || (verb === "update" && object === undefined)) {
    const told = refusalInside(attempt, answer, definition.refusalIn?.(answer.json, row));
    if (told !== undefined) return told;
  }
  if (known === undefined) {
    const message = `${definition.types.name} accepted the create but returned no id, so the new object is unknown.`;
    return failure("invalid_answer", message, { unknownOutcome: true, ...of });
  }
  if (object !== undefined && row.read?.back !== true && !isOther(attempt, object, before)) {
    const made = await objectOutcome(attempt, object, known, handle, answer.requestId);
    return stillPending(attempt, await withFurtherOutputs(attempt, made, handle), handle, known);
  }
  return verb === "create"
    ? observeCreated(attempt, known, handle)
    : observe(attempt, known, handle);
}

/** Whether an answer shows another object than the known one, whose outputs it must not become. */
function isOther(attempt: Attempt, object: JsonMap, id: string | undefined): boolean {
  const shown = shownId(attempt, object);
  return id !== undefined && shown !== undefined && !isSameId(attempt, shown, id);
}

/** The row for a look at the object alone. */
export function withoutFurtherReads(row: RestType): RestType {
  return { ...row, read: { ...row.read, further: [] } };
}

/** The row for a plain read, which ignores readiness. */
export function withoutReadiness({ state, ...row }: RestType): RestType {
  if (state === undefined) return row;
  const { ready: _, ...rest } = state;
  return { ...row, state: rest };
}
