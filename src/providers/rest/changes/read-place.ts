import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { isGone } from "#providers/rest/is-gone.ts";
import { readObject } from "#providers/rest/read-object.ts";
import { type Attempt, failure, knownIdOf } from "#providers/rest/requests/attempt.ts";
import { eachListed, idOf, skewOf } from "#providers/rest/requests/list.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { valueAt } from "#providers/rest/value-at.ts";

export type PlaceRead =
  | { kind: "none" }
  /** `skewMs`: how far the cloud's clock is ahead of ours, if its answer says so. */
  | { kind: "object"; id: string; object: JsonMap; skewMs?: number }
  | { kind: "failed"; failed: Failed };

/** What is at the place of a create: the URL that it PUTs to. */
export async function readPlace(attempt: Attempt): Promise<PlaceRead> {
  const { definition, row, name } = attempt;
  if (row.read?.fromList === true) return readPlaceInList(attempt);
  if (definition.dialect !== undefined) return readPlaceByDialect(attempt);
  const path = row.paths?.create ?? row.path;
  const result = await sendRequest({ ...attempt, verb: "read" }, { method: "GET", path });
  if (!result.ok)
    return result.failed.means === "gone"
      ? { kind: "none" }
      : { kind: "failed", failed: result.failed };
  const object = valueAt(result.answer.json, row.envelope?.read);
  if (!isJsonMap(object)) {
    const message = `${definition.types.name} answered a read of ${name} with something that is not an object.`;
    return { kind: "failed", failed: failure("invalid_answer", message, { retryable: true }) };
  }
  if (isGone(row, object)) return { kind: "none" };
  const skewMs = skewOf(result.answer.headers, attempt.context.now());
  const of = skewMs === undefined ? {} : { skewMs };
  return { kind: "object", id: idOf(attempt, object) ?? knownIdOf(attempt) ?? "", object, ...of };
}

/** The object with the id that the create will have, in the list. */
async function readPlaceInList(attempt: Attempt): Promise<PlaceRead> {
  const id = knownIdOf(attempt);
  let there: PlaceRead = { kind: "none" };
  const failed = await eachListed(attempt, {}, ({ id: listed, object = {} }, skewMs) => {
    if (id === undefined || listed !== id || isGone(attempt.row, object)) return false;
    there = { kind: "object", id, object, ...(skewMs === undefined ? {} : { skewMs }) };
    return true;
  });
  return failed === undefined ? there : { kind: "failed", failed };
}

/** The object with the id that the create will have, as the dialect reads it. */
async function readPlaceByDialect(attempt: Attempt): Promise<PlaceRead> {
  const id = knownIdOf(attempt) ?? "";
  const read = await readObject(attempt, id);
  if (read.ok)
    return isGone(attempt.row, read.object)
      ? { kind: "none" }
      : { kind: "object", id, object: read.object };
  if (read.outcome.kind === "failed") return { kind: "failed", failed: read.outcome };
  return { kind: "none" };
}
