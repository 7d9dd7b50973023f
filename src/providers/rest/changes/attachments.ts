/**
 * What is attached to an object by calls of their own (`attaches`): after it was made, and detached before it is deleted.
 * The calls compare with what the object shows, so a repetition makes only those that are missing.
 */
import type { DeleteCall, Outcome } from "#providers/provider.ts";
import { observe, stillPending } from "#providers/rest/observe.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { sendParts } from "./change.ts";

/** The row with the calls alone that attach and detach; `undefined`: it has none. */
function attaching(row: RestType): RestType | undefined {
  const parts = row.parts?.filter(({ attaches }) => attaches === true) ?? [];
  return parts.length === 0 ? undefined : { ...row, parts };
}

/** Makes an object by `act`, or finds it, and attaches once it is usable what its create could not say. */
export async function attached(attempt: Attempt, act: () => Promise<Outcome>): Promise<Outcome> {
  const made = await act();
  const row = attaching(attempt.row);
  if (made.kind !== "done" || row === undefined) return made;
  const { properties, context } = attempt;
  if (!hasAny(row, properties)) return made;
  const { id } = made;
  const handle = { sinceMs: context.now() };
  const changing: Attempt = { ...attempt, row, verb: "update" };
  const change = { before: {}, after: properties, unsure: false };
  const waits = await sendParts(changing, id, change, undefined);
  const outcome = stillPending(attempt, waits ?? (await observe(attempt, id, handle)), handle, id);
  if (outcome.kind !== "failed") return outcome;
  // The object exists, whatever became of the call.
  return { ...outcome, id, unknownOutcome: false, outputs: made.outputs };
}

/**
 * Deletes an object by `act`, after what its properties attach is detached. A cloud that is still about it refuses the
 * delete, which is then repeated.
 */
export async function withDetached(
  attempt: Attempt,
  { id, properties }: DeleteCall,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const row = attaching(attempt.row);
  if (row === undefined || !hasAny(row, properties)) return act();
  const changing: Attempt = { ...attempt, row, verb: "update" };
  const change = { before: properties, after: {}, unsure: false };
  const waits = await sendParts(changing, id, change, undefined);
  return waits?.kind === "failed" ? waits : act();
}

function hasAny({ parts = [] }: RestType, properties: Readonly<object>): boolean {
  return parts.some((part) => part.properties.some((path) => Object.hasOwn(properties, path)));
}
