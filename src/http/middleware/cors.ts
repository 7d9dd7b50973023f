/**
 * Cross-origin requests, for the origins of `ALLOWED_ORIGINS` and no others. `hono/cors` would tell a foreign origin
 * of credentials and exposed headers, and would take any OPTIONS for a preflight; here a foreign origin is told
 * nothing, and gets the answer that anybody gets. A preflight asks no database and knows no caller.
 */
import type { Hono } from "hono";
import { allowedOrigins } from "#http/allowed-origins.ts";
import type { AppEnv } from "#http/request-call.ts";

const takenHeaders = [
  "authorization",
  "content-type",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "last-event-id",
  "prefer",
  "traceparent",
  "x-request-id",
  "x-service-csrf",
].join(", ");

const exposedHeaders = [
  "Deprecation",
  "ETag",
  "Idempotent-Replayed",
  "Link",
  "Location",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Server-Timing",
  "Sunset",
  "X-Request-Id",
].join(", ");

const MAX_AGE_SECONDS = "600";

/**
 * Answers preflights and marks answers. `methodsAt`: what a path takes. A path that takes nothing is allowed every
 * method, so that the page which asks gets to read that there is nothing.
 */
export function useCors(app: Hono<AppEnv>, methodsAt: (path: string) => readonly string[]): void {
  app.use(async (c, next) => {
    const origin = c.req.header("origin");
    const listed = origin !== undefined && allowedOrigins(c.env.ALLOWED_ORIGINS).has(origin);
    const isPreflight =
      c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;
    if (listed && isPreflight) {
      const methods = methodsAt(c.req.path);
      c.res = new Response(null, {
        status: 204,
        headers: {
          "access-control-allow-methods": (methods.length > 0 ? methods : everyMethod).join(", "),
          "access-control-allow-headers": takenHeaders,
          "access-control-max-age": MAX_AGE_SECONDS,
        },
      });
    } else await next();
    const { headers } = c.res;
    headers.append("vary", "Origin");
    if (!listed) return;
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-allow-credentials", "true");
    if (!isPreflight) headers.set("access-control-expose-headers", exposedHeaders);
  });
}

const everyMethod = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
