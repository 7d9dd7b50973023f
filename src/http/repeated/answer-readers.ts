/**
 * The GET endpoint with the same view as the answer to a change, and the members of the answer that it lacks (decision
 * 0005).
 */
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

/** By the path of the endpoint. Each GET route is added when the app is assembled. */
const readers = new Map<string, Reader>();

export function addReader(reader: Reader): void {
  readers.set(shapeOf(reader.endpoint.path), reader);
}

/** The path without the names of its parameters. */
function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, "{}");
}

type Shown = Pick<Endpoint, "path" | "location" | "shows" | "answer">;

/** The endpoint that reads the answer again; undefined: none. */
export function readerFor({ path, location, shows }: Shown): Reader | undefined {
  if (shows === null) return undefined;
  return readers.get(shapeOf(shows ?? location ?? path));
}

/** A longer member is not kept. */
const MAX_MEMBER_BYTES = 1_024;

/**
 * The members of an answer's body that its reader does not show, such as a secret that is shown once. Without a reader:
 * the members that the request did not send, since a repeated request sends them again. A long list is kept empty.
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

/** The names of the members in this kind of answer. */
export function membersOf({ schema }: Endpoint["answer"]): ReadonlySet<string> {
  return new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);
}
