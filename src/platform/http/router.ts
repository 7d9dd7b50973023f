/**
 * From declarations to a Hono router: for each endpoint the checks in their fixed order (body, validation by
 * `@hono/zod-validator` with one problem hook), the use case, and the one way its result becomes an answer.
 */
import { zValidator } from "@hono/zod-validator";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type * as z from "zod";
import type { Actor } from "#platform/access.ts";
import type { Bindings } from "#platform/bindings.ts";
import { Call, type Claim, strangerError } from "#platform/call.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/client.ts";
import { ApiError, type RequestFault } from "#platform/errors.ts";
import { newId } from "#platform/ids.ts";
import { answerProblems } from "./answer-check.ts";
import { DEFAULT_MAX_BODY_BYTES, type JsonBody, readJsonBody } from "./body.ts";
import { type Endpoint, type Input, isMutation } from "./endpoint.ts";
import {
  badIdempotencyKey,
  isIdempotencyKey,
  repetitionOf,
  type StoredAnswer,
} from "./idempotency.ts";

export const API_PREFIX = "/api/v1";

/** What the middleware leaves for the routes. */
export interface RequestState {
  requestId: string;
  now: number;
  db: Db;
  caller: Actor | Claim | undefined;
  principal: string;
  /** Set once the caller is proved. */
  actor: Actor | undefined;
}

export type AppEnv = { Bindings: Bindings; Variables: RequestState };
type AppContext = Context<AppEnv>;

type CheckedEndpoint = Pick<Endpoint, "access" | "secretAnswer">;

export interface Route {
  endpoint: Endpoint;
  mount: (app: Hono<AppEnv>) => void;
}

/** A changed object was changed again between being read and being written: the use case may simply run again. */
const MAX_TRIES = 10;

/** An endpoint, the sentence it stands for, and how its result looks from outside. */
export function route<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  R,
>(
  endpoint: Endpoint<P, Q, B, A>,
  useCase: (call: Call, input: Input<P, Q, B>) => Promise<R>,
  ...view: [A] extends [z.ZodNever] ? [] : [(result: R, call: Call) => z.input<A>]
): Route {
  const show = view[0] as ((result: unknown, call: Call) => unknown) | undefined;
  return plainRoute(endpoint, async (c, input) => {
    for (let tries = 1; ; tries += 1) {
      const call: Call = await callOf(c, endpoint, (result) =>
        answerOf(endpoint, result, show?.(result, call)),
      );
      try {
        const result = await useCase(call, input);
        await call.prove();
        const view = show?.(result, call);
        const { headers, ...answer } = answerOf(endpoint, result, view);
        return respond(c, endpoint, { ...answer, headers: { ...headers, ...nextLink(c, view) } });
      } catch (error) {
        const lostRace = error instanceof ApiError && error.code === "conflict";
        if (!lostRace || tries === MAX_TRIES || c.req.header("if-match") !== undefined) throw error;
      }
    }
  });
}

/** An endpoint whose answer is not a JSON view: it gets the context and returns the response itself. */
export function plainRoute<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
>(
  endpoint: Endpoint<P, Q, B, A>,
  handler: (c: AppContext, input: Input<P, Q, B>) => Promise<Response>,
): Route {
  const checks: MiddlewareHandler<AppEnv>[] = [refuseStrangers(endpoint)];
  if (endpoint.body !== undefined) checks.push(readBody(endpoint));
  if (endpoint.params !== undefined)
    checks.push(zValidator("param", endpoint.params, problemHook(endpoint, "path")));
  if (endpoint.query !== undefined) {
    checks.push(knownQuery(endpoint));
    checks.push(zValidator("query", endpoint.query, problemHook(endpoint, "query")));
  }
  if (endpoint.body !== undefined)
    checks.push(zValidator("json", endpoint.body, problemHook(endpoint, "body")));
  return {
    endpoint: endpoint,
    mount: (app) => {
      const path = endpoint.path.replace(/\{(\w+)\}/g, ":$1");
      app.on(endpoint.method, [path], ...checks, async (c: AppContext) => {
        const valid = (target: "param" | "query" | "json") => c.req.valid(target as never);
        return handler(c, { params: valid("param"), query: valid("query"), body: valid("json") });
      });
    },
  };
}

/** The sub-router of one area. */
export function areaRouter(routes: readonly Route[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const { mount } of routes) mount(app);
  return app;
}

/** The call of this request. Its caller may still have to be proved: the first read does. */
export async function callOf(
  c: AppContext,
  endpoint: CheckedEndpoint,
  answerTo?: (result: unknown) => StoredAnswer,
): Promise<Call> {
  const key =
    answerTo !== undefined && isMutation(c.req.method)
      ? c.req.header("idempotency-key")
      : undefined;
  if (key !== undefined && !isIdempotencyKey(key)) {
    await proveCaller(c, endpoint);
    throw badIdempotencyKey();
  }
  const repetition =
    key === undefined || answerTo === undefined
      ? undefined
      : repetitionOf(
          {
            principal: c.var.principal,
            operation: `${c.req.method} ${c.req.path}`,
            key,
            bodyDigest: await digestHex(`${new URL(c.req.url).search}\n${await bodyText(c)}`),
            now: c.var.now,
          },
          answerTo,
          endpoint.secretAnswer === true ? sealerFrom(c.env.SEALING_KEYS) : undefined,
        );
  const ifMatch = c.req.header("if-match");
  return new Call({
    env: c.env,
    db: c.var.db,
    now: c.var.now,
    newId,
    requestId: c.var.requestId,
    caller: c.var.actor ?? c.var.caller,
    access: endpoint.access,
    ...(repetition === undefined ? {} : { repetition }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    after: (work) => c.executionCtx.waitUntil(work),
    onProved: (actor) => c.set("actor", actor),
  });
}

/** The body as it was sent, if it was read. Hono types its cache by what it resolves to; it holds promises. */
async function bodyText(c: AppContext): Promise<string> {
  return (c.req.bodyCache.text as unknown as Promise<string> | undefined) ?? "";
}

/** The answer to a result, ready to be stored for a repeated request. */
function answerOf(endpoint: Endpoint, result: unknown, view: unknown): StoredAnswer {
  const headers: Record<string, string> = {};
  if (endpoint.location !== undefined)
    headers["location"] =
      API_PREFIX +
      endpoint.location.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String((view as Record<string, unknown>)[name])),
      );
  if (endpoint.etag === true)
    headers["etag"] = `"${String((result as { version: number }).version)}"`;
  return {
    status: endpoint.answer.status,
    headers,
    body: endpoint.answer.schema === undefined ? "" : JSON.stringify(view),
  };
}

/** `Link` (RFC 8288) to the rest of a list: the same request with the next cursor. */
function nextLink(c: AppContext, view: unknown): Record<string, string> {
  const cursor = (view as { nextCursor?: unknown } | undefined)?.nextCursor;
  if (typeof cursor !== "string") return {};
  const next = new URL(c.req.url);
  next.searchParams.set("cursor", cursor);
  return { link: `<${next.pathname}${next.search}>; rel="next"` };
}

function respond(c: AppContext, endpoint: Endpoint, answer: StoredAnswer): Response {
  if (c.env.CHECK_ANSWERS === "on" && endpoint.answer.schema !== undefined)
    assertAnswer(endpoint, answer.body);
  const etag = answer.headers["etag"];
  if (
    !isMutation(c.req.method) &&
    etag !== undefined &&
    matches(c.req.header("if-none-match"), etag)
  )
    return new Response(null, { status: 304, headers: answer.headers });
  return storedResponse(answer);
}

export function storedResponse(answer: StoredAnswer): Response {
  if (answer.body === "")
    return new Response(null, { status: answer.status, headers: answer.headers });
  return new Response(answer.body, {
    status: answer.status,
    headers: { ...answer.headers, "content-type": "application/json" },
  });
}

function matches(header: string | undefined, etag: string): boolean {
  return (
    header
      ?.split(",")
      .some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag) ?? false
  );
}

function assertAnswer(endpoint: Endpoint, body: string): void {
  const problems = answerProblems(endpoint.answer.schema, body);
  if (problems !== undefined)
    throw new Error(`${endpoint.operationId} answered what it does not declare: ${problems}`);
}

function refuseStrangers(endpoint: CheckedEndpoint): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (endpoint.access !== "public" && c.var.caller === undefined) throw strangerError();
    await next();
  };
}

function readBody(
  endpoint: CheckedEndpoint & Pick<Endpoint, "maxBodyBytes" | "bodyOptional">,
): MiddlewareHandler<AppEnv> {
  const maxBytes = endpoint.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  return async (c, next) => {
    let body: JsonBody | undefined;
    try {
      body = await readJsonBody(c.req.raw, maxBytes);
      if (body === undefined && endpoint.bodyOptional !== true)
        throw new ApiError("validation_failed", "A JSON body is required.", {
          faults: [{ in: "body", pointer: "", code: "required", detail: "The body is missing." }],
        });
    } catch (error) {
      await proveCaller(c, endpoint);
      throw error;
    }
    // Hono types the cache by what it resolves to; it holds promises.
    c.req.bodyCache.text = Promise.resolve(body?.text ?? "{}") as unknown as string;
    c.req.bodyCache.json = Promise.resolve(body?.value ?? {});
    await next();
  };
}

function knownQuery(
  endpoint: Pick<Endpoint, "query" | "method" | "path" | "access">,
): MiddlewareHandler<AppEnv> {
  const known = new Set(Object.keys((endpoint.query as unknown as z.ZodObject).shape));
  return async (c, next) => {
    const unknown = [...new URL(c.req.url).searchParams.keys()].find((name) => !known.has(name));
    if (unknown !== undefined) {
      await proveCaller(c, endpoint);
      throw new ApiError("unknown_parameter", "A query parameter is not known here.", {
        faults: [
          {
            in: "query",
            pointer: unknown.slice(0, 100),
            code: "unknown_parameter",
            detail: `Known: ${[...known].join(", ")}.`,
          },
        ],
      });
    }
    await next();
  };
}

/** A stranger is told that before anything else about the request, whatever is wrong with it. */
async function proveCaller(c: AppContext, endpoint: CheckedEndpoint): Promise<void> {
  const call = await callOf(c, endpoint);
  await call.prove();
}

function problemHook(endpoint: CheckedEndpoint, place: RequestFault["in"]) {
  return async (
    result: { success: true } | { success: false; error: z.core.$ZodError },
    c: AppContext,
  ) => {
    if (result.success) return;
    await proveCaller(c, endpoint);
    throw new ApiError("validation_failed", "The request is not valid; `errors` says where.", {
      faults: result.error.issues.slice(0, 100).map((issue) => faultOf(issue, place)),
    });
  };
}

function faultOf(issue: z.core.$ZodIssue, place: RequestFault["in"]): RequestFault {
  const path = issue.path.map((part) => String(part));
  const pointer =
    place === "body"
      ? path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
      : path.join(".");
  return { in: place, pointer, code: issue.code, detail: issue.message };
}
