import { pagePolicy } from "#http/pages/page-policy.ts";
import { enforceRateLimit, networkOf } from "#http/rate-limit.ts";
import type { RequestState } from "#http/request-call.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { serviceCall } from "#kernel/call/service-call.ts";
import { getPublicStatus } from "./get-status.ts";
import { noStatusPage } from "./no-status-page.tsx";
import { statusPage } from "./status-page.tsx";
import { statusStyle } from "./status-style.ts";

/** The parts of a request that the page needs. */
interface PageRequest {
  env: Bindings;
  var: Pick<RequestState, "db" | "now" | "requestId">;
  executionCtx: { waitUntil: (work: Promise<unknown>) => void };
}

/** `/status/{tenantSlug}`, for everyone, for tenants with a public status. It is outside the API: no key, no JSON. */
export async function serveStatusPage(
  { env, var: { db, now, requestId }, executionCtx }: PageRequest,
  slug: string,
  address: string | undefined,
): Promise<Response> {
  if (env.RATE_LIMITS !== "off")
    await enforceRateLimit(env, `page:${networkOf(address ?? "local")}`, now, () => undefined);
  const call = serviceCall({
    env,
    name: "status-page",
    nowMs: now,
    requestId,
    db,
    after: (work) => executionCtx.waitUntil(work),
  });
  const status = await getPublicStatus(call, slug);
  const headers = {
    "content-type": "text/html; charset=UTF-8",
    "content-security-policy": await pagePolicy(statusStyle, ["form-action 'none'"]),
  };
  if (status === undefined) return new Response(await noStatusPage(), { status: 404, headers });
  return new Response(await statusPage(status.tenant.name, status), {
    headers: { ...headers, "cache-control": "public, max-age=30" },
  });
}
