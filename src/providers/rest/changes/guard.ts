/** Keeps a create by PUT from taking over what is there already. */
import { isJsonMap } from "#platform/json.ts";
import type { CreateCall, Outcome } from "#providers/provider.ts";
import { isGone } from "#providers/rest/is-gone.ts";
import { type Attempt, failure } from "#providers/rest/requests/attempt.ts";
import { idOf } from "#providers/rest/requests/list.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import { adopt } from "./adopt-existing.ts";
import { markOf, marksOn } from "./mark.ts";

/**
 * What is at the place of a create: `undefined` for nothing; else the outcome for it, ours if it has this step's mark.
 * The place is the URL that the create PUTs to.
 */
export async function guarded(attempt: Attempt, call: CreateCall): Promise<Outcome | undefined> {
  const { definition, row } = attempt;
  const path = row.createPath ?? row.path;
  const result = await sendRequest({ ...attempt, verb: "read" }, { method: "GET", path });
  if (!result.ok) return result.failed.means === "gone" ? undefined : result.failed;
  const object = valueAt(result.answer.json, row.envelope?.read);
  const mark = markOf(row, call.token);
  if (!isJsonMap(object)) {
    const message = `${definition.types.name} answered a read of ${call.name} with something that is not an object.`;
    return failure("invalid_answer", message, { retryable: true });
  }
  if (isGone(row, object)) return undefined;
  const id = idOf(attempt, object);
  if (id !== undefined && mark !== undefined && marksOn(row, object).includes(mark))
    return adopt(attempt, id);
  const message = `${definition.types.name} already has ${id ?? call.name}, not created by this step, and a create would take it over. Import it, delete it, or choose another name.`;
  return failure("already_exists", message);
}
