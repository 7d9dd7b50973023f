/** Properties that a create does not take: calls of their own set them once the new object is usable. */
import { jsonAt, omitted } from "#platform/at-path.ts";
import type { Outcome } from "#providers/provider.ts";
import { observe, stillPending } from "#providers/rest/observe.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";
import { latePaths } from "./body.ts";
import { sendParts } from "./change.ts";

/**
 * The outcome of a create, with the calls made that come after it. Each compares with the object first, so that a
 * repetition makes those that are missing. The object stays whatever becomes of them: an update can make them, too.
 */
export async function withLateParts(attempt: Attempt, created: Outcome): Promise<Outcome> {
  const { row, context, properties } = attempt;
  const late = latePaths(row);
  if (created.kind !== "done" || late.every((path) => jsonAt(properties, path) === undefined))
    return created;
  const { id } = created;
  const parts = (row.parts ?? []).filter(({ afterCreate }) => afterCreate === true);
  const change = { before: omitted(properties, late), after: properties, unsure: false };
  const updating: Attempt = { ...attempt, verb: "update", row: { ...row, parts } };
  const waits = await sendParts(updating, id, change, undefined);
  const handle = { sinceMs: context.now() };
  const outcome = stillPending(attempt, waits ?? (await observe(attempt, id, handle)), handle, id);
  return outcome.kind === "failed" ? { ...outcome, id, mendable: true } : outcome;
}
