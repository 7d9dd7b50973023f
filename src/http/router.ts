/**
 * From declarations to a Hono router: for each endpoint the checks in their fixed order (body, validation by
 * `@hono/zod-validator` with one problem hook), the use case, and the one way its result becomes an answer.
 */
import { zValidator } from "@hono/zod-validator";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type * as z from "zod";
import { type Actor, needsRole } from "#kernel/access/access.ts";
import type { Claim } from "#kernel/access/claim.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { CallParts } from "#kernel/call/call-parts.ts";
import { Call, strangerError } from "#kernel/call/call.ts";
import {
  badIdempotencyKey,
  isIdempotencyKey,
  Replayed,
  repetitionOf,
  type StoredAnswer,
} from "#kernel/call/idempotency.ts";
import { ApiError, type RequestFault } from "#kernel/errors.ts";
import { takeQuota } from "#kernel/limits/take-quota.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import type { Db } from "#platform/db/client.ts";
import { matchesIfNoneMatch } from "#platform/etag.ts";
import { newId } from "#platform/ids.ts";
import { escapePointer } from "#platform/json.ts";
import { describeError, log } from "#platform/log.ts";
import type { Trace } from "#platform/trace.ts";
import { QUOTA_WINDOW_SECONDS } from "#schema/plans.ts";
import { allowedOrigins } from "./allowed-origins.ts";
import { answerProblems } from "./answer-check.ts";
import { DEFAULT_MAX_BODY_BYTES, type JsonBody, readJsonBody } from "./body.ts";
import { csrfError, csrfProblem } from "./csrf.ts";
import { type Endpoint, type Input, isMutation, takesIdempotencyKey } from "./endpoint.ts";
import { preferredWaitSeconds } from "./prefer.ts";
import { type LimitState, tooMany } from "./rate-limit.ts";

export const API_PREFIX = "/api/v1";

/** What the middleware leaves for the routes. */
export interface RequestState {
  requestId: string;
  now: number;
  db: Db;
  /** Where the request came from, for what is counted by it. */
  address: string;
  trace: Trace | undefined;
  caller: Actor | Claim | undefined;
  principal: string;
  /** Why what was sent to say who calls does not: thrown where it matters who does. */
  refusal: ApiError | undefined;
  /** This request and no other, whatever it calls itself. Set once it uses a quota. */
  use: string | undefined;
  /** What the answer says of limits. */
  limits: LimitState[];
  /** Set once the caller is proved. */
  actor: Actor | undefined;
}

export type AppEnv = { Bindings: Bindings; Variables: RequestState };
type AppContext = Context<AppEnv>;

type CheckedEndpoint = Pick<Endpoint, "access" | "secretAnswer" | "method" | "safe" | "quota">;

export interface Route {
  endpoint: Endpoint;
  mount: (app: Hono<AppEnv>) => void;
}

/** A changed object was changed again between being read and being written: the use case may simply run again. */
const MAX_TRIES = 10;

/** How what was answered looks once it has ended, or when so many milliseconds have passed. */
type Settle<A extends z.ZodType> = (
  call: Call,
  answered: z.output<A>,
  waitMs: number,
) => Promise<z.input<A>>;

/**
 * An endpoint, the sentence it stands for, and how its result looks from outside; of one that declares `waits`,
 * how its answer looks in the end.
 */
export function route<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  R,
>(
  endpoint: Endpoint<P, Q, B, A>,
  useCase: (call: Call, input: Input<P, Q, B>) => Promise<R>,
  ...view: [A] extends [z.ZodNever]
    ? []
    : [(result: R, call: Call) => z.input<A>, settle?: Settle<A>]
): Route {
  const show = view[0] as ((result: unknown, call: Call) => unknown) | undefined;
  const settle = view[1];
  if ((settle === undefined) === (endpoint.waits === true))
    throw new Error(`${endpoint.operationId} has to declare that it waits, and to say how`);
  return plainRoute(endpoint, async (c, input) => {
    const begun: Promise<unknown>[] = [];
    const finish = async (call: Call, answer: StoredAnswer): Promise<Response> =>
      respond(
        c,
        endpoint,
        settle === undefined ? answer : await settled(c, { call, answer, settle, begun }),
      );
    for (let tries = 1; ; tries += 1) {
      const call: Call = await callOf(
        c,
        endpoint,
        (result) => answerOf(endpoint, result, show?.(result, call)),
        (work) => begun.push(work),
      );
      try {
        const result = await useCase(call, input);
        await call.prove();
        await call.keepAnswer(result);
        const view = show?.(result, call);
        const { headers, ...answer } = answerOf(endpoint, result, view);
        return await finish(call, { ...answer, headers: { ...headers, ...nextLink(c, view) } });
      } catch (error) {
        await call.confirm();
        if (error instanceof Replayed && settle !== undefined) {
          const { headers, ...answer } = error.answer;
          return finish(call, { ...answer, headers: { ...headers, ...replayedHeader } });
        }
        if (error instanceof ApiError && error.code === "not_found")
          await refuseWhatIsSeen(call, (probe) => useCase(probe, input));
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
  if (endpoint.access !== "public" && isMutation(endpoint.method)) checks.push(refuseForged);
  if (endpoint.deprecated !== undefined) checks.unshift(warnOfEnd(endpoint.deprecated));
  if (endpoint.body !== undefined) checks.push(readBody(endpoint));
  if (endpoint.params !== undefined)
    checks.push(zValidator("param", endpoint.params, problemHook(endpoint, "path")));
  if (endpoint.query !== undefined) {
    if (endpoint.openQuery !== true) checks.push(knownQuery(endpoint));
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

/**
 * What a member's role is not enough for was hidden from the use case (`Call.mine`). Throws `forbidden` if that is
 * why it found nothing: they see it, and are told that they may not. Nothing is done on the way (`Call.probe`).
 */
async function refuseWhatIsSeen(
  call: Call,
  useCase: (probe: Call) => Promise<unknown>,
): Promise<void> {
  const probe = call.probe();
  if (probe === undefined) return;
  try {
    await useCase(probe.call);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return;
  }
  throw needsRole(probe.needed);
}

/** The sub-router of one area. */
export function areaRouter(routes: readonly Route[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const { mount } of routes) mount(app);
  return app;
}

/**
 * The call of this request. Its caller may still have to be proved: the first read does. An endpoint for everyone
 * asks nobody who they are: whatever was sent to say so, and be it expired, changes nothing there.
 */
export async function callOf(
  c: AppContext,
  endpoint: CheckedEndpoint,
  answerTo?: (result: unknown) => StoredAnswer,
  onBegun?: (work: Promise<unknown>) => void,
): Promise<Call> {
  const isPublic = endpoint.access === "public";
  const key =
    answerTo !== undefined && takesIdempotencyKey(endpoint)
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
            principal: isPublic ? "public" : c.var.principal,
            // The path of an endpoint for everyone may be what gives the right to it: it is not kept in clear.
            operation: `${c.req.method} ${isPublic ? await digestHex(c.req.path) : c.req.path}`,
            key,
            bodyDigest: await digestHex(`${new URL(c.req.url).search}\n${await bodyText(c)}`),
            now: c.var.now,
          },
          answerTo,
          endpoint.secretAnswer === true ? sealerFrom(c.env.SEALING_KEYS) : undefined,
        );
  const isChange = isMutation(c.req.method);
  const ifMatch = c.req.header("if-match");
  const ifNoneMatch = isChange ? c.req.header("if-none-match") : undefined;
  const { trace } = c.var;
  const quota = quotaOf(c, endpoint, repetition);
  return new Call({
    env: c.env,
    db: c.var.db,
    now: c.var.now,
    newId,
    requestId: c.var.requestId,
    caller: isPublic ? undefined : (c.var.actor ?? c.var.caller),
    access: endpoint.access,
    ...(repetition === undefined ? {} : { repetition }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    ...(trace === undefined ? {} : { trace }),
    ...(quota === undefined ? {} : { quota }),
    after: (work) => {
      c.executionCtx.waitUntil(work);
      onBegun?.(work);
    },
    onProved: (actor) => c.set("actor", actor),
  });
}

/**
 * How a use of the quota that the endpoint declares is counted: once a request, however often its use case is run,
 * and requests that repeat one another count once. What was granted or refused is told with the answer.
 */
function quotaOf(
  c: AppContext,
  { quota }: CheckedEndpoint,
  repetition: { name: string } | undefined,
): CallParts["quota"] {
  if (quota === undefined || c.env.RATE_LIMITS === "off") return undefined;
  const spend = async (tenantId: string, limit: number): Promise<void> => {
    const own = c.var.use ?? newId();
    c.set("use", own);
    const use = repetition === undefined ? own : await digestHex(repetition.name);
    const taken = await takeQuota(c.env, tenantId, { quota, limit, use });
    if (taken === undefined) return;
    const { granted, ...left } = taken;
    const state = { name: quota, quota: limit, windowSeconds: QUOTA_WINDOW_SECONDS, ...left };
    c.set("limits", [...c.var.limits.filter(({ name }) => name !== quota), state]);
    if (!granted)
      throw tooMany(
        `The tenant's quota of ${quota} is used up: ${limit} within any ${QUOTA_WINDOW_SECONDS} seconds. Try again in ${left.resetSeconds} s.`,
        left.resetSeconds,
      );
  };
  return { name: quota, spend };
}

/**
 * The answer as it is when what it speaks of has ended, if the caller wants to wait for that. Why the wait or the
 * reading after it failed is no matter of the caller's, whose change was made: they get the first answer then.
 */
async function settled(
  c: AppContext,
  of: {
    call: Call;
    answer: StoredAnswer;
    settle: Settle<z.ZodType>;
    begun: readonly Promise<unknown>[];
  },
): Promise<StoredAnswer> {
  const { call, answer } = of;
  const waitSeconds = preferredWaitSeconds(c.req.header("prefer"));
  if (waitSeconds === undefined) return answer;
  try {
    // What was rung for must have heard of the change before it is asked how the change goes on.
    await Promise.allSettled(of.begun);
    const view = await of.settle(call, JSON.parse(answer.body), waitSeconds * 1000);
    return {
      ...answer,
      body: JSON.stringify(view),
      headers: { ...answer.headers, "preference-applied": `wait=${waitSeconds}` },
    };
  } catch (error) {
    log("warn", "An answer could not be held until its end", {
      requestId: call.requestId,
      traceId: call.trace?.traceId,
      error: describeError(error),
    });
    return answer;
  }
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
    matchesIfNoneMatch(c.req.header("if-none-match"), etag)
  )
    return new Response(null, { status: 304, headers: answer.headers });
  return storedResponse(answer);
}

export const replayedHeader = { "idempotent-replayed": "true" } as const;

export function storedResponse(answer: StoredAnswer): Response {
  if (answer.body === "")
    return new Response(null, { status: answer.status, headers: answer.headers });
  return new Response(answer.body, {
    status: answer.status,
    headers: { ...answer.headers, "content-type": "application/json" },
  });
}

function assertAnswer(endpoint: Endpoint, body: string): void {
  const problems = answerProblems(endpoint.answer.schema, body);
  if (problems !== undefined)
    throw new Error(`${endpoint.operationId} answered what it does not declare: ${problems}`);
}

/** RFC 9745 and RFC 8594. */
function warnOfEnd(of: NonNullable<Endpoint["deprecated"]>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    c.res.headers.set("deprecation", `@${Math.floor(of.sinceMs / 1000)}`);
    c.res.headers.set("sunset", new Date(of.sunsetMs).toUTCString());
    c.res.headers.append("link", `<${of.link}>; rel="deprecation"`);
  };
}

function refuseStrangers(endpoint: CheckedEndpoint): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (endpoint.access !== "public") {
      if (c.var.refusal !== undefined) throw c.var.refusal;
      if (c.var.caller === undefined) throw strangerError();
    }
    await next();
  };
}

/** A change by cookie has to be meant by a page of ours (csrf.ts). */
const refuseForged: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { caller } = c.var;
  if (caller !== undefined && "sessionDigest" in caller) {
    const problem = csrfProblem(
      {
        proof: c.req.header("x-service-csrf"),
        fetchSite: c.req.header("sec-fetch-site"),
        origin: c.req.header("origin"),
      },
      {
        ownOrigin: new URL(c.req.url).origin,
        allowedOrigins: allowedOrigins(c.env.ALLOWED_ORIGINS),
      },
    );
    if (problem !== undefined) throw csrfError(problem);
  }
  await next();
};

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
    place === "body" ? path.map((part) => `/${escapePointer(part)}`).join("") : path.join(".");
  return { in: place, pointer, code: issue.code, detail: issue.message };
}
