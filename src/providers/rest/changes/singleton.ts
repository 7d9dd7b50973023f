/** Objects of which there is exactly one, which always exists: they are set, and set back. */
import type { CreateCall, DeleteCall, Outcome } from "#providers/provider.ts";
import { pending } from "#providers/rest/observe.ts";
import { goneOr, itemPath } from "#providers/rest/read-object.ts";
import { type Attempt, failure, knownIdOf } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { update } from "./change.ts";

/** Sets the object to the properties; the row knows its id. Repeating it changes nothing more. */
export async function createSingleton(attempt: Attempt, call: CreateCall): Promise<Outcome> {
  const { definition } = attempt;
  const id = knownIdOf(attempt);
  if (id === undefined) {
    const message = `The id of this ${call.type} is made of values of which one is not set. Set it in the resource's properties or in the target's config.`;
    return failure("missing_path_value", message);
  }
  const outcome = await update({ ...attempt, verb: "update" }, { ...call, id, before: {} });
  if (outcome.kind !== "gone") return outcome;
  const message = `${definition.types.name} has no ${call.type} ${id} to set: what it belongs to does not exist.`;
  return failure("gone", message, { means: "gone" });
}

/** Sets the object back to what the row says, if it says something; it stays as it is otherwise. */
export async function resetSingleton(attempt: Attempt, call: DeleteCall): Promise<Outcome> {
  const { definition, context, row } = attempt;
  const body = row.singleton?.reset;
  if (body === undefined || row.update === "none" || row.update === "DIALECT")
    return { kind: "gone" };
  const result = await sendRequest(attempt, {
    method: row.update === "MERGE" ? "PATCH" : row.update,
    path: row.paths?.update ?? itemPath(row),
    id: call.id,
    body,
  });
  if (!result.ok) return goneOr(result.failed);
  const operation = definition.poller?.started(result.answer, "update", row);
  if (operation === undefined) return { kind: "gone" };
  return pending(attempt, { sinceMs: context.now(), operation }, { id: call.id });
}
