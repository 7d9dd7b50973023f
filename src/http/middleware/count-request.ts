import { matchedRoutes } from "hono/route";
import type { AppContext } from "#http/request-call.ts";
import { writeDataPoint } from "#kernel/data-points.ts";

const methods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** Writes the data point of an answered request. */
export function countRequest(c: AppContext, durationMs: number): void {
  const { method } = c.req;
  writeDataPoint(c.env, () => ({
    kind: "request",
    route: routeOf(c),
    method: methods.has(method) ? method : "other",
    status: c.res.status,
    durationMs,
  }));
}

/**
 * The pattern of the path: of the matched patterns, the first without an asterisk, since those of middleware have one.
 */
function routeOf(c: AppContext): string {
  return matchedRoutes(c).find(({ path }) => !path.includes("*"))?.path ?? "none";
}
