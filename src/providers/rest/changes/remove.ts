import type { JsonMap } from "#platform/json.ts";
import type { DeleteCall, Outcome } from "#providers/provider.ts";
import type { Failed, RequestSpec } from "#providers/rest/definition.ts";
import { lookAtDeleted, notFoundToDelete } from "#providers/rest/look-at-deleted.ts";
import { pending } from "#providers/rest/observe.ts";
import { itemPath, mayHide, readObject } from "#providers/rest/read-object.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { goneIfUnread } from "./change.ts";
import { filledBody } from "./parts.ts";
import { prepared } from "./prepared.ts";
import { resetSingleton } from "./singleton.ts";

/** Deletes the object, and makes sure that it is gone. One that cannot be deleted on its own, or always exists, counts as gone. */
export async function remove(attempt: Attempt, call: DeleteCall): Promise<Outcome> {
  const { definition, row, context } = attempt;
  if (row.delete === "none") return { kind: "gone" };
  if (row.singleton !== undefined) return resetSingleton(attempt, call);
  const { method = "DELETE", body: written } = row.delete ?? {};
  let shown: { current?: JsonMap } = {};
  if (definition.readsFirst?.("delete", row) === true) {
    const read = await readObject(attempt, call.id);
    if (!read.ok && read.outcome.kind === "gone")
      return notFoundToDelete(attempt, call.id, { sinceMs: context.now() });
    if (!read.ok) return read.outcome;
    shown = { current: read.object };
  }
  const filled = written && filledBody(written, { id: call.id }, attempt.properties);
  const request: RequestSpec = {
    method,
    path: row.paths?.delete ?? itemPath(row),
    id: call.id,
    ...(filled !== undefined && { body: filled }),
  };
  const result = await sendRequest(attempt, prepared(attempt, "delete", request, shown));
  const sent = { sinceMs: context.now() };
  if (!result.ok) {
    const outcome = await goneIfHidden(attempt, call.id, result.failed);
    return outcome.kind === "gone" ? notFoundToDelete(attempt, call.id, sent) : outcome;
  }
  const { answer } = result;
  const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
  const operation = definition.poller?.started(answer, "delete", row);
  if (operation !== undefined)
    return pending(attempt, { ...sent, operation }, { id: call.id, ...of });
  // A page of a gateway is no answer of the cloud.
  const isForeign = answer.text !== undefined && answer.json === undefined;
  if (isForeign) {
    const deletion = { signs: 0, untaken: true };
    return pending(attempt, { ...sent, deletion }, { id: call.id, ...of });
  }
  if (row.delete?.asynchronous === true || answer.status === 202)
    return pending(attempt, sent, { id: call.id, ...of });
  return lookAtDeleted(attempt, call.id, { ...sent, deletion: { signs: 1 } });
}

/** The outcome of a refused delete: a refusal may hide that the object is gone. */
function goneIfHidden(attempt: Attempt, id: string, failed: Failed): Promise<Outcome> | Outcome {
  if (failed.means === "gone") return { kind: "gone" };
  return mayHide(attempt, failed) ? goneIfUnread(attempt, id, failed) : failed;
}
