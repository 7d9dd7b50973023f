/** Reading an object, and what the cloud's answer to a change means for the step. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { pollAfterMs, type PollHandle } from "#providers/polling.ts";
import type { Outcome } from "#providers/provider.ts";
import type { Answer } from "#providers/transport.ts";
import { outputsOf, valueAt } from "./body.ts";
import { idOf } from "./look-up.ts";
import { ask, type Attempt, refusal } from "./request.ts";
import type { RestType, Scalar } from "./rest-type.ts";

/** A new object may be created before every reader of the cloud can see it. */
const UNSEEN_GRACE_MS = 60_000;

function oneOf(values: readonly Scalar[] | undefined, value: Json | undefined): boolean {
  return values !== undefined && values.some((one) => one === value);
}

function isGone(row: RestType, object: JsonMap): boolean {
  return row.gone !== undefined && oneOf(row.gone.values, valueAt(object, row.gone.path));
}

export function notThere(status: number | undefined): boolean {
  return status === 404 || status === 410;
}

export function itemPath(row: RestType): string {
  const [path = "", query] = row.path.split("?");
  return row.itemPath ?? `${path}/{id}${query === undefined ? "" : `?${query}`}`;
}

/** Accepted and not finished: the outcome that has the runner ask again. */
export function pending(
  attempt: Attempt,
  handle: PollHandle,
  more: { id?: string; requestId?: string; afterMs?: number; note?: string },
): Outcome {
  const { afterMs: wishMs, ...known } = more;
  const wait = {
    sinceMs: handle.sinceMs,
    nowMs: attempt.context.now(),
    firstMs: attempt.row.pollMs,
  };
  return { kind: "pending", ...known, afterMs: pollAfterMs(wait, wishMs), handle: { ...handle } };
}

/** What a created or updated object, as shown, means for the step. */
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
    const message = `${definition.types.name} reports ${row.ready.path} ${JSON.stringify(state)} for ${id}: the object exists and will not become usable.`;
    return refusal("resource_failed", message, { id, outputs, ...of });
  }
  if (oneOf(row.ready.values, state)) return { kind: "done", id, outputs, ...of };
  const note = state === undefined ? undefined : `${row.ready.path} is ${JSON.stringify(state)}`;
  return pending(attempt, handle, { id, ...of, ...(note !== undefined && { note }) });
}

type Shown = { ok: true; object: JsonMap; requestId?: string } | { ok: false; outcome: Outcome };

export async function shown(attempt: Attempt, id: string): Promise<Shown> {
  const { definition, row } = attempt;
  const asked = await ask(attempt, { method: "GET", path: row.readPath ?? itemPath(row), id });
  if (!asked.ok)
    return { ok: false, outcome: notThere(asked.status) ? { kind: "gone" } : asked.failed };
  const { json, requestId } = asked.answer;
  const object = valueAt(json, row.envelope?.read);
  if (isJsonMap(object)) return { ok: true, object, ...(requestId !== undefined && { requestId }) };
  const message = `${definition.types.name} answered a read of ${id} with something that is not an object.`;
  return { ok: false, outcome: refusal("invalid_answer", message, { retryable: true }) };
}

/** Reads the object and judges it; `gone` when there is none. */
export async function observe(attempt: Attempt, id: string, handle: PollHandle): Promise<Outcome> {
  const seen = await shown(attempt, id);
  return seen.ok ? outcomeOf(attempt, seen.object, id, handle, seen.requestId) : seen.outcome;
}

/**
 * As `observe`, for an object that was made: it may not be visible yet, and no failure to see it may lose
 * its id.
 */
export async function observeMade(
  attempt: Attempt,
  id: string,
  handle: PollHandle,
): Promise<Outcome> {
  const outcome = stillPending(attempt, await observe(attempt, id, handle), handle, id);
  if (outcome.kind === "failed") return { ...outcome, id };
  if (outcome.kind !== "gone") return outcome;
  if (attempt.context.now() - handle.sinceMs < UNSEEN_GRACE_MS)
    return pending(attempt, handle, { id, note: "not visible yet" });
  const message = `${attempt.definition.types.name} accepted ${id} and does not have it any more: it was deleted by someone else, or failed.`;
  return refusal("vanished", message);
}

/** A look that failed for now changes nothing about what is being waited for: ask again. */
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

/** Turns the answer to a create or update into its outcome, reading the object where the answer does not show it. */
export async function concluded(
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
    const message = `${definition.types.name} accepted the create and named no id, so the new object is not known.`;
    return refusal("invalid_answer", message, { unknownOutcome: true, ...of });
  }
  if (object !== undefined && row.readBack !== true)
    return outcomeOf(attempt, object, id, handle, answer.requestId);
  return verb === "create" ? observeMade(attempt, id, handle) : observe(attempt, id, handle);
}

/** A read shows the object in whatever state it is. */
export function withoutReadiness(row: RestType): RestType {
  const { ready: _, ...rest } = row;
  return rest;
}
