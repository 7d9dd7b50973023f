/** What the state of an operation means for the change that started it. */
import type { PollHandle } from "#providers/polling.ts";
import type { Outcome } from "#providers/provider.ts";
import type { OperationState } from "./definition.ts";
import { observe, observeCreated, pending, stillPending } from "./observe.ts";
import { type Attempt, failure, knownIdOf } from "./requests/attempt.ts";
import { passes } from "./requests/failed-answer.ts";

export type ChangeVerb = "create" | "update" | "delete";

/** `id`: the object's, as far as it is known without the operation. */
export async function operationOutcome(
  attempt: Attempt,
  verb: ChangeVerb,
  handle: PollHandle,
  seen: OperationState,
  {
    id: given,
    requestId,
    afterMs,
  }: { id?: string | undefined; requestId?: string; afterMs?: number },
): Promise<Outcome> {
  const of = requestId === undefined ? {} : { requestId };
  const id = seen.id ?? given ?? knownIdOf(attempt);
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
      return failedOperation(verb, seen, known, of);
    case "done":
      if (verb === "delete") return { kind: "gone", ...of };
      return finished(attempt, verb, handle, id);
  }
}

function failedOperation(
  verb: ChangeVerb,
  { code, message, means }: Extract<OperationState, { state: "failed" }>,
  known: { id?: string },
  of: { requestId?: string },
): Outcome {
  if (means === "gone" && verb !== "create") return { kind: "gone", ...of };
  const users = means === "denied" || means === "quota" || means === "invalid";
  // A cloud that remembers the token of a create would repeat the operation's end.
  const again = verb !== "create" && means !== undefined && passes(means);
  return failure(code, message, {
    fault: users ? "user" : "provider",
    ...(means === undefined ? {} : { means }),
    ...(again ? { retryable: true, ended: true } : {}),
    ...of,
    // What exists already is not what this create made.
    ...(verb === "create" && means !== "exists" ? known : {}),
  });
}

async function finished(
  attempt: Attempt,
  verb: "create" | "update",
  polled: PollHandle,
  id: string | undefined,
): Promise<Outcome> {
  if (id === undefined) {
    const message = `${attempt.definition.types.name} finished the ${verb} but returned no id, so the object is unknown.`;
    return failure("invalid_answer", message, { unknownOutcome: true });
  }
  const { operation: _, ...handle } = polled;
  if (verb === "create") return observeCreated(attempt, id, handle);
  return stillPending(attempt, await observe(attempt, id, handle), handle, id);
}
