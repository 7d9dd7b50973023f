/** What is left of a create whose operation failed for a reason that passes. */
import type { PollHandle } from "#providers/polling.ts";
import type { CreateCall, Outcome } from "#providers/provider.ts";
import { stillPending } from "#providers/rest/observe.ts";
import { readObject } from "#providers/rest/read-object.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";
import { markOf, marksOn } from "./mark.ts";

/**
 * The outcome of the create. Without an object it is sent again. An update mends the object that it left; one of a type
 * without updates stays as it is.
 */
export async function withLeftObject(
  attempt: Attempt,
  { token }: Pick<CreateCall, "token">,
  outcome: Outcome,
  handle: PollHandle,
): Promise<Outcome> {
  if (outcome.kind !== "failed" || outcome.ended !== true || outcome.id === undefined)
    return outcome;
  const { row } = attempt;
  const { id, ...nothing } = outcome;
  const read = await readObject(attempt, id);
  if (!read.ok && read.outcome.kind === "gone") return nothing;
  if (!read.ok && read.outcome.kind === "failed" && read.outcome.retryable)
    return stillPending(attempt, read.outcome, handle, id);
  const mark = markOf(row, token);
  // The cloud accepted the create of what has no marks, so nothing had its name.
  const isOurs = read.ok && (mark === undefined || marksOn(row, read.object).includes(mark));
  if (isOurs && row.update !== "none") return { ...outcome, mendable: true };
  const { ended: _, spreads: __, ...final } = outcome;
  return { ...final, retryable: false };
}
