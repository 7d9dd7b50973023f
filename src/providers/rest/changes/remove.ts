import type { DeleteCall, Outcome } from "#providers/provider.ts";
import { pending } from "#providers/rest/observe.ts";
import { goneOr, itemPath } from "#providers/rest/read-object.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { resetSingleton } from "./singleton.ts";

/** Deletes the object. One that cannot be deleted on its own, or always exists, counts as gone. */
export async function remove(attempt: Attempt, call: DeleteCall): Promise<Outcome> {
  const { definition, row, context } = attempt;
  if (row.delete === "none") return { kind: "gone" };
  if (row.singleton !== undefined) return resetSingleton(attempt, call);
  const { method = "DELETE", body } = row.delete ?? {};
  const result = await sendRequest(attempt, {
    method,
    path: row.deletePath ?? itemPath(row),
    id: call.id,
    ...(body !== undefined && { body }),
  });
  if (!result.ok) return goneOr(result.failed);
  const { answer } = result;
  const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
  const operation = definition.poller?.started(answer, "delete");
  if (operation === undefined && row.asyncDelete !== true && answer.status !== 202)
    return { kind: "gone", ...of };
  const handle = { sinceMs: context.now(), ...(operation !== undefined && { operation }) };
  return pending(attempt, handle, { id: call.id, ...of });
}
