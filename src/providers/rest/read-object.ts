import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { Outcome } from "#providers/provider.ts";
import type { Failed } from "./definition.ts";
import { askDialect, unfitAnswer } from "./dialect.ts";
import { type Attempt, failure } from "./requests/attempt.ts";
import { eachListed } from "./requests/list.ts";
import { sendRequest } from "./requests/request.ts";
import type { RestType } from "./rest-type.ts";
import { valueAt } from "./value-at.ts";

export type ReadResult =
  | { ok: true; object: JsonMap; requestId?: string }
  | { ok: false; outcome: Outcome };

export function itemPath(row: RestType): string {
  const [path = "", query] = row.path.split("?");
  return row.itemPath ?? `${path}/{id}${query === undefined ? "" : `?${query}`}`;
}

/** Reads one object; its outcome is `gone` when it does not exist. */
export async function readObject(attempt: Attempt, id: string): Promise<ReadResult> {
  const { definition, row } = attempt;
  const reading: Attempt = { ...attempt, verb: "read" };
  if (definition.dialect !== undefined) return readByDialect(reading, id);
  if (row.readFromList === true) return readFromList(reading, id);
  const result = await sendRequest(reading, {
    method: "GET",
    path: row.readPath ?? itemPath(row),
    id,
  });
  if (!result.ok) return { ok: false, outcome: goneOr(result.failed) };
  const { json, requestId } = result.answer;
  const object = valueAt(json, row.envelope?.read);
  if (isJsonMap(object)) return { ok: true, object, ...(requestId !== undefined && { requestId }) };
  const message = `${definition.types.name} answered a read of ${id} with something that is not an object.`;
  return { ok: false, outcome: failure("invalid_answer", message, { retryable: true }) };
}

/** The outcome of a call whose object may be gone. */
export function goneOr(failed: Failed): Outcome {
  if (failed.means !== "gone") return failed;
  const { requestId } = failed;
  return { kind: "gone", ...(requestId !== undefined && { requestId }) };
}

async function readByDialect(attempt: Attempt, id: string): Promise<ReadResult> {
  const asked = await askDialect(attempt, "read", { id });
  if (!asked.ok) return { ok: false, outcome: asked.failed };
  const { said, requestId } = asked;
  const of = requestId === undefined ? {} : { requestId };
  if (said.kind === "object") return { ok: true, object: said.object, ...of };
  if (said.kind === "gone") return { ok: false, outcome: { kind: "gone", ...of } };
  return { ok: false, outcome: unfitAnswer(attempt, said.kind) };
}

async function readFromList(attempt: Attempt, id: string): Promise<ReadResult> {
  const found: JsonMap[] = [];
  const failed = await eachListed(attempt, {}, (one) => {
    if (one.id === id) found.push(one.object ?? {});
    return found.length > 0;
  });
  if (failed !== undefined) return { ok: false, outcome: { ...failed, unknownOutcome: false } };
  const [object] = found;
  return object === undefined ? { ok: false, outcome: { kind: "gone" } } : { ok: true, object };
}
