/** Properties that a create does not take, and what a delete is refused for: calls of their own come after or before. */
import { jsonAt, omitted } from "#platform/at-path.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { DeleteCall, Outcome } from "#providers/provider.ts";
import { observe, stillPending } from "#providers/rest/observe.ts";
import { readObject } from "#providers/rest/read-object.ts";
import { type Attempt, failure } from "#providers/rest/requests/attempt.ts";
import { isMarkedLater, latePaths } from "./body.ts";
import { sendParts } from "./change.ts";
import { markOf, withMarks } from "./mark.ts";
import { shownAt } from "./shown.ts";

/**
 * The outcome of a create, with the calls made that come after it. Each compares with the object first, so that a
 * repetition makes those that are missing. The object stays whatever becomes of them: an update can make them, too.
 * `token`: the create's, for a mark that one of them sets.
 */
export async function withLateParts(
  attempt: Attempt,
  created: Outcome,
  token: string | undefined,
): Promise<Outcome> {
  const { row, context, properties } = attempt;
  const late = latePaths(row);
  const mark = token === undefined || !isMarkedLater(row) ? undefined : markOf(row, token);
  const after = mark === undefined ? properties : withMarks(row, properties, [mark]);
  if (created.kind !== "done" || late.every((path) => jsonAt(after, path) === undefined))
    return created;
  const { id } = created;
  const parts = (row.parts ?? []).filter(({ afterCreate }) => afterCreate === true);
  const change = { before: omitted(properties, late), after, unsure: false };
  const updating: Attempt = { ...attempt, verb: "update", row: { ...row, parts } };
  const waits = await sendParts(updating, id, change, undefined);
  const handle = { sinceMs: context.now() };
  const outcome = stillPending(attempt, waits ?? (await observe(attempt, id, handle)), handle, id);
  return outcome.kind === "failed" ? { ...outcome, id, mendable: true } : outcome;
}

/**
 * Deletes by `remove`, after the calls that take away what the object shows, whoever put it there. The outcome of these
 * if they failed or are not over.
 */
export async function withEarlyParts(
  attempt: Attempt,
  { id }: DeleteCall,
  remove: () => Promise<Outcome>,
): Promise<Outcome> {
  const { row, definition } = attempt;
  const parts = (row.parts ?? []).filter(({ beforeDelete }) => beforeDelete === true);
  if (parts.length === 0) return remove();
  const read = await readObject(attempt, id);
  if (!read.ok) return read.outcome.kind === "gone" ? remove() : read.outcome;
  const shown = parts.flatMap(({ properties: [path = ""] }): [string, Json][] => {
    const value = shownAt(row, read.object, path) ?? "";
    return value === "" ? [] : [[path, value]];
  });
  if (shown.length === 0) return remove();
  const before: JsonMap = Object.fromEntries(shown);
  const change = { before, after: {}, unsure: false };
  const waits = await sendParts({ ...attempt, row: { ...row, parts } }, id, change, undefined);
  if (waits === undefined || waits.kind === "gone") return remove();
  if (waits.kind !== "pending") return waits;
  const message = `${definition.types.name} is still taking away what ${id} is in use for.`;
  return failure("not_deleted", message, { means: "busy", retryable: true });
}
