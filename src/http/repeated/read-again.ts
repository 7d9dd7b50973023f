/**
 * Long answers are not stored for repeated requests (decision 0005): the GET endpoint of the object reads them again.
 */
import { answerOf } from "#http/answer.ts";
import { API_PREFIX } from "#http/api-prefix.ts";
import type { Endpoint } from "#http/endpoint.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Replayed, StoredAnswer } from "#kernel/call/idempotency.ts";
import { ApiError } from "#kernel/errors.ts";
import { isJsonMap, type JsonMap, readJson } from "#platform/json.ts";
import { membersOf, readerFor } from "./answer-readers.ts";

/**
 * The answer to a repeated request whose answer was stored in part: the object as it is now, with the stored part.
 * Throws `not_found` if the object is gone. `call`: the call of the repeated request, which authorizes a caller who may
 * change the object.
 */
export async function readAgain(
  endpoint: Endpoint,
  replayed: Replayed,
  { call, params, sent }: { call: Call; params: Readonly<Record<string, string>>; sent: string },
): Promise<StoredAnswer> {
  const { status, headers, body } = replayed.answer;
  const part = JSON.parse(body) as JsonMap;
  const reader = readerFor(endpoint);
  if (reader === undefined)
    return { status, headers, body: JSON.stringify({ ...answeredOf(endpoint, sent), ...part }) };
  const own = headers["location"]?.slice(API_PREFIX.length);
  const found = own === undefined ? params : paramsIn(reader.endpoint.path, own);
  const query = reader.endpoint.query?.parse({});
  let now: StoredAnswer;
  try {
    const result = await reader.useCase(call, { params: found, query, body: undefined });
    await call.authenticate();
    now = answerOf(reader.endpoint, result, reader.show(result, call));
  } catch (error) {
    throw error instanceof ApiError && error.code === "not_found" ? gone() : error;
  }
  const merged = { ...answeredOf(endpoint, now.body), ...part };
  return { status, headers: { ...headers, ...now.headers }, body: JSON.stringify(merged) };
}

/** The members of a JSON text that the endpoint answers: a reader may show more, and a request may have no body. */
function answeredOf({ answer }: Endpoint, text: string): JsonMap {
  const given = readJson(text);
  const members = membersOf(answer);
  return isJsonMap(given)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => members.has(name)))
    : {};
}

function gone(): ApiError {
  return new ApiError(
    "not_found",
    "The request was carried out when it was made first. Its answer was not kept, and its object is no longer there.",
  );
}

/** The parameters in a path of this form. */
function paramsIn(form: string, path: string): Record<string, string> {
  const values = path.split("/");
  return Object.fromEntries(
    form.split("/").flatMap((part, at) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      return name === undefined ? [] : [[name, decodeURIComponent(values[at] ?? "")]];
    }),
  );
}
