import { type PartsDone, type PollHandle, pollHandleFrom } from "#providers/polling.ts";
import type { Outcome, PollCall, UpdateCall } from "#providers/provider.ts";
import { update } from "./change.ts";
import {
  isNotFound,
  observe,
  observeCreated,
  pending,
  stillPending,
  withoutReadiness,
} from "./observe.ts";
import { type Attempt, failure, sendRequest } from "./request.ts";

/** The outcome of an accepted delete: pending while the object still exists, whatever its readiness. */
async function observeDelete(attempt: Attempt, id: string, handle: PollHandle): Promise<Outcome> {
  const row = { ...withoutReadiness(attempt.row), reads: [] };
  const outcome = await observe({ ...attempt, row }, id, handle);
  return outcome.kind === "done" ? pending(attempt, handle, { id, note: "still exists" }) : outcome;
}

/** Goes on with an update that waited for a call of its parts. */
async function resumeUpdate(
  attempt: Attempt,
  call: Omit<UpdateCall, "token">,
  handle: PollHandle,
  done: PartsDone,
): Promise<Outcome> {
  const row = { ...attempt.row, reads: [] };
  const outcome = await observe({ ...attempt, row }, call.id, handle);
  return outcome.kind === "done"
    ? update(attempt, call, done)
    : stillPending(attempt, outcome, handle, call.id);
}

export async function poll(attempt: Attempt, call: PollCall): Promise<Outcome> {
  const { definition, context } = attempt;
  const { sinceMs, operation, ...progress } = pollHandleFrom(call.handle, context.now());
  let id = call.id;
  if (operation !== undefined && definition.poller !== undefined) {
    const path = definition.poller.path(operation);
    const result = await sendRequest(attempt, { method: "GET", path, filled: true });
    // A cloud may forget an operation before it is polled; the object then shows the result.
    const forgotten = !result.ok && isNotFound(result.status) && call.id !== undefined;
    if (!result.ok && !forgotten) {
      const outcome = stillPending(attempt, result.failed, { sinceMs, operation, ...progress }, id);
      if (call.verb !== "create" || outcome.kind !== "failed") return outcome;
      if (id === undefined) return { ...outcome, unknownOutcome: true };
      return { ...outcome, id, unread: true };
    }
    if (result.ok) {
      const { answer } = result;
      const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
      const seen = definition.poller.read(answer);
      id = seen.id ?? id;
      const known = id === undefined ? {} : { id };
      if (seen.state === "running") {
        const requestedMs = seen.afterMs ?? answer.afterMs;
        const handle = { sinceMs, operation, ...progress };
        return pending(attempt, handle, {
          ...known,
          ...of,
          ...(requestedMs !== undefined && { afterMs: requestedMs }),
        });
      }
      if (seen.state === "failed")
        return failure(seen.code, seen.message, {
          fault: "provider",
          ...of,
          ...(call.verb === "create" && known),
        });
      if (call.verb === "delete") return { kind: "gone", ...of };
    }
  }
  if (id === undefined) {
    const message = `${definition.types.name} finished the ${call.verb} but returned no id, so the object is unknown.`;
    return failure("invalid_answer", message, { unknownOutcome: true });
  }
  const handle = { sinceMs, ...progress };
  const { verb } = call;
  if (verb === "create") return observeCreated(attempt, id, handle);
  if (verb === "update" && progress.partsDone !== undefined && call.update !== undefined)
    return resumeUpdate(attempt, { ...call, ...call.update, id }, handle, progress.partsDone);
  const outcome =
    verb === "update"
      ? await observe(attempt, id, handle)
      : await observeDelete(attempt, id, handle);
  return stillPending(attempt, outcome, handle, id);
}
