/**
 * What every answer has, whatever made it: a request id, security headers, the time it took, and, when
 * something failed, a problem in one shape. The order of the checks is the order of this file.
 */
import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { type D1Spend, openCountedDb } from "#platform/db/client.ts";
import { ApiError } from "#platform/errors.ts";
import { newId } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import { authenticate } from "./authenticate.ts";
import { type Endpoint, isMutation } from "./endpoint.ts";
import { Replayed } from "./idempotency.ts";
import { problemResponse } from "./problem.ts";
import { API_PREFIX, type AppEnv, storedResponse } from "./router.ts";

const requestIdShape = /^[A-Za-z0-9._-]{1,64}$/;

const securityHeaders: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
];
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Puts the shell around the app. Call before any route is mounted. */
export function useShell(app: Hono<AppEnv>): void {
  app.use(async (c, next) => {
    const startedMs = Date.now();
    const sent = c.req.header("x-request-id");
    const requestId = sent !== undefined && requestIdShape.test(sent) ? sent : newId();
    const spend: D1Spend = { statements: 0, roundTrips: 0, durationMs: 0 };
    c.set("requestId", requestId);
    c.set("now", startedMs);
    c.set("db", openCountedDb(c.env.DB, spend, Date.now));
    await next();
    const headers = c.res.headers;
    headers.set("x-request-id", requestId);
    for (const [name, value] of securityHeaders) headers.set(name, value);
    if (!headers.has("content-security-policy")) headers.set("content-security-policy", apiPolicy);
    if (!headers.has("cache-control"))
      headers.set("cache-control", headers.has("etag") ? "private, no-cache" : "no-store");
    if (c.req.url.startsWith("https:"))
      headers.set("strict-transport-security", "max-age=31536000; includeSubDomains");
    if (c.env.SERVER_TIMING === "on" || c.var.actor?.kind === "operator")
      headers.set(
        "server-timing",
        `d1;desc="${spend.statements}/${spend.roundTrips}";dur=${spend.durationMs}, total;dur=${Date.now() - startedMs}`,
      );
  });

  app.use(`${API_PREFIX}/*`, async (c, next) => {
    const address = c.req.header("cf-connecting-ip") ?? "local";
    const { caller, principal, limitKey } = await authenticate(
      {
        authorization: c.req.header("authorization"),
        address,
        mayUseCache: !isMutation(c.req.method),
      },
      { env: c.env, now: c.var.now, after: (work) => c.executionCtx.waitUntil(work) },
    );
    c.set("caller", caller);
    c.set("principal", principal);
    if (c.env.RATE_LIMITS !== "off") {
      const { success } = await c.env.RATE_LIMITER.limit({ key: limitKey });
      if (!success)
        throw new ApiError("rate_limited", "Too many requests. Wait a minute and go on slower.", {
          headers: { "retry-after": "60" },
        });
    }
    await next();
  });

  app.onError((error, c) => {
    const at = { path: c.req.path, requestId: c.var.requestId };
    if (error instanceof Replayed) {
      const response = storedResponse(error.answer);
      response.headers.set("idempotent-replayed", "true");
      return response;
    }
    return problemResponse(expected(error, at), at);
  });
}

function expected(error: Error, at: { path: string; requestId: string }): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status === 400)
    return new ApiError("malformed_json", "The body is not valid JSON.", { cause: error });
  log("error", "A request failed", { ...at, error: describeError(error) });
  return new ApiError(
    "internal",
    `Something went wrong here, not in the request. Quote request ${at.requestId} when you ask for help.`,
    { cause: error },
  );
}

/** Answers what no route took: 405 where the path is known by another method, else 404. */
export function answerUnmatched(app: Hono<AppEnv>, endpoints: readonly Endpoint[]): void {
  const paths = endpoints.map(({ method, path }) => ({
    method,
    shape: new RegExp(`^${API_PREFIX}${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  const methodsAt = (path: string): string[] => {
    const taken = paths.filter(({ shape }) => shape.test(path)).map(({ method }) => method);
    return [
      ...new Set(taken.flatMap((method) => (method === "GET" ? [method, "HEAD"] : [method]))),
    ];
  };
  app.notFound((c) => {
    const at = { path: c.req.path, requestId: c.var.requestId };
    const methods = methodsAt(c.req.path);
    if (methods.length === 0)
      return problemResponse(new ApiError("not_found", "There is nothing at this path."), at);
    return problemResponse(
      new ApiError("method_not_allowed", `This path takes ${methods.join(", ")}.`, {
        headers: { allow: methods.join(", ") },
      }),
      at,
    );
  });
}
