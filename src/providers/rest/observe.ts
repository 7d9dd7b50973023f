/** Reads objects and interprets the cloud's answer to a change. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { pollAfterMs, type PollHandle } from "#providers/polling.ts";
import type { Outcome } from "#providers/provider.ts";
import type { Answer } from "#providers/transport.ts";
import { outputsOf, valueAt } from "./body.ts";
import { furtherOutputs } from "./further-reads.ts";
import { idOf } from "./look-up.ts";
import { type Attempt, failure, sendRequest } from "./request.ts";
import type { RestType, Scalar } from "./rest-type.ts";

/** How long a new object may stay invisible: clouds are eventually consistent. */
const UNSEEN_GRACE_MS = 60_000;

function oneOf(values: readonly Scalar[] | undefined, value: Json | undefined): boolean {
  return values !== undefined && values.some((one) => one === value);
}

export function isGone(row: RestType, object: JsonMap): boolean {
  return row.gone !== undefined && oneOf(row.gone.values, valueAt(object, row.gone.path));
}

export function isNotFound(status: number | undefined): boolean {
  return status === 404 || status === 410;
}

export function itemPath(row: RestType): string {
  const [path = "", query] = row.path.split("?");
  return row.itemPath ?? `${path}/{id}${query === undefined ? "" : `?${query}`}`;
}

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
    firstMs: attempt.row.pollMs,
  };
  return {
    kind: "pending",
    ...known,
    afterMs: pollAfterMs(wait, requestedMs),
    handle: { ...handle },
  };
}

/** The outcome of a create or update for the returned object. */
function outcomeOf(
  attempt: Attempt,
  object: JsonMap,
  id: string,
  handle: PollHandle,
  requestId: string | undefined,
): Outcome {
  const { definition, row, properties } = attempt;
  const of = requestId === undefined ? {} : { requestId };
  const outputs = outputsOf(row, object, id, properties);
  if (isGone(row, object)) return { kind: "gone", ...of };
  if (row.ready === undefined) return { kind: "done", id, outputs, ...of };
  const state = valueAt(object, row.ready.path);
  if (oneOf(row.ready.fail, state)) {
    const message = `${definition.types.name} reports ${row.ready.path} ${JSON.stringify(state)} for ${id}: the object exists but is not usable.`;
    return failure("resource_failed", message, { id, outputs, ...of });
  }
  if (oneOf(row.ready.values, state)) return { kind: "done", id, outputs, ...of };
  const note = state === undefined ? undefined : `${row.ready.path} is ${JSON.stringify(state)}`;
  return pending(attempt, handle, { id, ...of, ...(note !== undefined && { note }) });
}

type ReadResult =
  | { ok: true; object: JsonMap; requestId?: string }
  | { ok: false; outcome: Outcome };

export async function readObject(attempt: Attempt, id: string): Promise<ReadResult> {
  const { definition, row } = attempt;
  const result = await sendRequest(attempt, {
    method: "GET",
    path: row.readPath ?? itemPath(row),
    id,
  });
  if (!result.ok)
    return { ok: false, outcome: isNotFound(result.status) ? { kind: "gone" } : result.failed };
  const { json, requestId } = result.answer;
  const object = valueAt(json, row.envelope?.read);
  if (isJsonMap(object)) return { ok: true, object, ...(requestId !== undefined && { requestId }) };
  const message = `${definition.types.name} answered a read of ${id} with something that is not an object.`;
  return { ok: false, outcome: failure("invalid_answer", message, { retryable: true }) };
}

/**
 * Reads the object and returns its outcome; `gone` when it does not exist. Without a handle nothing is waited for that
 * further reads do not find yet.
 */
export async function observe(attempt: Attempt, id: string, handle?: PollHandle): Promise<Outcome> {
  const read = await readObject(attempt, id);
  if (!read.ok) return read.outcome;
  const since = handle ?? { sinceMs: attempt.context.now() };
  const outcome = outcomeOf(attempt, read.object, id, since, read.requestId);
  return withFurtherOutputs(attempt, outcome, handle);
}

/** The outcome with the outputs of further reads, if it is done. */
async function withFurtherOutputs(
  attempt: Attempt,
  outcome: Outcome,
  handle: PollHandle | undefined,
): Promise<Outcome> {
  if (outcome.kind !== "done" || attempt.row.reads === undefined) return outcome;
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

/** Like `observe`, for a created object: it may not be visible yet, and its id is kept on any failure. */
export async function observeCreated(
  attempt: Attempt,
  id: string,
  handle: PollHandle,
): Promise<Outcome> {
  const outcome = stillPending(attempt, await observe(attempt, id, handle), handle, id);
  if (outcome.kind === "failed")
    return outcome.id === undefined ? { ...outcome, id, unread: true } : outcome;
  if (outcome.kind !== "gone") return outcome;
  if (attempt.context.now() - handle.sinceMs < UNSEEN_GRACE_MS)
    return pending(attempt, handle, { id, note: "not visible yet" });
  const message = `${attempt.definition.types.name} accepted ${id}, but it no longer exists: it failed or was deleted by someone else.`;
  return failure("vanished", message);
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

/** The outcome of a create or update; reads the object if the answer does not contain it. */
export async function changeOutcome(
  attempt: Attempt,
  verb: "create" | "update",
  answer: Answer,
  knownId?: string,
): Promise<Outcome> {
  const { definition, row, context } = attempt;
  const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
  const body = valueAt(answer.json, row.envelope?.[verb]);
  const object = isJsonMap(body) ? body : undefined;
  const id = knownId ?? (object && idOf(attempt, object));
  const handle: PollHandle = { sinceMs: context.now() };
  const operation = definition.poller?.started(answer, verb);
  if (operation !== undefined)
    return pending(attempt, { ...handle, operation }, { ...of, ...(id !== undefined && { id }) });
  if (id === undefined) {
    const message = `${definition.types.name} accepted the create but returned no id, so the new object is unknown.`;
    return failure("invalid_answer", message, { unknownOutcome: true, ...of });
  }
  if (object !== undefined && row.readBack !== true) {
    const made = outcomeOf(attempt, object, id, handle, answer.requestId);
    return stillPending(attempt, await withFurtherOutputs(attempt, made, handle), handle, id);
  }
  return verb === "create" ? observeCreated(attempt, id, handle) : observe(attempt, id, handle);
}

/** The row for a plain read, which ignores readiness. */
export function withoutReadiness(row: RestType): RestType {
  const { ready: _, ...rest } = row;
  return rest;
}
