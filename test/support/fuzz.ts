/**
 * Sends valid and mutated requests generated from the declarations and checks every answer: no 5xx, a
 * declared and documented status and shape, and `validation_failed` exactly if the declared schema rejects
 * the request. The schema is the oracle; the exceptions that only a use case can check are in `judged`.
 */
import { dereference, type Schema, validate } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { expect } from "vitest";
import * as z from "zod";
import { API_PREFIX } from "#http/api-prefix.ts";
import { DEFAULT_MAX_BODY_BYTES, isJsonType, isTextType } from "#http/body.ts";
import { type Endpoint, takesIdempotencyKey } from "#http/endpoint.ts";
import { prefersLenient } from "#http/prefer.ts";
import { unknownMembers } from "#http/unknown-members.ts";
import { isIdempotencyKey } from "#kernel/call/idempotency.ts";
import { errorStatus, type RequestFault } from "#kernel/errors.ts";
import { exceedsNesting } from "#platform/json-nesting.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { type Answer, stranger } from "./api.ts";
import { ask, isForeignFailure } from "./declared.ts";
import { countFor, testSeed } from "./depth.ts";
import {
  type Asker,
  askers,
  type Credential,
  credentialOf,
  type Sessions,
  sessionsIn,
} from "./fuzz-askers.ts";
import { requestHeaders } from "./fuzz-headers.ts";
import { mutated, type Mutation, mutations, valuesOf } from "./fuzz-values.ts";
import { MISSING_ID, nothingToDo, pathIn, sampleBody, titleOf, type World } from "./world.ts";

/** Requests per endpoint. */
const CASES = { ordinary: 10, deep: 400 };

/** The number of simultaneous requests. */
const AT_ONCE = 8;

interface Case {
  /** By the index of the path parameter; null: an existing object. */
  ids: (string | null)[];
  query: [name: string, value: string][];
  body: { value: Json; kept: number | null; spoiled: Mutation | null } | undefined;
  headers: Record<string, string>;
  asker: Asker;
}

/** Faults that only the use case can find, because they depend on more than the body, and their pointers. */
const judged: Readonly<Record<string, { at: RegExp; because: string }>> = {
  getTemplateSchema: { at: /^\/types/, because: "the catalogue says which types there are" },
  createCloudTarget: {
    at: /^\/(defaultRegion|config)/,
    because: "it must be one of the allowed regions; the provider says what config it takes",
  },
  updateCloudTarget: {
    at: /^\/(defaultRegion|config)/,
    because:
      "it must be among the allowed ones, old or new; the provider says what config it takes",
  },
  createApiKey: { at: /^\/expiresAt/, because: "it must be in the future" },
  updateApiKey: { at: /^\/expiresAt/, because: "it must be in the future" },
  createInstance: {
    at: /^\/(expiresAt|targetId|variables\/)/,
    because: "it must be in the future; a profile may give the target",
  },
  updateInstance: {
    at: /^\/(expiresAt|variables\/)/,
    because: "it must be in the future, and the template declares the variables",
  },
  updateProfile: { at: /^\/variables\//, because: "templates declare the variables" },
  createInstanceTrigger: { at: /^\/condition/, because: "cron and time zone are a language" },
  updateInstanceTrigger: { at: /^\/condition/, because: "its shape is the trigger's kind's" },
  startSignIn: { at: /^returnTo$/, because: "where it may lead depends on the installation" },
  recoverWebhook: { at: /^\/(since|until)/, because: "at most 14 days back, in order" },
};

const hostileIds = [
  MISSING_ID,
  "platform",
  "__proto__",
  "constructor",
  "latest",
  "0",
  "-1",
  "*",
  "%",
  "\0",
  "a b",
  "ä🚀\u202e",
  "../etc/passwd",
  "' OR 1=1 --",
  "\r\nx-evil: 1",
  "x".repeat(200),
];
const ids = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.constantFrom(...hostileIds) },
  { weight: 1, arbitrary: fc.constant("x".repeat(201)) },
);

const inputSchema = (schema: z.ZodType): JsonMap =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonMap;

function casesOf(endpoint: Endpoint): fc.Arbitrary<Case> {
  const holes = endpoint.path.match(/\{\w+\}/g) ?? [];
  return fc.record({
    ids: fc.tuple(...holes.map(() => ids)),
    query: queries(endpoint.query),
    body:
      endpoint.body === undefined
        ? fc.constant(undefined)
        : fc.record({
            value: valuesOf(inputSchema(endpoint.body)),
            // Often everything: generated values rarely match existing objects.
            kept: fc.option(fc.nat(2 ** 16), { freq: 3 }),
            spoiled: fc.option(mutations, { freq: 2 }),
          }),
    headers: requestHeaders,
    asker: askers,
  });
}

function queries(schema: z.ZodType | undefined): fc.Arbitrary<[string, string][]> {
  const { properties } = schema === undefined ? { properties: {} } : inputSchema(schema);
  const parameters = Object.entries(isJsonMap(properties) ? properties : {}).map(([name, it]) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 3, arbitrary: valuesOf(isJsonMap(it) ? it : {}).map(String) },
        { weight: 1, arbitrary: fc.constantFrom("", "0", "-1", "1.5", "101", "NaN", "\0", "a.b") },
      ),
    ),
  );
  const unknown = fc.constantFrom<[string, string]>(["page", "1"], ["__proto__", "1"], ["", ""]);
  const one = parameters.length === 0 ? unknown : fc.oneof(...parameters, ...parameters, unknown);
  return fc.oneof(fc.constant<[string, string][]>([]), fc.array(one, { maxLength: 3 }));
}

/**
 * Sends generated requests to one endpoint. Throws with the simplest request that was answered wrongly, and its seed.
 * Continues, up to the cases of a deep run, until one was accepted and one refused: a few cases may have none of a
 * kind.
 */
export async function expectAsDeclared(endpoint: Endpoint, world: World): Promise<void> {
  const arbitrary = casesOf(endpoint);
  const sessions = await sessionsIn(world);
  const tally = { accepted: 0, refused: 0 };
  const wrong = async (it: Case): Promise<unknown> => {
    const request = requestOf(endpoint, world, it, sessions);
    try {
      const answer = await judge(endpoint, request);
      if (answer.status < 400) tally.accepted += 1;
      if (answer.status === 400) tally.refused += 1;
      return undefined;
    } catch (error) {
      return new Error(`${describe(endpoint, request)}\n${String(error)}`, { cause: error });
    }
  };
  const failures: unknown[] = [];
  const send = async (left: Case[]): Promise<void> => {
    const worker = async (): Promise<void> => {
      for (let it = left.pop(); it !== undefined; it = left.pop()) {
        const failure = await wrong(it);
        if (failure !== undefined) failures.push(failure);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  // The first cases are always the same, however many follow.
  const firstCases = (numRuns: number) => fc.sample(arbitrary, { numRuns, seed: testSeed });
  let sent = countFor(CASES);
  await send(firstCases(sent));
  const missing = () => unseen(endpoint, tally);
  const goesOn = () => failures.length === 0 && missing().length > 0;
  while (sent < CASES.deep && goesOn()) {
    // Most endpoints need only a few more cases, so they are generated one by one.
    const more = firstCases(Math.min(2 * sent, CASES.deep)).slice(sent);
    while (more.length > 0 && goesOn()) {
      const next = more.splice(0, AT_ONCE);
      sent += next.length;
      await send(next);
    }
  }
  if (failures.length > 0) {
    // Repeats sequentially to shrink the case; a failure that needs concurrency is reported as it was.
    const shrunk = await fc.check(
      fc.asyncProperty(arbitrary, async (it) => {
        const failure = await wrong(it);
        if (failure !== undefined) throw failure as Error;
      }),
      { numRuns: sent, seed: testSeed, interruptAfterTimeLimit: 10_000 },
    );
    const told = shrunk.failed ? shrunk.errorInstance : failures[0];
    throw new Error(`TEST_SEED=${testSeed}: ${failures.length} of ${sent}. ${String(told)}`);
  }
  expect(missing(), `TEST_SEED=${testSeed}: what none of ${sent} requests was`).toEqual([]);
}

/** Why requests to these endpoints never succeed. */
const neverGranted: Readonly<Record<string, string>> = {
  ...nothingToDo,
  startSignIn: "no sign-in provider is configured",
  finishSignIn: "no sign-in provider is configured",
};

/** The verdicts, accepted or refused, that a run has not seen: without both it would prove little. */
function unseen(endpoint: Endpoint, tally: { accepted: number; refused: number }): string[] {
  const { access, params, query, body, operationId } = endpoint;
  if (access !== "public" && access.role === "session") return [];
  const isGranted = !Object.hasOwn(neverGranted, operationId);
  const isRefused = params !== undefined || query !== undefined || body !== undefined;
  return [
    ...(isGranted && tally.accepted === 0 ? ["accepted"] : []),
    ...(isRefused && tally.refused === 0 ? ["refused"] : []),
  ];
}

interface FuzzRequest {
  path: string;
  asker: Credential;
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  text: string | undefined;
  headers: Record<string, string>;
}

function requestOf(endpoint: Endpoint, world: World, it: Case, sessions: Sessions): FuzzRequest {
  const there = pathIn(world, endpoint).split("/");
  const params: Record<string, string> = {};
  let hole = 0;
  const path = endpoint.path
    .split("/")
    .map((part, at) => {
      if (!part.startsWith("{")) return part;
      const id = it.ids[hole] ?? decodeURIComponent(there[at] ?? "");
      hole += 1;
      params[part.slice(1, -1)] = id;
      return encodeURIComponent(id);
    })
    .join("/");
  const search = new URLSearchParams(it.query).toString();
  return {
    path: search === "" ? path : `${path}?${search}`,
    asker: credentialOf(it.asker, { endpoint, world, sessions }),
    params,
    query: Object.fromEntries(
      [...new Set(it.query.map(([name]) => name))].map((name) => {
        const values = it.query.filter(([other]) => other === name).map(([, value]) => value);
        return [name, values.length === 1 ? (values[0] ?? "") : values];
      }),
    ),
    text: bodyOf(endpoint, world, it),
    headers: it.headers,
  };
}

/** Some members of the sample, others generated; then perhaps one mutation. */
function bodyOf(endpoint: Endpoint, world: World, { body }: Case): string | undefined {
  if (body === undefined) return undefined;
  const { value, kept, spoiled } = body;
  const sample = sampleBody(world, endpoint) ?? {};
  const mixed =
    isJsonMap(value) && kept !== null
      ? {
          ...value,
          ...Object.fromEntries(
            Object.entries(sample).filter(
              ([name], at) => !Object.hasOwn(value, name) || bit(kept, at),
            ),
          ),
        }
      : kept === null
        ? sample
        : value;
  const sent = spoiled === null ? mixed : mutated(mixed, spoiled);
  return sent === undefined ? "" : JSON.stringify(sent);
}

const bit = (number: number, at: number): boolean => ((number >> (at % 16)) & 1) === 1;

type Verdict =
  /** The declaration allows the request. */
  { valid: true } | { valid: false; status: number; code: string; place?: RequestFault["in"] };

/** `JSON.stringify` escapes unpaired surrogates, and nothing else beyond ASCII. */
const halfPair = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** The expected verdict; the checks are in the order of the service. */
function verdictOn(endpoint: Endpoint, request: FuzzRequest): Verdict {
  const refused = (status: number, code: string, place?: RequestFault["in"]): Verdict => ({
    valid: false,
    status,
    code,
    ...(place === undefined ? {} : { place }),
  });
  const { params, query, body } = endpoint;
  const code = request.asker.refused;
  if (code !== undefined) return refused(errorStatus(code), code);
  let value: unknown = {};
  if (body !== undefined) {
    const { text = "" } = request;
    const type = request.headers["content-type"];
    const isText = isTextType(type, endpoint.textBody);
    // An empty body counts as no body, whatever its type.
    if (text !== "" && type !== undefined && !isText && !isJsonType(type))
      return refused(415, "unsupported_media_type");
    const bytes = new TextEncoder().encode(text).byteLength;
    if (bytes > (endpoint.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES))
      return refused(413, "payload_too_large");
    if (text === "" && endpoint.bodyOptional !== true)
      return refused(400, "validation_failed", "body");
    if (!isText && (exceedsNesting(text, 32) || halfPair.test(text)))
      return refused(400, "malformed_json");
    if (text !== "")
      value = isText ? { [endpoint.textBody?.member ?? ""]: text } : JSON.parse(text);
    // This fault is found while the body is read, before all other checks.
    if (hasInexactNumber(value)) return refused(400, "validation_failed", "body");
  }
  if (params?.safeParse(request.params).success === false)
    return refused(400, "validation_failed", "path");
  const isStrict = !prefersLenient(request.headers["prefer"]);
  const hasUnknown = (schema: z.ZodType, value: unknown) =>
    isStrict && unknownMembers(schema, value).length > 0;
  if (endpoint.openQuery !== true && hasUnknown(query ?? z.object({}), request.query))
    return refused(400, "unknown_parameter", "query");
  if (query?.safeParse(request.query).success === false)
    return refused(400, "validation_failed", "query");
  if (body !== undefined && hasUnknown(body, value))
    return refused(400, "unknown_parameter", "body");
  if (body?.safeParse(value).success === false) return refused(400, "validation_failed", "body");
  const key = request.headers["idempotency-key"];
  if (key !== undefined && takesIdempotencyKey(endpoint) && !isIdempotencyKey(key))
    return refused(400, "validation_failed", "header");
  return { valid: true };
}

function hasInexactNumber(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInexactNumber);
}

async function judge(endpoint: Endpoint, request: FuzzRequest): Promise<Answer> {
  const { path, asker, text, headers } = request;
  const answer = await ask(endpoint, path, {
    key: asker.key,
    headers: { ...headers, ...asker.headers },
    ...(text === undefined || text === "" ? {} : { body: text }),
  });
  await expectAsDocumented(endpoint, answer);
  const { access, operationId } = endpoint;
  if (access !== "public" && access.role === "session" && asker.refused === undefined)
    return answer;
  const verdict = verdictOn(endpoint, request);
  const foreign = isForeignFailure(endpoint, answer);
  const faults: RequestFault[] =
    !foreign && isJsonMap(answer.body) ? ((answer.body["errors"] ?? []) as never) : [];
  if (!verdict.valid) {
    expect(answer.status, "the declared schema refuses it").toBe(verdict.status);
    if (foreign) return answer;
    expect(answer.body.code, "the declared schema refuses it").toBe(verdict.code);
    for (const fault of faults)
      if (verdict.place !== undefined) expect(fault.in).toBe(verdict.place);
    return answer;
  }
  if (foreign || answer.status < 400) return answer;
  expect([401, 413, 415], "nothing that is declared speaks against it").not.toContain(
    answer.status,
  );
  if (!["validation_failed", "unknown_parameter"].includes(answer.body.code)) {
    expect(answer.body.code, answer.text).not.toBe("malformed_json");
    return answer;
  }
  const rule = Object.hasOwn(judged, operationId) ? judged[operationId] : undefined;
  for (const { pointer } of faults)
    expect(pointer, "the declared schema accepts it").toMatch(rule?.at ?? /^(?!)/);
  return answer;
}

let loaded: Promise<{ document: JsonMap; lookup: Record<string, Schema | boolean> }> | undefined;

/** The served document, and its components by reference. */
function served() {
  loaded ??= (async () => {
    const { text } = await stranger.get("/openapi.json");
    // The library mistakes the `id` of an example for the name of a schema.
    const document = JSON.parse(text, (key, value: Json) =>
      key === "example" ? undefined : value,
    ) as JsonMap;
    return { document, lookup: dereference(document) };
  })();
  return loaded;
}

/** Checks every answered status, media type and body against the document. */
async function expectAsDocumented(endpoint: Endpoint, answer: Answer): Promise<void> {
  const { document, lookup } = await served();
  const operation = at(
    document,
    "paths",
    API_PREFIX + endpoint.path,
    endpoint.method.toLowerCase(),
  );
  const response = resolved(document, at(operation, "responses", String(answer.status)));
  expect(isJsonMap(response), `${answer.status} is in the document`).toBe(true);
  const content = at(response, "content");
  if (!isJsonMap(content)) return expect(answer.text, "no body is documented").toBe("");
  const type = (answer.headers.get("content-type") ?? "").split(";")[0] ?? "";
  expect(Object.keys(content)).toContain(type);
  if (answer.body === undefined) return;
  const schema = at(content, type, "schema") as Schema;
  const result = validate(answer.body, schema, "2020-12", lookup, true);
  expect(result.errors, answer.text.slice(0, 2_000)).toEqual([]);
}

function at(value: Json | undefined, ...keys: string[]): Json | undefined {
  return keys.reduce<Json | undefined>(
    (inner, key) => (isJsonMap(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

function resolved(document: JsonMap, value: Json | undefined): Json | undefined {
  const reference = at(value, "$ref");
  return typeof reference === "string" ? at(document, ...reference.slice(2).split("/")) : value;
}

/** The request in a form that can be sent again. */
function describe(endpoint: Endpoint, { path, asker, text, headers }: FuzzRequest): string {
  const authorization = asker.key === undefined ? "none" : "a good key";
  const sent = { authorization, ...headers, ...asker.headers };
  return `${titleOf(endpoint)}\n  ${endpoint.method} ${path}\n  ${JSON.stringify(sent)}\n  ${(text ?? "").slice(0, 1_000)}`;
}
