/**
 * The parts of every answer: a request id, security headers, timing and, on failure, problem details. The checks run in
 * the order of this file.
 */
import type { Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { replayedHeader, storedResponse } from "#http/answer.ts";
import { API_PREFIX } from "#http/api-prefix.ts";
import { BOOKMARK_HEADER, bookmarkOf, keptBookmark } from "#http/bookmark.ts";
import { type Endpoint, isMutation } from "#http/endpoint.ts";
import { problemResponse } from "#http/problem.ts";
import { enforceRateLimit, limitHeaders, networkOf } from "#http/rate-limit.ts";
import type { AppEnv, PlanLimits } from "#http/request-call.ts";
import type { Actor } from "#kernel/access/access.ts";
import { authenticate, nobodyAt } from "#kernel/authn/authenticate.ts";
import { actorOf, callerFrom } from "#kernel/call/caller.ts";
import { Replayed } from "#kernel/call/idempotency.ts";
import { ApiError } from "#kernel/errors.ts";
import { noteHost } from "#kernel/hosts/own-hosts.ts";
import { notReady, problemBehind } from "#kernel/readiness.ts";
import { SealBroken } from "#platform/crypto/seal.ts";
import { RequestDb } from "#platform/db/request-db.ts";
import { newId } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import { traceOf } from "#platform/trace.ts";
import { useCors } from "./cors.ts";
import { countRequest } from "./count-request.ts";

const requestIdShape = /^[A-Za-z0-9._-]{1,64}$/;

const securityHeaders: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
];
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Adds the middleware. Call it before any route is mounted. `endpoints`: all endpoints of the app. */
export function useShell(
  app: Hono<AppEnv>,
  endpoints: readonly Endpoint[],
  planLimits: PlanLimits,
): void {
  app.use(async (c, next) => {
    const startedMs = Date.now();
    const sent = c.req.header("x-request-id");
    const requestId = sent !== undefined && requestIdShape.test(sent) ? sent : newId();
    const request = requestOf(c);
    // Seam for several databases (docs/operations.md, "Past one database"): here the caller's database is chosen.
    const database = new RequestDb(c.env.DB, bookmarkOf(request, c.env), Date.now);
    c.set("requestId", requestId);
    c.set("now", startedMs);
    c.set("database", database);
    c.set("db", database.db);
    c.set("trace", traceOf(c.req.header("traceparent"), c.req.header("tracestate")));
    c.set("planLimits", planLimits);
    c.set("limits", []);
    noteHost(new URL(c.req.url), {
      env: c.env,
      nowMs: startedMs,
      after: (work) => c.executionCtx.waitUntil(work),
    });
    await next();
    const headers = c.res.headers;
    for (const [name, value] of Object.entries(limitHeaders(c.get("limits"))))
      headers.append(name, value);
    headers.set("x-request-id", requestId);
    for (const [name, value] of securityHeaders) headers.set(name, value);
    if (!headers.has("content-security-policy")) headers.set("content-security-policy", apiPolicy);
    if (!headers.has("cache-control"))
      // Without `no-transform`, a compressing edge would weaken the strong ETag, and If-Match would no longer
      // match it.
      headers.set(
        "cache-control",
        headers.has("etag") ? "private, no-cache, no-transform" : "no-store",
      );
    if (c.req.url.startsWith("https:"))
      headers.set("strict-transport-security", "max-age=31536000; includeSubDomains");
    if (c.env.SERVER_TIMING === "on" || c.get("actor")?.kind === "operator") {
      const { statements, roundTrips, durationMs } = database.spend;
      headers.set(
        "server-timing",
        `d1;desc="${statements}/${roundTrips}";dur=${durationMs}, total;dur=${Date.now() - startedMs}`,
      );
    }
    countRequest(c, Date.now() - startedMs);
    // A bookmark reveals how much the whole installation has written: strangers and refused callers get none.
    const actor = c.get("actor");
    if (database.bookmark === undefined || actor === undefined || c.res.status >= 400) return;
    headers.set(BOOKMARK_HEADER, database.bookmark);
    // A sign-out sets no further cookie.
    const isBrowser = c.get("principal").startsWith("session:") && !headers.has("set-cookie");
    const kept = isBrowser ? keptBookmark(request, c.env, database.bookmark) : undefined;
    if (kept !== undefined) headers.append("set-cookie", kept);
  });

  useCors(app, methodsOf(endpoints));

  app.use(`${API_PREFIX}/*`, async (c, next) => {
    const address = networkOf(c.req.header("cf-connecting-ip") ?? "local");
    c.set("address", address);
    const callerAt = (now: number) =>
      authenticate(
        {
          authorization: c.req.header("authorization"),
          cookie: c.req.header("cookie"),
          url: c.req.url,
          address,
          mayUseCache: !isMutation(c.req.method),
        },
        { env: c.env, now, afterUse: (work) => c.executionCtx.waitUntil(work) },
      );
    c.set("callerAt", async (now) => (await callerAt(now)).caller);
    const { caller, principal, limitKey } = await callerAt(c.get("now")).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      c.set("refusal", error);
      return nobodyAt(address);
    });
    c.set("caller", caller);
    c.set("principal", principal);
    c.set("isKnown", !limitKey.startsWith("address:"));
    if (c.env.RATE_LIMITS !== "off")
      await enforceRateLimit(c.env, limitKey, c.get("now"), (state) => c.get("limits").push(state));
    await next();
  });

  app.onError((error, c) => {
    const requestId = c.get("requestId");
    const trace = c.get("trace");
    const at = { path: tellablePath(c.req.path), requestId, traceId: trace.traceId };
    if (error instanceof Replayed) {
      const { headers, ...answer } = error.answer;
      return storedResponse({ ...answer, headers: { ...headers, ...replayedHeader } });
    }
    const actor = c.get("actor") ?? actorOf(callerFrom(c.get("caller")));
    return problemResponse(expected(error, at, actor), at);
  });
}

function requestOf({ req }: Context<AppEnv>) {
  return {
    method: req.method,
    path: req.path,
    url: req.url,
    header: (name: string) => req.header(name),
  };
}

/** The path without the secret token of an inbound trigger: tokens must not reach logs or error reports. */
function tellablePath(path: string): string {
  return path.replace(/\/hooks\/[^/]+/, "/hooks/{token}");
}

function expected(
  error: Error,
  at: { path: string; requestId: string; traceId: string },
  actor: Actor | undefined,
): ApiError {
  if (error instanceof ApiError) return error;
  const problem = problemBehind(error);
  if (problem !== undefined) {
    log("error", "The service is not ready", {
      ...at,
      problems: problem,
      error: describeError(error),
    });
    return notReady([problem], actor, error);
  }
  if (error instanceof HTTPException && error.status === 400)
    return new ApiError("malformed_json", "The body is not valid JSON.", { cause: error });
  log("error", "A request failed", { ...at, error: describeError(error) });
  if (error instanceof SealBroken)
    return new ApiError(
      "unavailable",
      "A stored secret that this request needs cannot be decrypted: the key that sealed it is missing. The operator of the service has to add it to SEALING_KEYS again. If the secret is a variable, its value can be given again instead.",
      { cause: error },
    );
  return new ApiError(
    "internal",
    `The service failed; the request is not the cause. Quote request ${at.requestId} when you ask for help.`,
    { cause: error },
  );
}

/** The methods of a path; empty: the path is unknown. */
function methodsOf(endpoints: readonly Endpoint[]): (path: string) => string[] {
  const paths = endpoints.map(({ method, path }) => ({
    method,
    shape: new RegExp(`^${API_PREFIX}${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  return (path) => {
    const taken = paths.filter(({ shape }) => shape.test(path)).map(({ method }) => method);
    return [
      ...new Set(taken.flatMap((method) => (method === "GET" ? [method, "HEAD"] : [method]))),
    ];
  };
}

/** Answers unmatched requests: 405 if the path has other methods, else 404. */
export function answerUnmatched(app: Hono<AppEnv>, endpoints: readonly Endpoint[]): void {
  const methodsAt = methodsOf(endpoints);
  app.notFound((c) => {
    const at = { path: tellablePath(c.req.path), requestId: c.get("requestId") };
    const methods = methodsAt(c.req.path);
    if (methods.length === 0)
      return problemResponse(
        new ApiError("not_found", "There is no endpoint at this path. Check the URL."),
        at,
      );
    return problemResponse(
      new ApiError("method_not_allowed", `This path accepts ${methods.join(", ")}.`, {
        headers: { allow: methods.join(", ") },
      }),
      at,
    );
  });
}
