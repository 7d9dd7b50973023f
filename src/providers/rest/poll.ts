import type { Json } from "#platform/json.ts";
import { type PartsDone, type PollHandle, pollHandleFrom } from "#providers/polling.ts";
import type { Outcome, PollCall, UpdateCall } from "#providers/provider.ts";
import { DEFAULT_TIMEOUT_MS } from "#providers/transport.ts";
import { update } from "./changes/change.ts";
import { lookUpCreated } from "./changes/create.ts";
import { withLeftObject } from "./changes/left-object.ts";
import { markOf } from "./changes/mark.ts";
import type { Failed, OperationState } from "./definition.ts";
import { afterCreate } from "./dialect-changes.ts";
import { askDialect, unfitAnswer } from "./dialect.ts";
import { lookAtDeleted } from "./look-at-deleted.ts";
import { observe, pending, stillPending, UNSEEN_GRACE_MS, withoutFurtherReads } from "./observe.ts";
import { operationOutcome } from "./operation.ts";
import { type Attempt, failure } from "./requests/attempt.ts";
import { passes } from "./requests/failed-answer.ts";
import { sendRequest } from "./requests/request.ts";

type StateAnswer =
  | { ok: true; seen: OperationState; requestId?: string; afterMs?: number }
  | { ok: false; failed: Failed };

export async function poll(attempt: Attempt, call: PollCall): Promise<Outcome> {
  const { operation, ...handle } = pollHandleFrom(call.handle, attempt.context.now());
  const { verb, id } = call;
  const mark = verb === "create" ? markToShow(attempt, call) : undefined;
  if (operation === undefined || !hasOperations(attempt)) {
    if (verb === "delete" && id !== undefined) return lookAtDeleted(attempt, id, handle);
    return (
      goOn(attempt, call, handle) ??
      operationOutcome(attempt, verb, handle, { state: "done" }, { id, mark })
    );
  }
  const asked = await askState(attempt, operation, id);
  if (!asked.ok) {
    // A cloud may forget an operation before it is polled; the object then shows the result.
    if (asked.failed.means === "gone" && id !== undefined)
      return poll(attempt, { ...call, handle: { ...handle, endedMs: attempt.context.now() } });
    return unreadOperation(attempt, call, { ...handle, operation }, asked.failed);
  }
  const { seen, requestId, afterMs } = asked;
  const further = seen.state === "done" ? goOn(attempt, call, handle) : undefined;
  if (further !== undefined) return further;
  if (verb === "create" && seen.state === "done" && attempt.row.create?.unnamed === true)
    return foundAtEnd(attempt, call, { ...handle, operation });
  if (verb === "create" && seen.state === "failed" && handle.partsDone !== undefined)
    return failedLater(attempt, handle, id, seen);
  const outcome = await operationOutcome(attempt, verb, { ...handle, operation }, seen, {
    id,
    mark,
    ...(requestId !== undefined && { requestId }),
    ...(afterMs !== undefined && { afterMs }),
  });
  const { token } = call;
  if (verb !== "create" || token === undefined) return outcome;
  const place = seen.state === "done" ? undefined : seen.place;
  const made = await afterCreate(attempt, { ...call, token }, outcome, place);
  return withLeftObject(attempt, { token }, made, { ...handle, operation });
}

/** The object of a create whose operation has ended without naming it. Lists may lag behind. */
async function foundAtEnd(attempt: Attempt, call: PollCall, handle: PollHandle): Promise<Outcome> {
  const { definition, context } = attempt;
  const { token = "" } = call;
  // The answer that started it came after the cloud's time of the object.
  const sentMs = handle.sinceMs - DEFAULT_TIMEOUT_MS;
  const found = await lookUpCreated(attempt, { ...call, token, known: [], sentMs });
  const since = { ...handle, endedMs: handle.endedMs ?? context.now() };
  if (found.kind !== "gone") return stillPending(attempt, found, since);
  if (context.now() - since.endedMs < UNSEEN_GRACE_MS)
    return pending(attempt, since, { note: "not visible yet" });
  const message = `${definition.types.name} finished the create, but its object is not listed: it failed or was deleted by someone else.`;
  return failure("vanished", message, { unknownOutcome: true });
}

/** A call after a create failed: the object is there, and the call is made again, or by an update. */
function failedLater(
  attempt: Attempt,
  polled: PollHandle,
  id: string | undefined,
  { code, message, means }: Extract<OperationState, { state: "failed" }>,
): Outcome {
  const { partsDone: _, ...handle } = polled;
  const known = { ...(id !== undefined && { id }), ...(means !== undefined && { means }) };
  const retryable = means !== undefined && passes(means);
  const failed = failure(code, message, { ...known, retryable });
  const outcome = stillPending(attempt, failed, handle, id);
  return outcome.kind === "failed" ? { ...outcome, mendable: true } : outcome;
}

/** REST clouds answer a create with the object that it made. */
function markToShow({ definition, row }: Attempt, { token }: PollCall): string | undefined {
  return definition.dialect === undefined || token === undefined ? undefined : markOf(row, token);
}

function hasOperations({ definition }: Attempt): boolean {
  return definition.poller !== undefined || definition.dialect !== undefined;
}

async function askState(
  attempt: Attempt,
  operation: Json,
  id: string | undefined,
): Promise<StateAnswer> {
  const { definition } = attempt;
  const polling: Attempt = { ...attempt, verb: "poll" };
  if (definition.dialect !== undefined) {
    const more = { operation, ...(id !== undefined && { id }) };
    const asked = await askDialect(polling, "poll", more);
    if (!asked.ok) return asked;
    const { said, ...of } = asked;
    if (said.kind === "operation") return { ...of, seen: said.state };
    if (said.kind === "object") return { ...of, seen: { state: "done", id: said.id } };
    const forgotten = failure("gone", `${definition.types.name} has forgotten the operation.`);
    if (said.kind === "gone") return { ok: false, failed: { ...forgotten, means: "gone" } };
    return { ok: false, failed: unfitAnswer(polling, said.kind) };
  }
  const { poller } = definition;
  if (poller === undefined) throw new Error("A poll of an operation without a poller");
  const path = poller.path(operation);
  const result = await sendRequest(polling, { method: "GET", path, filled: true });
  if (!result.ok) return result;
  const { requestId, afterMs } = result.answer;
  return {
    ok: true,
    seen: poller.read(result.answer, operation),
    ...(requestId !== undefined && { requestId }),
    ...(afterMs !== undefined && { afterMs }),
  };
}

/**
 * The operation cannot be read; without an id, nothing shows what a create has made. One that the cloud has forgotten
 * is not polled again: the create is repeated, or its object is looked for.
 */
function unreadOperation(
  attempt: Attempt,
  { verb, id }: PollCall,
  handle: PollHandle,
  failed: Failed,
): Outcome {
  if (verb === "create" && id === undefined && failed.means === "gone")
    return { ...failed, retryable: true, unknownOutcome: true, ended: true };
  const outcome = stillPending(attempt, failed, handle, id);
  if (verb !== "create" || outcome.kind !== "failed") return outcome;
  if (id === undefined) return { ...outcome, unknownOutcome: true };
  return { ...outcome, id, unread: true };
}

/** Goes on with an update that waited for a call of its parts; `undefined`: the call is no such update. */
function goOn(
  attempt: Attempt,
  { verb, id, update: from, ...call }: PollCall,
  handle: PollHandle,
): Promise<Outcome> | undefined {
  const { partsDone } = handle;
  if (verb !== "update" || partsDone === undefined || from === undefined || id === undefined)
    return undefined;
  return resumeUpdate({ ...attempt, verb: "update" }, { ...call, ...from, id }, handle, partsDone);
}

async function resumeUpdate(
  attempt: Attempt,
  call: Omit<UpdateCall, "token">,
  handle: PollHandle,
  done: PartsDone,
): Promise<Outcome> {
  const row = withoutFurtherReads(attempt.row);
  const outcome = await observe({ ...attempt, row }, call.id, handle);
  return outcome.kind === "done"
    ? update(attempt, call, done)
    : stillPending(attempt, outcome, handle, call.id);
}
