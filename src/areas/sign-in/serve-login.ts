/**
 * `/login`: a page for people, outside the API, by GET alone. The session is read as the API reads it; an invalid
 * cookie is removed, and its sender counts as signed out.
 */
import { invitationTokenShape } from "#areas/tenants/public.ts";
import { allowedOrigins } from "#http/allowed-origins.ts";
import { API_PREFIX } from "#http/api-prefix.ts";
import { pagePolicy } from "#http/pages/page-policy.ts";
import { enforceRateLimit, networkOf } from "#http/rate-limit.ts";
import type { RequestState } from "#http/request-call.ts";
import { sessionClaim, sessionToken } from "#kernel/authn/authenticate-session.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { newId } from "#platform/ids.ts";
import { getSessionEndpoint } from "./contract.ts";
import { loginPage } from "./login-page.tsx";
import { providerSettings } from "./oidc/provider-settings.ts";
import { checkReturnTo } from "./oidc/return-to.ts";
import { getSession, type SignedIn } from "./read-sessions.ts";
import { signInStyle } from "./sign-in-style.ts";

/** The parts of a request that the page needs. */
interface PageRequest {
  env: Bindings;
  var: Pick<RequestState, "db" | "now" | "requestId">;
  req: { url: string; header: (name: string) => string | undefined };
  executionCtx: { waitUntil: (work: Promise<unknown>) => void };
}

/** The account page of the console, which has invitations. */
const ACCOUNT_PAGE = "/account";
/** The overview, for who asked for no page. */
const FIRST_PAGE = "/";

export async function serveLogin(c: PageRequest): Promise<Response> {
  const url = new URL(c.req.url);
  const { found, forget } = await askSession(c);
  const invitation = invitationIn(url);
  const sent =
    invitation === undefined
      ? (url.searchParams.get("returnTo") ?? "")
      : `${ACCOUNT_PAGE}?${new URLSearchParams({ invitation }).toString()}`;
  const place = checkReturnTo(sent, {
    ownOrigin: url.origin,
    allowedOrigins: allowedOrigins(c.env.ALLOWED_ORIGINS),
  });
  const html = await loginPage({
    providers: providersIn(c).map(({ id, label }) => ({
      label,
      loginUrl: `${API_PREFIX}/auth/oidc/${id}/login`,
    })),
    returnTo: place === undefined ? { sent: FIRST_PAGE, url: FIRST_PAGE } : { sent, url: place },
    isInvited: place !== undefined && leadsToInvitation(new URL(place)),
    error: url.searchParams.get("error") ?? undefined,
    signedInAs: found && (found.user.email || found.user.name || found.user.subject || "somebody"),
  });
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=UTF-8",
      "content-security-policy": await pagePolicy(signInStyle, ["form-action 'self'"]),
      ...forget,
    },
  });
}

/** `forget`: the header that removes an invalid cookie. */
async function askSession(
  c: PageRequest,
): Promise<{ found: SignedIn | undefined; forget: Record<string, string> }> {
  const { env } = c;
  const { db, now, requestId } = c.var;
  const address = networkOf(c.req.header("cf-connecting-ip") ?? "local");
  if (env.RATE_LIMITS !== "off")
    await enforceRateLimit(env, `page:${address}`, now, () => undefined);
  const request = { cookie: c.req.header("cookie"), url: c.req.url, address };
  const after = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  try {
    const token = sessionToken(request, env);
    if (token === undefined) return { found: undefined, forget: {} };
    const { caller } = await sessionClaim(token, request, { env, now, afterUse: after });
    const { access } = getSessionEndpoint;
    const call = new Call({ env, db, now, newId, requestId, caller, access, after });
    return { found: await getSession(call), forget: {} };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "unauthenticated") throw error;
    const { "set-cookie": gone } = error.headers;
    return { found: undefined, forget: gone === undefined ? {} : { "set-cookie": gone } };
  }
}

/**
 * The token in an invitation link. The page shows it and never accepts it: that takes a request of the person's own.
 */
function invitationIn(url: URL): string | undefined {
  const token = url.searchParams.get("invitation");
  return token !== null && invitationTokenShape.test(token) ? token : undefined;
}

function leadsToInvitation(place: URL): boolean {
  return place.pathname === ACCOUNT_PAGE && invitationIn(place) !== undefined;
}

function providersIn({ env }: PageRequest) {
  return providerSettings(env.OIDC_PROVIDERS, env.DEV_COOKIES === "on").providers;
}
