/**
 * Long answers are not stored for a repeated request (decision 0005): what they show is read again, by the GET endpoint of
 * the same object.
 */
import * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import { Replayed, type StoredAnswer } from "#kernel/call/idempotency.ts";
import { ApiError } from "#kernel/errors.ts";
import { canonicalJson, isJsonMap, jsonBytes, type JsonMap, readJson } from "#platform/json.ts";
import { answerOf } from "./answer.ts";
import { API_PREFIX } from "./api-prefix.ts";
import type { Endpoint } from "./endpoint.ts";

/** A GET endpoint with its use case and its view. */
export interface Reader {
  endpoint: Endpoint;
  useCase: (
    call: Call,
    input: { params: unknown; query: unknown; body: unknown },
  ) => Promise<unknown>;
  show: (result: unknown, call: Call) => unknown;
}

/** By the path of the endpoint. Each route of a GET endpoint is added when the app is put together. */
const readers = new Map<string, Reader>();

export function addReader(reader: Reader): void {
  readers.set(shapeOf(reader.endpoint.path), reader);
}

/** A path whatever its parameters are called. */
function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, "{}");
}

type Shown = Pick<Endpoint, "path" | "location" | "shows" | "answer">;

/** The endpoint that shows what this one's answer shows; undefined: there is none. */
export function readerFor({ path, location, shows }: Shown): Reader | undefined {
  if (shows === null) return undefined;
  return readers.get(shapeOf(shows ?? location ?? path));
}

/** More of one member is not kept. */
const MAX_MEMBER_BYTES = 1_024;

/**
 * Of an answer's body, the members that its reader does not show: a secret that is shown once. Without a reader, those
 * that the request did not send itself, since a repeated request sends them again. A long list is kept empty.
 */
export function partOfAnswer(endpoint: Shown, body: string, sent: string): string {
  const reader = readerFor(endpoint);
  const answered = readJson(body);
  if (!isJsonMap(answered)) return "{}";
  const again = reader === undefined ? echoedIn(answered, sent) : membersOf(reader.endpoint.answer);
  const own = Object.entries(answered).filter(([name]) => !again.has(name));
  return JSON.stringify(
    Object.fromEntries(
      own.map(([name, value]) => [
        name,
        Array.isArray(value) && jsonBytes(value) > MAX_MEMBER_BYTES ? [] : value,
      ]),
    ),
  );
}

function echoedIn(answered: JsonMap, sent: string): ReadonlySet<string> {
  const body = readJson(sent);
  if (!isJsonMap(body)) return new Set();
  return new Set(
    Object.keys(answered).filter(
      (name) =>
        Object.hasOwn(body, name) &&
        canonicalJson(body[name] ?? null) === canonicalJson(answered[name] ?? null),
    ),
  );
}

function membersOf({ schema }: Endpoint["answer"]): ReadonlySet<string> {
  return new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
}

/**
 * The answer to a repeated request of which only a part is stored: the object as it is now, with that part. Throws
 * `not_found` if the object is gone. `call`: of the repeated request, so that who may change the object gets it.
 */
export async function readAgain(
  endpoint: Endpoint,
  replayed: Replayed,
  { call, params, sent }: { call: Call; params: Readonly<Record<string, string>>; sent: string },
): Promise<StoredAnswer> {
  const { status, headers, body } = replayed.answer;
  const part = JSON.parse(body) as JsonMap;
  const reader = readerFor(endpoint);
  if (reader === undefined) {
    const members = membersOf(endpoint.answer);
    const echoed = Object.entries(JSON.parse(sent) as JsonMap).filter(([name]) =>
      members.has(name),
    );
    return {
      status,
      headers,
      body: JSON.stringify({ ...Object.fromEntries(echoed), ...part }),
    };
  }
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
  const merged = { ...(JSON.parse(now.body) as JsonMap), ...part };
  return { status, headers: { ...headers, ...now.headers }, body: JSON.stringify(merged) };
}

function gone(): ApiError {
  return new ApiError(
    "not_found",
    "The request was carried out when it was made first. Its answer was too long to be kept, and its object is no longer there.",
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
