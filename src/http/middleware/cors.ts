/**
 * Cross-origin requests, only from the origins of `ALLOWED_ORIGINS`. `hono/cors` would send credential and exposed
 * headers to unlisted origins, and treat any OPTIONS as a preflight; here an unlisted origin gets no CORS headers. A
 * preflight neither authenticates nor uses the database.
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
  "tracestate",
  "x-d1-bookmark",
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
  "X-D1-Bookmark",
  "X-Request-Id",
].join(", ");

const MAX_AGE_SECONDS = "600";

/**
 * Answers preflights and adds CORS headers. `methodsAt`: the methods of a path. For an unknown path every
 * method is allowed, so that the page can read the 404.
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
