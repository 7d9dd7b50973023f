/** Which GET endpoint shows what the answer to a change shows, and what of the answer it does not show (decision 0005). */
import * as z from "zod";
import type { Endpoint } from "#http/endpoint.ts";
import type { Call } from "#kernel/call/call.ts";
import { canonicalJson, isJsonMap, jsonBytes, type JsonMap, readJson } from "#platform/json.ts";

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

/** The members that an answer of this kind has. */
export function membersOf({ schema }: Endpoint["answer"]): ReadonlySet<string> {
  return new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
}
