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

/** Writes the data point of a request that has its answer. */
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

/** The pattern of the path. Middleware has patterns with an asterisk; the first other one is what answers. */
function routeOf(c: AppContext): string {
  return matchedRoutes(c).find(({ path }) => !path.includes("*"))?.path ?? "none";
}
