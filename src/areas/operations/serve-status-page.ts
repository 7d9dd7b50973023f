import { sha256 } from "oslo/crypto";
import { base64 } from "oslo/encoding";
import type { Bindings } from "#platform/bindings.ts";
import { Call } from "#platform/call.ts";
import { ApiError } from "#platform/errors.ts";
import type { RequestState } from "#platform/http/router.ts";
import { newId } from "#platform/ids.ts";
import { getPublicStatus } from "./get-status.ts";
import { noStatusPage, statusPage, statusStyle } from "./status-page.ts";

/** What the page needs of a request. */
interface PageRequest {
  env: Bindings;
  var: Pick<RequestState, "db" | "now" | "requestId">;
  executionCtx: { waitUntil: (work: Promise<unknown>) => void };
}

/** `/status/{tenantSlug}`, for everyone, of the tenants that want one. Outside the API: no key, no JSON. */
export async function serveStatusPage(
  { env, var: { db, now, requestId }, executionCtx }: PageRequest,
  slug: string,
  address: string | undefined,
): Promise<Response> {
  await demandCalm(env, address ?? "local");
  const call = new Call({
    env,
    db,
    now,
    newId,
    requestId,
    caller: { kind: "system", name: "status-page" },
    access: "public",
    after: (work) => executionCtx.waitUntil(work),
  });
  const status = await getPublicStatus(call, slug);
  const headers = {
    "content-type": "text/html; charset=UTF-8",
    "content-security-policy": await pagePolicy(),
  };
  if (status === undefined) return new Response(noStatusPage(), { status: 404, headers });
  return new Response(statusPage(status.tenant.name, status), {
    headers: { ...headers, "cache-control": "public, max-age=30" },
  });
}

async function demandCalm(env: Bindings, address: string): Promise<void> {
  if (env.RATE_LIMITS === "off") return;
  const { success } = await env.RATE_LIMITER.limit({ key: `page:${address}` });
  if (!success)
    throw new ApiError("rate_limited", "Too many requests. Wait a minute and go on slower.", {
      headers: { "retry-after": "60" },
    });
}

let policy: Promise<string> | undefined;

function pagePolicy(): Promise<string> {
  policy ??= (async () => {
    const digest = await sha256(new TextEncoder().encode(statusStyle));
    const hash = base64.encode(new Uint8Array(digest));
    return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  })();
  return policy;
}
