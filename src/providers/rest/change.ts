import type { JsonMap } from "#platform/json.ts";
import type { PollHandle } from "#providers/polling.ts";
import type { DeleteCall, Outcome, UpdateCall } from "#providers/provider.ts";
import { updateBody, withName } from "./body.ts";
import { changeOutcome, itemPath, isNotFound, observe, pending, readObject } from "./observe.ts";
import { type Attempt, failure, sendRequest } from "./request.ts";

export async function update(attempt: Attempt, call: UpdateCall): Promise<Outcome> {
  const { definition, row, context, properties } = attempt;
  const handle: PollHandle = { sinceMs: context.now() };
  if (row.update === "none") {
    const message = `${call.type} cannot be updated at ${definition.types.name}: every change replaces the object.`;
    return failure("not_updatable", message);
  }
  let current: JsonMap = {};
  if (row.mergeCurrent === true) {
    const read = await readObject(attempt, call.id);
    if (!read.ok) return read.outcome;
    current = read.object;
  }
  const before = withName(row, call.before, call.name);
  const body = updateBody(row, before, properties, current);
  if (body === undefined) return observe(attempt, call.id, handle);
  const result = await sendRequest(attempt, {
    method: row.update === "MERGE" || row.update === "JSON_PATCH" ? "PATCH" : row.update,
    path: row.updatePath ?? itemPath(row),
    id: call.id,
    body,
  });
  if (result.ok) return changeOutcome(attempt, "update", result.answer, call.id);
  return isNotFound(result.status) ? { kind: "gone" } : result.failed;
}

export async function remove(attempt: Attempt, call: DeleteCall): Promise<Outcome> {
  const { definition, row, context } = attempt;
  if (row.delete === "none") return { kind: "gone" };
  const path = row.deletePath ?? itemPath(row);
  const result = await sendRequest(attempt, { method: "DELETE", path, id: call.id });
  if (!result.ok) return isNotFound(result.status) ? { kind: "gone" } : result.failed;
  const { answer } = result;
  const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
  const operation = definition.poller?.started(answer, "delete");
  if (operation === undefined && row.asyncDelete !== true && answer.status !== 202)
    return { kind: "gone", ...of };
  const handle = { sinceMs: context.now(), ...(operation !== undefined && { operation }) };
  return pending(attempt, handle, { id: call.id, ...of });
}
