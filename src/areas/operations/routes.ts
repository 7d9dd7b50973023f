import { sql } from "drizzle-orm";
import type * as z from "zod";
import { signInProblems } from "#areas/auth/public.ts";
import { incidentView } from "#areas/incidents/public.ts";
import { describeError, log } from "#platform/log.ts";
import { ApiError } from "#platform/errors.ts";
import type { Endpoint } from "#platform/http/endpoint.ts";
import { isKnown } from "#platform/http/etag.ts";
import { plainRoute, type Route, route } from "#platform/http/router.ts";
import { timestamp } from "#platform/http/schemas.ts";
import {
  getHealthEndpoint,
  getOpenApiJsonEndpoint,
  getOpenApiYamlEndpoint,
  getStatusEndpoint,
  type StatusView,
} from "./contract.ts";
import { documentOf } from "./document.ts";
import { getStatus, type StatusOfTenant } from "./get-status.ts";

/** `endpoints`: all there are, these included; asked for when the document is first wanted. */
export function operationsRoutes(endpoints: () => readonly Endpoint[]): Route[] {
  const document = documentOf(endpoints);
  const served = async (
    request: { ifNoneMatch: string | undefined },
    pick: "json" | "yaml",
    contentType: string,
  ): Promise<Response> => {
    const { etag, ...texts } = await document();
    const headers = { etag, "cache-control": "public, max-age=60" };
    if (isKnown(request.ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
    return new Response(texts[pick], { headers: { ...headers, "content-type": contentType } });
  };
  return [
    route(getStatusEndpoint, (call, { params }) => getStatus(call, params.tenantId), statusView),
    route(
      getHealthEndpoint,
      async (call) => {
        try {
          await call.read(call.db.all(sql`SELECT 1`));
        } catch (cause) {
          log("error", "The database does not answer", { error: describeError(cause) });
          throw new ApiError("unavailable", "The database does not answer. Try again soon.", {
            headers: { "retry-after": "5" },
            cause,
          });
        }
        return signInProblems(call.env);
      },
      (problems) => ({ status: "ok" as const, ...(problems.length > 0 ? { problems } : {}) }),
    ),
    plainRoute(getOpenApiJsonEndpoint, (c) =>
      served({ ifNoneMatch: c.req.header("if-none-match") }, "json", "application/json"),
    ),
    plainRoute(getOpenApiYamlEndpoint, (c) =>
      served({ ifNoneMatch: c.req.header("if-none-match") }, "yaml", "application/yaml"),
    ),
  ];
}

function statusView(status: StatusOfTenant): z.input<typeof StatusView> {
  return {
    tenantId: status.tenant.id,
    status: status.status,
    components: status.components,
    incidents: status.incidents.map(incidentView),
    days: status.days,
    measuredAt: timestamp(status.measuredAtMs),
  };
}
