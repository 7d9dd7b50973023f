import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Outcome } from "#providers/provider.ts";
import type { Failed } from "./definition.ts";
import { askDialect, unfitAnswer } from "./dialect.ts";
import { isGone } from "./is-gone.ts";
import { type Attempt, failure } from "./requests/attempt.ts";
import { placeholdersIn } from "./requests/fill-path.ts";
import { eachListed, shownId } from "./requests/list.ts";
import { sendRequest } from "./requests/request.ts";
import type { RestType } from "./rest-type.ts";
import { valueAt } from "./value-at.ts";

export type ReadResult =
  | { ok: true; object: JsonMap; id?: string; requestId?: string }
  | { ok: false; outcome: Outcome };

export function itemPath(row: RestType): string {
  const [path = "", query] = row.path.split("?");
  return row.paths?.item ?? `${path}/{id}${query === undefined ? "" : `?${query}`}`;
}

/**
 * The failure for an object that has another id than the one that it was asked for by. Clouds take several spellings of
 * an id; the same object under two would have two owners.
 */
export function otherId({ definition, context, type }: Attempt, id: string, shown: string): Failed {
  const own = context.ownAccount === true;
  const hint = own ? ` Use ${shown}.` : " Use the id by which the cloud shows the object.";
  const message = `${definition.types.name} shows another id for the ${type} ${id}.${hint}`;
  return failure("other_id", message);
}

/** Reads one object; its outcome is `gone` when it does not exist, and a failure when it has another id. */
export async function readObject(attempt: Attempt, id: string): Promise<ReadResult> {
  const read = await readBy({ ...attempt, verb: "read" }, id);
  return !read.ok || read.id === undefined || isSameId(attempt, read.id, id)
    ? read
    : { ok: false, outcome: otherId(attempt, id, read.id) };
}

/** Whether an id that is shown is the object's. */
export function isSameId({ row }: Attempt, shown: string, id: string): boolean {
  // Besides an id that is known before the call, the object may have another `id` of its own.
  if (shown === id || (row.id?.known !== undefined && row.id.at === undefined)) return true;
  const anyCase = row.compare?.caseInsensitive?.includes(row.id?.at ?? "id") === true;
  return anyCase && shown.toLowerCase() === id.toLowerCase();
}

async function readBy(reading: Attempt, id: string): Promise<ReadResult> {
  const { definition, row } = reading;
  if (definition.dialect !== undefined) return readByDialect(reading, id);
  if (row.read?.fromList === true) return readFromList(reading, id);
  const result = await sendRequest(reading, {
    method: "GET",
    path: row.paths?.read ?? itemPath(row),
    id,
  });
  if (!result.ok) return { ok: false, outcome: await goneIfUnlisted(reading, id, result.failed) };
  const { json, requestId } = result.answer;
  const object = valueAt(json, row.envelope?.read);
  if (isJsonMap(object)) {
    const shown = shownId(reading, object);
    const of = { ...(shown !== undefined && { id: shown }), ...(requestId && { requestId }) };
    return { ok: true, object, ...of };
  }
  const message = `${definition.types.name} answered a read of ${id} with something that is not an object.`;
  return { ok: false, outcome: failure("invalid_answer", message, { retryable: true }) };
}

/**
 * The outcome for an imported object that the list of its type does not have; undefined: it may be imported. A delete
 * would remove an object of another type.
 */
export async function unlisted(attempt: Attempt, id: string): Promise<Outcome | undefined> {
  const { definition, row, type, properties } = attempt;
  if (row.read?.importsListed !== true) return undefined;
  const place = placeholdersIn(row.paths?.list ?? row.path);
  // A call that only reads has no properties.
  if (place.some((name) => properties[name] === undefined)) return undefined;
  let isListed = false;
  const failed = await eachListed(attempt, {}, (one) => {
    isListed ||= one.id === id;
    return isListed;
  });
  if (isListed) return undefined;
  if (failed !== undefined) return goneOr({ ...failed, unknownOutcome: false });
  const where = place.join(" and ");
  const [of, advice] =
    where === ""
      ? ["it is of another type", "Correct the id"]
      : ["it is of another type or in another place", `Correct the id or ${where}`];
  const whose = where === "" ? "" : ` of this ${where}`;
  const message = `${definition.types.name} does not list ${id} as a ${type}${whose}: ${of}. ${advice}.`;
  return failure("not_listed", message);
}

/** Whether a refusal leaves open if the object is gone. */
export function mayHide({ definition }: Attempt, { means, code }: Failed): boolean {
  return means === "gone" || (means === "denied" && definition.hides?.includes(code) === true);
}

/**
 * The outcome of a read by its refusal. Where that hides whether the object is there, the lists of all places where it
 * may be tell: who may see those would see the object in one.
 */
async function goneIfUnlisted(attempt: Attempt, id: string, failed: Failed): Promise<Outcome> {
  if (failed.means === "gone" || !mayHide(attempt, failed)) return goneOr(failed);
  const places = placesOf(attempt);
  for (const place of places) {
    let isListed = false;
    const at: Attempt = { ...attempt, properties: { ...attempt.properties, ...place } };
    const unread = await eachListed(at, {}, (one) => {
      isListed ||= one.id === id && !(one.object !== undefined && isGone(attempt.row, one.object));
      return isListed;
    });
    if (unread?.retryable === true) return unread;
    if (isListed || unread !== undefined) return failed;
  }
  return places.length === 0 ? failed : goneOr({ ...failed, means: "gone" });
}

/**
 * What fills the path of the list where the object may be, by what it is and was. What the target sets by itself does
 * not say it: the target may have been another when the object was made.
 */
function placesOf({ row, properties, earlier = [] }: Attempt): JsonMap[] {
  const listed = placeholdersIn(row.paths?.list ?? row.path);
  const names = listed.filter((name) => row.defaults?.[name] !== undefined);
  const places = [properties, ...earlier].flatMap((one) => {
    const place = names.flatMap((name): [string, Json][] => {
      const value = one[name];
      return typeof value === "string" ? [[name, value]] : [];
    });
    return place.length === names.length ? [Object.fromEntries(place)] : [];
  });
  return [...new Map(places.map((place) => [canonicalJson(place), place])).values()];
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
  if (said.kind === "object") return { ok: true, object: said.object, id: said.id, ...of };
  if (said.kind === "gone") return { ok: false, outcome: { kind: "gone", ...of } };
  return { ok: false, outcome: unfitAnswer(attempt, said.kind) };
}

async function readFromList(attempt: Attempt, id: string): Promise<ReadResult> {
  const found: JsonMap[] = [];
  const failed = await eachListed(attempt, {}, (one) => {
    if (one.id === id) found.push(one.object ?? {});
    return found.length > 0;
  });
  // A list that is not there is one of something that is gone, and the object with it.
  if (failed !== undefined)
    return { ok: false, outcome: goneOr({ ...failed, unknownOutcome: false }) };
  const [object] = found;
  return object === undefined ? { ok: false, outcome: { kind: "gone" } } : { ok: true, object };
}
