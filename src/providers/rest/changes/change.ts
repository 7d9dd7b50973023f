import { canonicalJson, type JsonMap } from "#platform/json.ts";
import type { PartsDone, PollHandle } from "#providers/polling.ts";
import type { Outcome, UpdateCall } from "#providers/provider.ts";
import type { Failed, RequestSpec } from "#providers/rest/definition.ts";
import { isGone } from "#providers/rest/is-gone.ts";
import { changeOutcome, observe, pending, withoutFurtherReads } from "#providers/rest/observe.ts";
import { itemPath, mayHide, readObject } from "#providers/rest/read-object.ts";
import { type Attempt, failure } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import type { Answer } from "#providers/transport.ts";
import { updateBody, withName, type UpdateFrom } from "./body.ts";
import { markedProperty, markMistake, marksOn } from "./mark.ts";
import { nextPart, othersDiffer, type PartCall, partsDiffer, type PartChange } from "./parts.ts";
import { prepared } from "./prepared.ts";

/** An update makes at most so many calls for parts without a poll between them. */
const MAX_PART_CALLS = 50;

/** Makes the calls of the row's parts that are due after `done`, then sends what is left of the update. */
export async function update(
  attempt: Attempt,
  call: Omit<UpdateCall, "token">,
  done?: PartsDone,
): Promise<Outcome> {
  const { definition, row, context, properties } = attempt;
  const mistake = markMistake(row, properties);
  if (mistake !== undefined) return failure("reserved_value", mistake);
  const change: PartChange = {
    before: withName(row, call.before, call.name),
    after: properties,
    unsure: call.unsure ?? false,
  };
  if (row.update === "none" && (row.parts === undefined || othersDiffer(row, change))) {
    const message = `${call.type} cannot be updated at ${definition.types.name}: this change replaces the object.`;
    return failure("not_updatable", message);
  }
  const waits = await sendParts(attempt, call.id, change, done);
  if (waits !== undefined) return waits;

  const from: UpdateFrom = { ...change };
  const handle: PollHandle = { sinceMs: context.now() };
  const effect = definition.effectOf?.(row);
  if (effect !== undefined) {
    const result = await sendRequest(attempt, { ...effect, id: call.id });
    if (result.ok) return observe(attempt, call.id, handle);
    return mayHide(attempt, result.failed)
      ? goneIfUnread(attempt, call.id, result.failed)
      : result.failed;
  }
  const needsCurrent =
    definition.readsFirst?.("update", row) === true ||
    // A PUT or POST to the path of creates would create a deleted object again.
    ((row.update === "PUT" || row.update === "POST") && row.create?.guard !== undefined);
  if (needsCurrent || touchesMark(attempt, change)) {
    if (updateBody(row, from) === undefined) return observe(attempt, call.id, handle);
    const read = await readObject(attempt, call.id);
    if (!read.ok) return read.outcome;
    from.current = read.object;
    from.marks = marksOn(row, read.object);
  }
  const sent = updateBody(row, from);
  if (sent === undefined) return observe(attempt, call.id, handle);
  const { body, contentType, change: sentChange } = sent;
  const request: RequestSpec = {
    method: row.update === "PUT" || row.update === "POST" ? row.update : "PATCH",
    path: row.paths?.update ?? itemPath(row),
    id: call.id,
    body,
    ...(contentType !== undefined && { headers: { "content-type": contentType } }),
  };
  const of = { change: sentChange, ...(from.current && { current: from.current }) };
  const result = await sendRequest(attempt, prepared(attempt, "update", request, of));
  if (result.ok && isPage(result.answer)) {
    const message = `${definition.types.name} answered the update of ${call.id} with a web page, which may be of something in between.`;
    return failure("invalid_answer", message, { retryable: true, unknownOutcome: true });
  }
  if (result.ok) return changeOutcome(attempt, "update", result.answer, call.id);
  // The repetition of a stale one reads the object again, and so carries what it has by then.
  return mayHide(attempt, result.failed)
    ? goneIfUnread(attempt, call.id, result.failed)
    : result.failed;
}

/** The outcome of a call that found nothing. It may have missed something that the object uses. */
export async function goneIfUnread(attempt: Attempt, id: string, failed: Failed): Promise<Outcome> {
  const read = await readObject(attempt, id);
  if (read.ok) return isGone(attempt.row, read.object) ? { kind: "gone" } : failed;
  const { outcome } = read;
  return outcome.kind === "gone" || (outcome.kind === "failed" && outcome.retryable)
    ? outcome
    : failed;
}

function isPage({ headers }: Answer): boolean {
  return /\bhtml\b/i.test(headers.get("content-type") ?? "");
}

/** Whether the update sends the property that carries the mark, which would then be lost. */
function touchesMark({ row }: Attempt, { before, after, unsure }: PartChange): boolean {
  const property = markedProperty(row)?.split(/[.[]/)[0];
  if (property === undefined) return false;
  if (row.update === "PUT" || row.update === "POST" || unsure) return true;
  const valueIn = (map: JsonMap): string =>
    Object.hasOwn(map, property) ? canonicalJson(map[property] ?? null) : "";
  return valueIn(before) !== valueIn(after);
}

/** Makes the calls of parts. The outcome if the update has to wait for them, or failed; `undefined`: all are done. */
export async function sendParts(
  attempt: Attempt,
  id: string,
  change: PartChange,
  doneBefore: PartsDone | undefined,
): Promise<Outcome | undefined> {
  const { definition, row, context } = attempt;
  if (!partsDiffer(row, change)) return undefined;
  let done = doneBefore;
  let read = await readObject(attempt, id);
  for (let calls = 0; ; calls += 1) {
    if (!read.ok) return read.outcome;
    const part = nextPart(row, { ...change, id }, read.object, done);
    if (part === undefined) return undefined;
    const { method, path, body, removes, addsUnseen } = part;
    const handle: PollHandle = { sinceMs: context.now(), ...(done && { partsDone: done }) };
    if (calls === MAX_PART_CALLS) return pending(attempt, handle, { id });
    const spec = { method, path, id, ...(body === undefined ? {} : { body }) };
    const asked = await askBefore(attempt, part, id);
    if (asked.kind === "failed") return asked;
    if (asked.kind === "done") {
      done = part.done;
      continue;
    }
    const result = await sendRequest({ ...attempt, properties: asked.properties }, spec);
    const isSo = removes ? "gone" : addsUnseen === true && !asked.isMissing ? "exists" : undefined;
    if (!result.ok && (isSo === undefined || result.failed.means !== isSo)) {
      if (!mayHide(attempt, result.failed)) return result.failed;
      return goneIfUnread(attempt, id, result.failed);
    }
    done = part.done;
    handle.partsDone = done;
    if (result.ok) {
      const { answer } = result;
      const operation = definition.poller?.started(answer, "update", row);
      const of = answer.requestId === undefined ? {} : { requestId: answer.requestId };
      if (operation !== undefined) return pending(attempt, { ...handle, operation }, { id, ...of });
      if (row.state?.ready !== undefined && definition.effectOf?.(row) === undefined) {
        const seen = await observe({ ...attempt, row: withoutFurtherReads(row) }, id, handle);
        if (seen.kind !== "done") return seen;
      }
    }
    read = await readObject(attempt, id);
  }
}

type Asked =
  | Failed
  | { kind: "done" }
  /** `isMissing`: the cloud has shown that the item is not there. */
  | { kind: "due"; properties: JsonMap; isMissing: boolean };

/** Asks the cloud before the call for an item, if its definition has a question. */
async function askBefore(attempt: Attempt, call: PartCall, id: string): Promise<Asked> {
  const { due, properties } = call;
  const question = due && attempt.definition.beforeItem?.(due, id);
  if (question === undefined) return { kind: "due", properties, isMissing: false };
  const result = await sendRequest({ ...attempt, properties }, { ...question.request, id });
  const ifGone = !result.ok && result.failed.means === "gone" ? question.gone : undefined;
  if (!result.ok && ifGone === undefined) return result.failed;
  const told = result.ok ? question.told(result.answer.json) : ifGone;
  if (told === "done") return { kind: "done" };
  const named = typeof told === "object" ? told : {};
  return {
    kind: "due",
    properties: { ...properties, ...named },
    isMissing: result.ok && told === "due",
  };
}
