import type { JsonMap } from "#platform/json.ts";
import type { PollHandle } from "#providers/polling.ts";
import type { Outcome, UpdateCall } from "#providers/provider.ts";
import { type Attempt, failure } from "./attempt.ts";
import { updateBody, withName } from "./body.ts";
import { changeOutcome, observe } from "./observe.ts";
import { goneOr, itemPath, readObject } from "./read-object.ts";
import { sendRequest } from "./request.ts";

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
  return goneOr(result.failed);
}
