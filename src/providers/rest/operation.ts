/** What the state of an operation means for the change that started it. */
import type { PollHandle } from "#providers/polling.ts";
import type { Outcome } from "#providers/provider.ts";
import { goneIfUnread } from "./changes/change.ts";
import type { Failed, OperationState } from "./definition.ts";
import { lookAtDeleted, notFoundToDelete } from "./look-at-deleted.ts";
import { observe, observeCreated, pending, stillPending } from "./observe.ts";
import { type Attempt, failure, knownIdOf } from "./requests/attempt.ts";
import { passes } from "./requests/failed-answer.ts";

export type ChangeVerb = "create" | "update" | "delete";

/** `id`: the object's, as far as it is known without the operation. `mark`: what the object of a create has to show. */
export async function operationOutcome(
  attempt: Attempt,
  verb: ChangeVerb,
  handle: PollHandle,
  seen: OperationState,
  {
    id: given,
    mark,
    requestId,
    afterMs,
  }: { id?: string | undefined; mark?: string | undefined; requestId?: string; afterMs?: number },
): Promise<Outcome> {
  const of = requestId === undefined ? {} : { requestId };
  const id = verb === "create" ? (seen.id ?? given ?? knownIdOf(attempt)) : (given ?? seen.id);
  const known = id === undefined ? {} : { id };
  switch (seen.state) {
    case "running": {
      const requestedMs = seen.afterMs ?? afterMs;
      return pending(attempt, handle, {
        ...known,
        ...of,
        ...(requestedMs !== undefined && { afterMs: requestedMs }),
      });
    }
    case "failed":
      if (seen.means === "gone" && verb === "delete" && id !== undefined)
        return notFoundToDelete(attempt, id, handle);
      if (seen.means === "gone" && verb === "update" && id !== undefined)
        return goneIfUnread(attempt, id, failedOperation(verb, seen, known, of));
      return failedOperation(verb, seen, known, of, hasMade(attempt, seen, given));
    case "done":
      if (verb !== "create" && seen.id !== undefined && seen.id !== id)
        return anothers(attempt, verb, { seen: seen.id, id, ...of });
      if (verb === "delete") return deleted(attempt, handle, id);
      return finished(attempt, verb, handle, id, mark);
  }
}

/** The operation of a change names another object than the one to change: what it did is not known. */
function anothers(
  { definition }: Attempt,
  verb: ChangeVerb,
  { seen, id, ...of }: { seen: string; id: string | undefined; requestId?: string },
): Outcome {
  const message = `${definition.types.name} finished the ${verb} of ${id}, but its operation names another object (${seen}).`;
  return failure("invalid_answer", message, { unknownOutcome: true, ...of });
}

/** Whether a failed operation names an object besides the one that the row knows before the call. */
function hasMade(attempt: Attempt, { id }: { id?: string }, given: string | undefined): boolean {
  const known = knownIdOf(attempt);
  return [id, given].some((one) => one !== undefined && one !== known);
}

/** `made`: a create may have left an object, so it is not sent again. */
function failedOperation(
  verb: ChangeVerb,
  { code, message, means, spreads }: Extract<OperationState, { state: "failed" }>,
  known: { id?: string },
  of: { requestId?: string },
  made = false,
): Failed {
  const users = means === "denied" || means === "quota" || means === "invalid";
  const sendable = verb !== "create" || !made;
  const again = sendable && means !== undefined && passes(means);
  return failure(code, message, {
    fault: users ? "user" : "provider",
    ...(means === undefined ? {} : { means }),
    ...(again ? { retryable: true } : {}),
    ...(sendable && spreads !== undefined ? { spreads } : {}),
    ...(again || (sendable && spreads !== undefined) ? { ended: true } : {}),
    ...of,
    // What exists already is not what this create made.
    ...(verb === "create" && means !== "exists" ? known : {}),
  });
}

async function deleted(
  attempt: Attempt,
  polled: PollHandle,
  id: string | undefined,
): Promise<Outcome> {
  if (id === undefined) return { kind: "gone" };
  const { operation: _, ...handle } = polled;
  return lookAtDeleted(attempt, id, { ...handle, deletion: { signs: 1 } });
}

async function finished(
  attempt: Attempt,
  verb: "create" | "update",
  polled: PollHandle,
  id: string | undefined,
  mark: string | undefined,
): Promise<Outcome> {
  if (id === undefined) {
    const message = `${attempt.definition.types.name} finished the ${verb} but returned no id, so the object is unknown.`;
    return failure("invalid_answer", message, { unknownOutcome: true });
  }
  const { operation, ...rest } = polled;
  const handle = operation === undefined ? rest : { ...rest, endedMs: attempt.context.now() };
  if (verb === "create") return observeCreated(attempt, id, handle, mark);
  return stillPending(attempt, await observe(attempt, id, handle), handle, id);
}
